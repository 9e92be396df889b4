//! The program uses what Rust programs use of their library: collections, formatting, strings,
//! iterators, threads, wide integers, trait objects, panics that are caught, and a `main` that
//! returns.

use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::panic;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, atomic::AtomicU64, atomic::Ordering};
use std::thread;

trait Shape {
    fn area(&self) -> f64;
}
struct Circle(f64);
struct Square(f64);
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.25 * self.0 * self.0
    }
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

struct Noted(&'static str);
impl Drop for Noted {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Word {
    Short(String),
    Long { text: String, len: usize },
}

#[derive(Debug)]
struct Refused(u64);
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused {:#06x}", self.0)
    }
}
impl std::error::Error for Refused {}

fn collections() {
    let text = "the map of all the words that are in the text of this program".repeat(40);
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.iter().map(|(word, count)| (*count, *word)).collect();
    sorted.sort_by(|a, b| b.cmp(a));
    println!("{:?}", &sorted[..4]);
    let words: BTreeMap<Word, usize> = counts
        .keys()
        .map(|&word| match word.len() {
            0..4 => (Word::Short(word.into()), 1),
            len => (
                Word::Long {
                    text: word.to_uppercase(),
                    len,
                },
                len,
            ),
        })
        .collect();
    println!(
        "{:?} {}",
        words.first_key_value(),
        words.values().sum::<usize>()
    );
    let mut heap: BinaryHeap<u64> = (0..3000).map(|i| i * 7919 % 10007).collect();
    let top: Vec<u64> = std::iter::from_fn(|| heap.pop()).step_by(700).collect();
    let mut queue: VecDeque<u64> = top.iter().copied().collect();
    queue.rotate_left(2);
    let odd: HashSet<u64> = queue.iter().copied().filter(|n| n % 2 == 1).collect();
    println!("{top:?} {queue:?} {}", odd.len());
}

fn formatting() {
    println!(
        "{:>8.3}|{:<6}|{:^7}|{:+e}|{:#b}|{:08.2}",
        3.14159, "ab", 'c', 12345.678, 10, -2.5
    );
    println!(
        "{:?} {:?} {}",
        "tab\t\u{e9}",
        Some([1.5f32, f32::NAN]),
        u128::MAX / 3
    );
    let parsed: Result<i32, _> = "12x".parse::<i32>();
    println!("{parsed:?} {:?} {}", "0.1".parse::<f64>(), i128::MIN);
    let wide = (0..40u32).fold(1u128, |product, i| product.wrapping_mul(u128::from(i) + 3));
    println!(
        "{wide} {} {}",
        wide.leading_zeros(),
        wide.rotate_left(17) % 1_000_003
    );
}

fn threads() {
    let (count, names) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(Mutex::new(BTreeMap::new())),
    );
    let received = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
    let workers: Vec<_> = (0..4u64)
        .map(|worker| {
            let (count, names) = (Arc::clone(&count), Arc::clone(&names));
            let received = Arc::clone(&received);
            thread::spawn(move || {
                for i in 0..3000 {
                    count.fetch_add(i % 7, Ordering::Relaxed);
                }
                names
                    .lock()
                    .unwrap()
                    .insert(worker, format!("worker {worker}"));
                received.0.lock().unwrap().push(worker * worker);
                received.1.notify_one();
                u128::from(worker) << 70
            })
        })
        .collect();
    let mut all = received.0.lock().unwrap();
    while all.len() < 4 {
        all = received.1.wait(all).unwrap();
    }
    all.sort_unstable();
    let sum: u128 = workers
        .into_iter()
        .map(|worker| worker.join().unwrap())
        .sum();
    println!(
        "{sum} {all:?} {} {:?}",
        count.load(Ordering::SeqCst),
        names.lock().unwrap()
    );
}

fn panics() {
    panic::set_hook(Box::new(|_| ()));
    for index in [1, 7] {
        let caught = panic::catch_unwind(|| {
            let _noted = Noted("in a panic");
            let numbers = vec![10, 20, 30];
            numbers[std::hint::black_box(index)]
        });
        println!("{:?}", caught.ok());
    }
    let joined =
        thread::spawn(|| -> u8 { panic!("in a thread {}", std::hint::black_box(5)) }).join();
    let message = joined.unwrap_err();
    println!("{:?}", message.downcast_ref::<String>());
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    collections();
    formatting();
    threads();
    panics();
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(2.0)), Box::new(Square(3.0))];
    let shared = Rc::new(shapes.iter().map(|shape| shape.area()).sum::<f64>());
    println!("{} {}", Rc::clone(&shared), Rc::strong_count(&shared));
    let total: u64 = (1..=200_000u64)
        .filter(|n| n % 3 == 0)
        .map(|n| n * n % 97)
        .sum();
    println!("{total}");
    let _noted = Noted("at the end");
    Err(Box::new(Refused(total % 65536)))
}
