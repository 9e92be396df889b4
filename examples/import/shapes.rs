//! Traits, generics, slices, iterators and 128-bit integers, without the standard library.
#![no_std]

use core::ffi::{c_char, c_int};

unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it has no conditions.
    unsafe { abort() }
}

trait Shape {
    fn name(&self) -> &'static core::ffi::CStr;
    fn area(&self) -> f64;
}

struct Circle(f64);
struct Rectangle(f64, f64);

impl Shape for Circle {
    fn name(&self) -> &'static core::ffi::CStr {
        c"circle"
    }
    fn area(&self) -> f64 {
        core::f64::consts::PI * self.0 * self.0
    }
}

impl Shape for Rectangle {
    fn name(&self) -> &'static core::ffi::CStr {
        c"rectangle"
    }
    fn area(&self) -> f64 {
        self.0 * self.1
    }
}

fn largest<'a>(shapes: &[&'a dyn Shape]) -> Option<&'a dyn Shape> {
    shapes.iter().copied().reduce(|a, b| if a.area() < b.area() { b } else { a })
}

fn fibonacci(n: u32) -> u128 {
    (0..n).fold((0_u128, 1_u128), |(a, b), _| (b, a.wrapping_add(b))).0
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    let shapes: [&dyn Shape; 3] = [&Circle(1.5), &Rectangle(2.0, 3.75), &Rectangle(1.0, 1.0)];
    let sum: f64 = shapes.iter().map(|shape| shape.area()).sum();
    let number = fibonacci(150);
    // SAFETY: the formats fit the arguments.
    unsafe {
        if let Some(shape) = largest(&shapes) {
            printf(c"the largest is a %s of %.3f, all together %.3f\n".as_ptr(), shape.name().as_ptr(), shape.area(), sum);
        }
        let billion = 1_000_000_000_000_000_000;
        let (high, low) = ((number / billion) as u64, (number % billion) as u64);
        printf(c"fibonacci(150) = %llu%018llu\n".as_ptr(), high, low);
    }
    0
}
