//! Panics: caught, through several frames and destructors, resumed, of threads, with payloads, and
//! one that nothing catches; `Result` and `Box<dyn Error>`.
use std::panic::{self, AssertUnwindSafe};

struct Tracer(&'static str);

impl Drop for Tracer {
    fn drop(&mut self) {
        print!("-{} ", self.0);
    }
}

#[inline(never)]
fn deep(depth: u32) -> u32 {
    let _here = Tracer("deep");
    if depth == 0 {
        panic!("at the bottom");
    }
    deep(depth - 1) + 1
}

#[inline(never)]
fn parsed(text: &str) -> Result<i32, Box<dyn std::error::Error>> {
    let number: i32 = text.parse()?;
    if number < 0 {
        return Err("negative".into());
    }
    Ok(number)
}

/// Takes and returns integers of two words in calls that may unwind.
#[inline(never)]
fn product(number: u128, by: i128) -> i128 {
    let _here = Tracer("product");
    assert!(by != 0, "by nothing");
    number as i128 * by
}

fn main() {
    panic::set_hook(Box::new(|_| ()));
    if std::env::args().any(|argument| argument == "uncaught") {
        let _here = Tracer("main");
        deep(1);
    }
    let caught = panic::catch_unwind(|| deep(std::hint::black_box(3)));
    println!("{:?}", caught.unwrap_err().downcast_ref::<&str>());
    let mut counted = 0;
    let caught = panic::catch_unwind(AssertUnwindSafe(|| {
        let _here = Tracer("closure");
        counted += 1;
        let none: Option<u32> = std::hint::black_box(None);
        none.expect("something") + counted
    }));
    println!("{} {:?}", counted, caught.unwrap_err().downcast_ref::<String>());
    let caught = panic::catch_unwind(|| {
        let inner = panic::catch_unwind(|| panic::panic_any(17_u64));
        let _here = Tracer("between");
        panic::resume_unwind(inner.unwrap_err());
    });
    println!("{:?}", caught.unwrap_err().downcast_ref::<u64>());
    let thread = std::thread::spawn(|| {
        let _here = Tracer("thread");
        deep(1)
    });
    println!("{}", thread.join().is_err());
    for text in ["12", "-3", "x"] {
        match parsed(text) {
            Ok(number) => println!("{number}"),
            Err(error) => println!("{error}"),
        }
    }
    println!("{}", panic::catch_unwind(|| 5).unwrap());
    for by in [-3, 0] {
        let caught = panic::catch_unwind(|| {
            let _here = Tracer("call");
            product(std::hint::black_box(1 << 100), by)
        });
        let caught = caught.map_err(|error| error.downcast_ref::<&str>().copied());
        println!("{caught:?}");
    }
}
