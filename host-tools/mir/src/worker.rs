//! The persistent worker: one process that serves a build system's requests one after the other, or
//! several at a time, by Bazel's worker protocol in JSON.
//!
//! A request is a JSON object on standard input with the words of a command. Its answer on standard
//! output has the request's number, the exit status, and what the command said. Requests without a
//! number are served in their order, those with one by several threads. Whatever a request is, it
//! is answered, and the worker goes on until its input ends.

use crate::failure::{self, Failure};
use crate::threads::{STACK_BYTES, locked};
use crate::{Cli, Command, host, obey, request};
use core::panic::AssertUnwindSafe;
use serde_json::{Deserializer, Value, json};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The option that makes a worker of the command.
const OPTION: &str = "--persistent_worker";

/// A request.
#[derive(Debug, Default)]
struct Request {
    number: i64,
    words: Vec<OsString>,
    /// The directory that the request's paths start from; empty for the worker's own.
    directory: PathBuf,
    /// True if it asks to give up an earlier one of this number.
    is_cancel: bool,
}

/// Returns the words that each command begins with, if the words of this process ask for a worker.
pub(crate) fn words_of_each(words: &[OsString]) -> Option<Vec<OsString>> {
    let end = words.iter().position(|word| word == "--");
    let end = end.unwrap_or(words.len());
    let at = words[..end].iter().position(|word| word == OPTION)?;
    Some([&words[..at], &words[at + 1..]].concat())
}

/// Serves requests until standard input ends.
pub(crate) fn serve(words: &[OsString]) -> ExitCode {
    let queue = Queue::default();
    let work = || {
        while let Some(request) = queue.next() {
            answer(words, &request);
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let start = |_: &usize| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let started = thread.spawn_scoped(scope, work);
            started.is_ok()
        };
        let started = (0..threads).filter(start).count();
        let bytes = io::stdin().lock();
        let mut input = Input::new(bytes);
        while let Some(read) = input.next() {
            match read {
                Ok(request) if request.is_cancel => {
                    if queue.remove(request.number) {
                        respond(&json!({ "requestId": request.number, "wasCancelled": true }));
                    }
                }
                Ok(request) if request.number != 0 && started > 0 => queue.add(request),
                Ok(request) => answer(words, &request),
                Err((number, problem)) => refuse(number, &problem),
            }
        }
        queue.end();
    });
    ExitCode::SUCCESS
}

/// Runs the command of a request and answers it.
fn answer(words: &[OsString], request: &Request) {
    let words = [words, &request.words].concat();
    let (status, said) = request::serve(request.directory.clone(), || {
        let obeyed = catch_unwind(AssertUnwindSafe(|| obey(words, may_be_served)));
        obeyed.unwrap_or_else(|_| {
            request::say("mir: the compiler stopped; standard error of the worker says why\n");
            failure::INTERNAL_ERROR
        })
    });
    let number = request.number;
    respond(&json!({ "exitCode": status, "output": said, "requestId": number }));
}

/// Makes sure that a command only makes files of files.
fn may_be_served(cli: &Cli) -> failure::Result<()> {
    let message = match cli.command {
        _ if cli.is_sarif() => "a persistent worker reports as text or JSON, not SARIF",
        Command::Asm(_)
        | Command::Check(_)
        | Command::Image(_)
        | Command::Import(_)
        | Command::Obj(_) => return Ok(()),
        _ => "a persistent worker serves asm, check, image, import and obj only",
    };
    Err(Failure::Usage(message.into()))
}

/// Answers what is no request.
fn refuse(number: i64, problem: &str) {
    let output = format!("mir: this is no request: {problem}\n");
    respond(&json!({
        "exitCode": failure::WRONG_COMMAND,
        "output": output,
        "requestId": number,
    }));
}

/// Writes an answer, whole and at once. Without a reader there is nobody to serve.
fn respond(answer: &Value) {
    let line = format!("{answer}\n");
    let mut out = io::stdout().lock();
    if (out.write_all(line.as_bytes()).and_then(|()| out.flush())).is_err() {
        host::end(failure::WRONG_COMMAND.into());
    }
}

/// The requests that wait for a thread.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    requests: VecDeque<Request>,
    has_ended: bool,
}

impl Queue {
    fn add(&self, request: Request) {
        locked(&self.waiting).requests.push_back(request);
        self.changed.notify_one();
    }

    /// Says that no requests follow.
    fn end(&self) {
        locked(&self.waiting).has_ended = true;
        self.changed.notify_all();
    }

    /// Waits for the next request; returns nothing after the last one.
    fn next(&self) -> Option<Request> {
        let waits = |waiting: &mut Waiting| waiting.requests.is_empty() && !waiting.has_ended;
        let waiting = self.changed.wait_while(locked(&self.waiting), waits);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.requests.pop_front()
    }

    /// Removes a request that still waits; returns false if there is none of this number.
    fn remove(&self, number: i64) -> bool {
        let requests = &mut locked(&self.waiting).requests;
        let at = requests.iter().position(|request| request.number == number);
        at.and_then(|at| requests.remove(at)).is_some()
    }
}

/// Requests as they are read: JSON values one after the other, in lines or not.
struct Input<R> {
    bytes: R,
    /// The two bytes that were read last.
    last: [u8; 2],
    /// True if the last one is to be read once more.
    is_back: bool,
}

impl<R: BufRead> Read for Input<R> {
    /// Reads one byte.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(first) = buffer.get_mut(..1) else {
            return Ok(0);
        };
        if core::mem::take(&mut self.is_back) {
            first[0] = self.last[1];
            return Ok(1);
        }
        let count = self.bytes.read(first)?;
        if count > 0 {
            self.last = [self.last[1], first[0]];
        }
        Ok(count)
    }
}

impl<R: BufRead> Input<R> {
    fn new(bytes: R) -> Input<R> {
        let (last, is_back) = ([0; 2], false);
        Input {
            bytes,
            last,
            is_back,
        }
    }

    /// Reads the next request, and nothing after its end; returns nothing at the end of the input.
    /// An error has the number that it is to be answered with, and what is wrong.
    fn next(&mut self) -> Option<Result<Request, (i64, String)>> {
        // The parser takes single bytes.
        let read = Deserializer::from_reader(&mut *self).into_iter().next()?;
        let read = read.map_err(|error| {
            self.skip_line();
            (0, error.to_string())
        });
        Some(read.and_then(|value: Value| Request::new(&value)))
    }

    /// Skips the rest of a line with an error. The parser may have seen the end of the line, and
    /// the first byte of the next.
    fn skip_line(&mut self) {
        match self.last {
            [_, b'\n'] => {}
            [b'\n', b'{'] => self.is_back = true,
            // If the input cannot be read, it has ended.
            _ => drop(self.bytes.skip_until(b'\n')),
        }
    }
}

impl Request {
    /// Reads the fields of a request; those that are missing have their defaults.
    fn new(value: &Value) -> Result<Request, (i64, String)> {
        let number = value.get("requestId").map_or(Some(0), Value::as_i64);
        let wrong = |problem: &str| (number.unwrap_or(0), problem.to_owned());
        let fields = value.as_object().ok_or_else(|| wrong("it is no object"))?;
        let text = |value: &Value| value.as_str().map(OsString::from);
        let words = fields.get("arguments").map_or(Some(Vec::new()), |words| {
            words.as_array()?.iter().map(text).collect()
        });
        let directory = fields.get("sandboxDir");
        let directory = directory.map_or(Some(OsString::new()), text);
        let is_cancel = fields.get("cancel").map_or(Some(false), Value::as_bool);
        Ok(Request {
            number: number.ok_or_else(|| wrong("`requestId` is no number"))?,
            words: words.ok_or_else(|| wrong("`arguments` is no list of strings"))?,
            directory: directory
                .map(PathBuf::from)
                .ok_or_else(|| wrong("`sandboxDir` is no string"))?,
            is_cancel: is_cancel.ok_or_else(|| wrong("`cancel` is neither true nor false"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, Queue, Request};

    /// Reads all requests: the number of each, or the number and what is wrong.
    fn read(text: &str) -> Vec<Result<i64, (i64, String)>> {
        let mut input = Input::new(text.as_bytes());
        let next = || Some(input.next()?.map(|request| request.number));
        core::iter::from_fn(next).collect()
    }

    #[test]
    fn requests_come_one_after_the_other_or_in_lines() {
        let text = "{\"requestId\":1}{\"requestId\" : 2}\n\n {\n\"requestId\":3\n} {}";
        assert_eq!(read(text), [Ok(1), Ok(2), Ok(3), Ok(0)]);
        assert_eq!(read(" \n"), []);
    }

    #[test]
    fn an_error_of_syntax_ends_with_its_line() {
        for wrong in [
            "{",
            "}",
            "{\"a\": \"",
            "[1, {]",
            "nul",
            "\u{1}",
            &"[".repeat(1 << 20),
        ] {
            let text = format!("{wrong} x}}\n{{\"requestId\":4}}");
            let read = read(&text);
            assert!(
                matches!(read[..], [Err((0, _)), Ok(4)]),
                "{wrong:.20}: {read:?}"
            );
        }
        assert!(matches!(read("{\"requestId\": 1")[..], [Err((0, _))]));
    }

    #[test]
    fn fields_of_the_wrong_type_are_told_with_the_number() {
        for (fields, number, told) in [
            ("\"requestId\":5,\"arguments\":3", 5, "arguments"),
            ("\"requestId\":6,\"arguments\":[3]", 6, "arguments"),
            ("\"requestId\":7,\"sandboxDir\":null", 7, "sandboxDir"),
            ("\"requestId\":8,\"cancel\":0", 8, "cancel"),
            ("\"requestId\":\"9\"", 0, "requestId"),
        ] {
            match &read(&format!("{{{fields}}} {{}}"))[..] {
                [Err((said, problem)), Ok(0)] => {
                    assert!(*said == number && problem.contains(told), "{problem}");
                }
                other => panic!("{fields}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_waits_can_be_given_up() {
        let queue = Queue::default();
        for number in [1, 2, 3] {
            queue.add(Request {
                number,
                ..Request::default()
            });
        }
        assert!(queue.remove(2) && !queue.remove(2));
        queue.end();
        let numbers = core::iter::from_fn(|| queue.next()).map(|request| request.number);
        assert!(numbers.eq([1, 3]));
    }
}
