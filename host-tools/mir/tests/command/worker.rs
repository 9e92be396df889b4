//! The persistent worker: requests as a build system sends them, good and bad.

use super::{HELLO, directory, example, words};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program with an error in line 2.
const WRONG: &str = "m: module\n bad\n endmodule\n";

/// A worker that runs.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a worker in a directory; these words begin each of its commands.
    fn start(directory: &Path, arguments: &[&str]) -> Worker {
        let mut command = Command::new(&words()[0]);
        command.args(&words()[1..]).args(arguments);
        command.arg("--persistent_worker").current_dir(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Worker {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends what may be no request, without an end of line behind it, and returns the answer.
    fn ask(&mut self, text: &str) -> Value {
        self.send(text);
        self.receive()
    }

    /// Ends the input; the worker must end well.
    fn end(self) {
        let Worker {
            mut child, input, ..
        } = self;
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

fn request(number: i64, arguments: &[&str]) -> String {
    let arguments: Vec<_> = arguments.iter().collect();
    json!({ "arguments": arguments, "requestId": number, "inputs": [], "verbosity": 0 }).to_string()
}

fn status_and_number(answer: &Value) -> (i64, i64) {
    let [status, number] = ["exitCode", "requestId"].map(|name| answer[name].as_i64().unwrap());
    (status, number)
}

#[test]
fn requests_are_answered_one_after_the_other() {
    let place = directory("worker");
    fs::write(place.join("good.mir"), HELLO).unwrap();
    fs::write(place.join("wrong.mir"), WRONG).unwrap();
    fs::write(place.join("params"), "good.mir\n-o\nfrom-params.o\n").unwrap();
    let mut worker = Worker::start(&place, &["obj", "--target", "riscv64"]);
    let good = worker.ask(&request(0, &["good.mir", "-o", "good.o"]));
    assert_eq!(good, json!({ "exitCode": 0, "output": "", "requestId": 0 }));
    let wrong = worker.ask(&request(0, &["wrong.mir", "-o", "wrong.o"]));
    assert_eq!(status_and_number(&wrong), (1, 0));
    let said = wrong["output"].as_str().unwrap();
    assert!(said.starts_with("wrong.mir:2:2: error:"), "{said}");
    let params = worker.ask(&request(0, &["@params"]));
    assert_eq!(status_and_number(&params), (0, 0));
    // No field is required.
    let empty = worker.ask("{}");
    assert_eq!(status_and_number(&empty), (2, 0));
    worker.end();
    let alone = mir!(HELLO, "obj", "--target", "riscv64").out;
    for name in ["good.o", "from-params.o"] {
        assert_eq!(fs::read(place.join(name)).unwrap(), alone, "{name}");
    }
    assert!(!place.join("wrong.o").exists());
}

#[test]
fn bad_requests_are_answered_and_end_nothing() {
    let place = directory("bad-requests");
    fs::write(place.join("good.mir"), HELLO).unwrap();
    let mut worker = Worker::start(&place, &[]);
    let endless = format!("{}\n", "[".repeat(100_000));
    let bad: [(&str, i64, &str); 15] = [
        ("{]\n", 0, "no request"),
        ("what is this\n", 0, "no request"),
        ("{\"arguments\": [\"\u{7}\"]}\n", 0, "no request"),
        (&endless, 0, "no request"),
        ("[]", 0, "no object"),
        ("{\"requestId\": 3, \"arguments\": {}}", 3, "`arguments`"),
        ("{\"requestId\": 1.5}", 0, "`requestId`"),
        (&request(4, &["no-such-command"]), 4, "no-such-command"),
        (&request(5, &["run", "good.mir"]), 5, "serves"),
        (
            &request(6, &["--format=sarif", "check", "good.mir"]),
            6,
            "SARIF",
        ),
        (
            &request(7, &["asm", "missing.mir", "-o", "out"]),
            7,
            "missing.mir",
        ),
        (&request(8, &["asm", "-", "-o", "out"]), 8, "reads files"),
        (&request(9, &["asm", "good.mir"]), 9, "writes to files"),
        (
            &request(10, &["asm", "good.mir", "-o", "no/such/place"]),
            10,
            "no/such/place",
        ),
        (&request(11, &["--persistent_worker"]), 11, "Usage"),
    ];
    for (text, number, told) in bad {
        let answer = worker.ask(text);
        assert_eq!(status_and_number(&answer), (2, number), "{text:.40}");
        let said = answer["output"].as_str().unwrap();
        assert!(said.contains(told), "{text:.40}: {said}");
    }
    let help = worker.ask(&request(12, &["obj", "--help"]));
    assert_eq!(status_and_number(&help), (0, 12));
    assert!(help["output"].as_str().unwrap().contains("Examples:"));
    let good = worker.ask(&request(13, &["asm", "good.mir", "-o", "good.bmir"]));
    assert_eq!(status_and_number(&good), (0, 13));
    worker.end();
    assert_eq!(
        fs::read(place.join("good.bmir")).unwrap(),
        mir!(HELLO, "asm").out
    );
}

#[test]
fn many_requests_at_a_time_have_their_own_answers_and_directories() {
    let place = directory("multiplexed");
    let mut worker = Worker::start(&place, &["obj", "--target=s390x"]);
    let mut all = String::new();
    for number in 1..=40_i64 {
        let sandbox = format!("sandbox {number}");
        fs::create_dir_all(place.join(&sandbox)).unwrap();
        // Every fifth program is wrong; each of the others returns its number.
        let text = match number % 5 {
            0 => WRONG.into(),
            _ => HELLO.replace("42", &number.to_string()),
        };
        fs::write(place.join(&sandbox).join("program.mir"), text).unwrap();
        let arguments = [
            "program.mir",
            "-o",
            "out.o",
            "--threads",
            "2",
            "--depfile",
            "out.d",
        ];
        let request = json!({
            "arguments": arguments, "requestId": number, "sandboxDir": sandbox,
        });
        all += &format!("{request}\n");
    }
    worker.send(&all);
    let answers = (0..40).map(|_| worker.receive()).map(|answer| {
        let (status, number) = status_and_number(&answer);
        let said = answer["output"].as_str().unwrap().to_owned();
        (number, (status, said))
    });
    let answers: BTreeMap<_, _> = answers.collect();
    // One that is cancelled when it has been answered already, or was never asked, is no matter.
    worker.send(&json!({ "requestId": 3, "cancel": true }).to_string());
    worker.send(&json!({ "requestId": 99, "cancel": true }).to_string());
    worker.end();
    assert!(answers.keys().copied().eq(1..=40));
    for (number, (status, said)) in answers {
        let sandbox = place.join(format!("sandbox {number}"));
        let out = fs::read(sandbox.join("out.o"));
        if number % 5 == 0 {
            assert_eq!((status, out.is_ok()), (1, false));
            assert!(said.starts_with("program.mir:2:2: error:"), "{said}");
            continue;
        }
        assert_eq!((status, &said[..]), (0, ""));
        let text = HELLO.replace("42", &number.to_string());
        assert_eq!(out.unwrap(), mir!(text, "obj", "--target=s390x").out);
        let rule = fs::read_to_string(sandbox.join("out.d")).unwrap();
        assert_eq!(rule, "out.o: program.mir\n");
    }
}

#[test]
fn requests_that_wait_are_cancelled() {
    let place = directory("cancelled");
    fs::write(place.join("good.mir"), HELLO).unwrap();
    let mut worker = Worker::start(&place, &["asm", "good.mir", "-o"]);
    let mut all = String::new();
    for number in 1..=200 {
        all += &request(number, &[&format!("{number}.bmir")]);
    }
    for number in 1..=200 {
        all += &json!({ "requestId": number, "cancel": true }).to_string();
    }
    worker.send(&all);
    let mut cancelled = 0;
    let mut seen = vec![false; 201];
    for _ in 0..200 {
        let answer = worker.receive();
        let number = answer["requestId"].as_i64().unwrap();
        let is_cancelled = answer["wasCancelled"] == true;
        cancelled += usize::from(is_cancelled);
        assert!(is_cancelled || answer["exitCode"] == 0, "{answer}");
        assert!(!core::mem::replace(&mut seen[number as usize], true));
        let file = place.join(format!("{number}.bmir"));
        assert_eq!(file.exists(), !is_cancelled);
    }
    // How many were still waiting is a matter of time.
    println!("{cancelled} of 200 cancelled");
    worker.end();
}

/// Returns the bytes of memory that a process has.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let mut words = line.unwrap().split_whitespace();
    words.nth(1).unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn a_worker_does_not_grow_by_what_it_has_done() {
    let place = directory("long-lived");
    let program = example("../corpus/bmir/x86_64/f_structs.bmir");
    let target = ["obj", "--target=x86_64", "--threads", "2", "-o", "out.o"];
    let mut worker = Worker::start(&place, &target);
    let mut sizes = Vec::new();
    for number in 1..=80 {
        let answer = worker.ask(&request(number % 2, &[program.to_str().unwrap()]));
        assert_eq!(answer["exitCode"], 0, "{answer}");
        sizes.push(memory(&worker.child));
    }
    worker.end();
    // A tenth of a megabyte for each request would be more.
    assert!(sizes[79] < sizes[29] + (4 << 20), "{sizes:?}");
}
