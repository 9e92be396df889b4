//! Integer constants by instructions that need nothing but their own register.

use super::insns::Op;

/// One step: the first from zero, each later one from what the one before gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// `LUI`, or an instruction with an immediate.
    pub(crate) op: Op,
    /// Its immediate.
    pub(crate) value: i32,
}

/// Constants of more steps are loaded from the pool.
pub(crate) const MOST_STEPS: usize = 3;

/// Enough for any constant.
const STEPS: usize = 9;

/// The steps to a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    steps: [Step; STEPS],
    len: usize,
}

impl Steps {
    const fn new() -> Steps {
        let none = Step {
            op: Op::ADDI,
            value: 0,
        };
        Steps {
            steps: [none; STEPS],
            len: 0,
        }
    }

    fn push(&mut self, op: Op, value: i32) {
        if let Some(place) = self.steps.get_mut(self.len) {
            *place = Step { op, value };
            self.len += 1;
        }
    }

    /// The steps in order.
    pub(crate) fn get(&self) -> &[Step] {
        self.steps.get(..self.len).unwrap_or(&[])
    }
}

/// The shortest known way to a constant.
pub(crate) fn steps(value: i64) -> Steps {
    let plain = by_shifts(value);
    let zeros = value.leading_zeros();
    if zeros == 0 || plain.len <= 2 {
        return plain;
    }
    // What has zeros at its top may be shorter as what is shifted down from there, with ones or zeros behind it.
    let shifted = value << zeros;
    let filled = shifted | !(-1 << zeros);
    [filled, shifted].into_iter().fold(plain, |best, start| {
        let mut steps = by_shifts(start);
        steps.push(Op::SRLI, zeros as i32);
        if steps.len < best.len { steps } else { best }
    })
}

/// Parts of 12 bits, from the highest on.
fn by_shifts(value: i64) -> Steps {
    // The parts come lowest first.
    let mut parts = [(0_u32, 0_i32); STEPS];
    let mut count = 0;
    let mut rest = value;
    while i32::try_from(rest).is_err() {
        let low = rest << 52 >> 52;
        let high = rest.wrapping_sub(low);
        let shift = high.trailing_zeros();
        if let Some(place) = parts.get_mut(count) {
            *place = (shift, low as i32);
        }
        count += 1;
        rest = high >> shift;
    }
    let mut steps = Steps::new();
    let rest = rest as i32;
    let low = rest << 20 >> 20;
    let high = rest.wrapping_sub(low) >> 12 & 0xF_FFFF;
    if high != 0 {
        steps.push(Op::LUI, high);
    }
    if low != 0 || high == 0 {
        steps.push(if high == 0 { Op::ADDI } else { Op::ADDIW }, low);
    }
    for &(shift, low) in parts.get(..count).unwrap_or(&[]).iter().rev() {
        steps.push(Op::SLLI, shift as i32);
        if low != 0 {
            steps.push(Op::ADDI, low);
        }
    }
    steps
}
