//! The effect of passes on what is cached of a function.

/// The analyses that a pass preserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preserved {
    /// Nothing: the pass may have changed anything.
    Nothing,
    /// The control-flow graph: no block or edge was added or removed.
    ControlFlow,
}

impl Preserved {
    /// Returns what a pass preserved that changed no more than the control-flow graph, if that.
    pub(crate) fn control_flow_unless(changed: bool) -> Preserved {
        match changed {
            true => Preserved::Nothing,
            false => Preserved::ControlFlow,
        }
    }
}
