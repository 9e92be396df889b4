//! Integer constants, built by instructions that need no register but their own.

use super::insns::Op;

/// One step: the first starts from zero, each later one from the result of the step before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// `LUI`, or an instruction with an immediate.
    pub(crate) op: Op,
    /// Its immediate.
    pub(crate) value: i32,
}

/// The most steps that are worth it: constants of more steps are loaded from the pool.
pub(crate) const MOST_STEPS: usize = 3;

/// The steps to a constant, as many as any needs.
pub(crate) type Steps = heapless::Vec<Step, 9>;

/// Returns the shortest sequence of steps known for a constant.
pub(crate) fn steps(value: i64) -> Steps {
    let plain = by_shifts(value);
    let zeros = value.leading_zeros();
    if zeros == 0 || plain.len() <= 2 {
        return plain;
    }
    // A constant with leading zeros may be shorter as one that is shifted right at the end, with
    // ones or zeros in the bits that are shifted out.
    let shifted = value << zeros;
    let filled = shifted | !(-1 << zeros);
    [filled, shifted].into_iter().fold(plain, |best, start| {
        let mut steps = by_shifts(start);
        push(&mut steps, Op::SRLI, zeros as i32);
        if steps.len() < best.len() {
            steps
        } else {
            best
        }
    })
}

/// Adds a step; there is room for those of any constant.
fn push(steps: &mut Steps, op: Op, value: i32) {
    let _ = steps.push(Step { op, value });
}

/// Builds a constant from parts of 12 bits, from the highest on.
fn by_shifts(value: i64) -> Steps {
    // The loop finds the lowest part first.
    let mut parts = heapless::Vec::<(u32, i32), 9>::new();
    let mut rest = value;
    while i32::try_from(rest).is_err() {
        let low = rest << 52 >> 52;
        let high = rest.wrapping_sub(low);
        let shift = high.trailing_zeros();
        let _ = parts.push((shift, low as i32));
        rest = high >> shift;
    }
    let mut steps = Steps::new();
    let rest = rest as i32;
    let low = rest << 20 >> 20;
    let high = rest.wrapping_sub(low) >> 12 & 0xF_FFFF;
    if high != 0 {
        push(&mut steps, Op::LUI, high);
    }
    if low != 0 || high == 0 {
        let op = if high == 0 { Op::ADDI } else { Op::ADDIW };
        push(&mut steps, op, low);
    }
    for &(shift, low) in parts.iter().rev() {
        push(&mut steps, Op::SLLI, shift as i32);
        if low != 0 {
            push(&mut steps, Op::ADDI, low);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::{Op, steps};

    /// Returns the value that the machine computes.
    fn value(number: i64) -> i64 {
        steps(number).iter().fold(0, |from: i64, step| {
            let value = i64::from(step.value);
            match step.op {
                Op::LUI => i64::from(step.value << 12),
                Op::ADDI => from.wrapping_add(value),
                Op::ADDIW => i64::from((from as i32).wrapping_add(step.value)),
                Op::SLLI => from << value,
                Op::SRLI => (from.cast_unsigned() >> value).cast_signed(),
                _ => unreachable!("no other steps"),
            }
        })
    }

    #[test]
    fn steps_give_the_constant() {
        let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..20_000_u32 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let number = bits.cast_signed() >> (round % 64) << (round / 64 % 64);
            assert_eq!(value(number), number, "{number:#x}");
        }
        for number in [
            0,
            1,
            -1,
            2047,
            2048,
            -2048,
            -2049,
            0x7FFF_FFFF,
            0x8000_0000,
            i64::MIN,
            i64::MAX,
        ] {
            assert_eq!(value(number), number, "{number:#x}");
        }
    }

    #[test]
    fn what_is_simple_takes_few_steps() {
        for (number, count) in [
            (5, 1),
            (0x1000, 1),
            (0x12345, 2),
            (0xFFFF_FFFF, 2),
            (1 << 63, 2),
            (i64::MAX, 2),
            (0x3FF0_0000_0000_0000, 2),
            (0xFF_FFFF_FFFF, 2),
        ] {
            assert_eq!(steps(number).len(), count, "{number:#x}");
        }
    }
}
