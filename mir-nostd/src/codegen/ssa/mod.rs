//! Construction and destruction of SSA form.

pub(crate) mod construction;
