//! `lsp`: the language server, as editors talk to it over its standard input and output.

use super::words;
use core::time::Duration;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use testkit::readers::alter;

/// The longest that the server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

const URI: &str = "file:///folder/program.mir";

/// An editor that talks to a server.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    requests: u64,
    version: u64,
}

/// Reads a message: a head with its length, an empty line, the content.
fn message(from: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut len = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => len = number.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut content = vec![0; len.unwrap()];
    from.read_exact(&mut content).unwrap();
    Some(serde_json::from_slice(&content).unwrap())
}

impl Editor {
    /// Starts a server.
    fn new() -> Editor {
        let mut server = Command::new(&words()[0])
            .args(&words()[1..])
            .args(["lsp", "--target=x86_64"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = server.stdin.take().unwrap();
        let mut stdout = BufReader::new(server.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            while let Some(message) = message(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (requests, version) = (0, 0);
        let mut editor = Editor {
            server,
            to,
            from,
            requests,
            version,
        };
        let answer = editor.ask("initialize", &json!({ "capabilities": {} }));
        let able = &answer["capabilities"];
        for feature in ["hover", "definition", "references", "documentFormatting"] {
            assert_eq!(able[format!("{feature}Provider")], true, "{able}");
        }
        assert_eq!(able["textDocumentSync"]["change"], 1);
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let content = message.to_string();
        write!(
            self.to,
            "Content-Length: {}\r\n\r\n{content}",
            content.len()
        )
        .unwrap();
        self.to.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        self.from.recv_timeout(PATIENCE).unwrap()
    }

    /// Sends a request; returns the whole answer.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let answer = self.receive();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Sends a request; returns the result.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let mut answer = self.request(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Sends a request on a text, or a place in it.
    fn ask_at(&mut self, method: &str, place: Option<(u32, u32)>) -> Value {
        let mut params = json!({
            "textDocument": { "uri": URI },
            "context": { "includeDeclaration": true, "triggerKind": 1 },
            "options": { "tabSize": 8, "insertSpaces": false },
        });
        if let Some((line, character)) = place {
            params["position"] = json!({ "line": line, "character": character });
        }
        self.ask(&format!("textDocument/{method}"), &params)
    }

    /// Returns the diagnostics of the latest version of the text.
    fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let told = self.receive();
            if told["method"] == "textDocument/publishDiagnostics" {
                let params = &told["params"];
                assert_eq!(params["uri"], URI);
                if params["version"] == self.version {
                    return params["diagnostics"].as_array().unwrap().clone();
                }
            }
        }
    }

    /// Opens a text; returns its diagnostics.
    fn open(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({
            "uri": URI, "languageId": "mir", "version": self.version, "text": text,
        });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
        self.diagnostics()
    }

    /// Changes the text; returns its diagnostics.
    fn change(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", &params);
        self.diagnostics()
    }

    /// Ends the server as editors do.
    fn quit(mut self) -> ExitStatus {
        assert_eq!(self.ask("shutdown", &Value::Null), Value::Null);
        self.tell("exit", &Value::Null);
        self.server.wait().unwrap()
    }
}

/// Returns the range from one unit to another of a line, all counted from 0.
fn range(line: u32, from: u32, to: u32) -> Value {
    json!({
        "start": { "line": line, "character": from },
        "end": { "line": line, "character": to },
    })
}

/// Returns the ranges of locations in the text.
fn ranges(locations: &Value) -> Vec<Value> {
    let all = locations.as_array().unwrap().iter();
    let uris = all.clone().all(|location| location["uri"] == URI);
    assert!(uris, "{locations}");
    all.map(|location| location["range"].clone()).collect()
}

const PROGRAM: &str = "\
one: module
 export f, cell
cell: i64 1
f: func i64, i64:n # counts n down
 local i64:r
 mov r, 0
again: add r, r, n; sub n, n, 1
 bgt again, n, 0
 ret r
 endfunc
 endmodule
two: module
 import f
p_f: proto i64, i64:n
main: func i64
 local i64:r
 call p_f, f, r, 3
 ret r
 endfunc
 endmodule
";

/// Errors have their places in UTF-16 units, and go when the text is right.
#[test]
fn editors_are_told_what_is_wrong() {
    let mut editor = Editor::new();
    // The character in the string has four bytes, and is two units.
    let wrong = "m: module\nf: func i64, i64:x\n local i64:t\n mov t, \"\u{1f600}\"; ad x, x, 1\n ret x\n\
 endfunc\nf: func\n endfunc\n endmodule\n";
    let found = editor.open(wrong);
    assert_eq!(found.len(), 2, "{found:?}");
    let misspelt = &found[0];
    assert_eq!(misspelt["range"], range(3, 14, 16));
    assert_eq!(
        (
            &misspelt["severity"],
            &misspelt["code"],
            &misspelt["source"]
        ),
        (&json!(1), &json!("E0012"), &json!("mir"))
    );
    assert!(misspelt["message"].as_str().unwrap().contains("`add`"));
    let repeated = &found[1];
    assert_eq!(
        (&repeated["range"], &repeated["code"]),
        (&range(6, 0, 1), &json!("E0051"))
    );
    let first = &repeated["relatedInformation"][0]["location"];
    assert_eq!(
        (&first["uri"], &first["range"]),
        (&json!(URI), &range(1, 0, 1))
    );

    let params = json!({
        "textDocument": { "uri": URI },
        "range": range(3, 15, 15),
        "context": { "diagnostics": [] },
    });
    let actions = editor.ask("textDocument/codeAction", &params);
    let edits = &actions[0]["edit"]["changes"][URI];
    assert_eq!(
        edits,
        &json!([{ "range": range(3, 14, 16), "newText": "add" }])
    );

    let right = wrong
        .replace("ad x", "add x")
        .replace("\nf: func\n", "\ng: func\n");
    assert_eq!(editor.change(&right), [Value::Null; 0]);
    // The verifier's, and warnings.
    let found = editor.change(&right.replace("add x, x, 1", "mov 5, x"));
    assert_eq!(found[0]["code"], "E0072", "{found:?}");
    let warned = editor.change("m: module\n forward x\n endmodule\n");
    assert_eq!(
        (&warned[0]["severity"], &warned[0]["code"]),
        (&json!(2), &json!("W0003"))
    );
    let document = json!({ "textDocument": { "uri": URI } });
    editor.tell("textDocument/didSave", &document);
    assert_eq!(editor.diagnostics(), warned);
    editor.tell("textDocument/didClose", &document);
    let told = editor.receive();
    assert_eq!(told["params"]["diagnostics"], json!([]));
    assert!(editor.quit().success());
}

#[test]
fn words_and_names_are_explained() {
    let mut editor = Editor::new();
    assert_eq!(editor.open(PROGRAM), [Value::Null; 0]);
    let mut shown = |line, character| {
        let hover = editor.ask_at("hover", Some((line, character)));
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        (text.to_owned(), hover["range"].clone())
    };
    let (text, place) = shown(6, 20);
    assert!(
        text.contains("| `sub` | 39 | **i**, i, i | r = a - b | |"),
        "{text}"
    );
    assert_eq!(place, range(6, 20, 23));
    let (text, _) = shown(12, 2);
    assert!(
        text.contains("the item is defined by another module"),
        "{text}"
    );
    let (text, place) = shown(4, 8);
    assert!(text.contains("signed integers"), "{text}");
    assert_eq!(place, range(4, 7, 10));
    let (text, place) = shown(5, 5);
    assert_eq!(text, "```mir\nlocal i64:r\n```\nvariable, line 5");
    assert_eq!(place, range(5, 5, 6));
    // The import leads to the module that exports it.
    let (text, _) = shown(16, 11);
    let line = "f: func i64, i64:n # counts n down";
    assert_eq!(text, format!("```mir\n{line}\n```\nfunction, line 4"));
    assert_eq!(shown(5, 8).1, Value::Null);
    assert!(editor.quit().success());
}

#[test]
fn names_lead_to_their_definitions_and_uses() {
    let mut editor = Editor::new();
    editor.open(PROGRAM);
    let place = editor.ask_at("definition", Some((16, 11)));
    assert_eq!(
        (&place["uri"], &place["range"]),
        (&json!(URI), &range(3, 0, 1))
    );
    let place = editor.ask_at("definition", Some((7, 6)));
    assert_eq!(place["range"], range(6, 0, 5));
    assert_eq!(editor.ask_at("definition", Some((7, 2))), Value::Null);

    let places = editor.ask_at("references", Some((6, 1)));
    assert_eq!(ranges(&places), [range(6, 0, 5), range(7, 5, 10)]);
    // Of one function, not of the other.
    let places = editor.ask_at("references", Some((15, 11)));
    assert_eq!(
        ranges(&places),
        [range(15, 11, 12), range(16, 14, 15), range(17, 5, 6)]
    );
    // From module to module.
    let places = editor.ask_at("references", Some((3, 0)));
    let wanted = [
        range(1, 8, 9),
        range(3, 0, 1),
        range(12, 8, 9),
        range(16, 11, 12),
    ];
    assert_eq!(ranges(&places), wanted);

    let outline = editor.ask_at("documentSymbol", None);
    let names = |symbols: &Value| -> Vec<String> {
        let symbols = symbols.as_array().unwrap().iter();
        symbols
            .map(|symbol| symbol["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&outline), ["one", "two"]);
    assert_eq!(names(&outline[0]["children"]), ["cell", "f"]);
    assert_eq!(names(&outline[1]["children"]), ["p_f", "main"]);
    let function = &outline[0]["children"][1]["range"];
    assert_eq!(function["end"], json!({ "line": 9, "character": 8 }));
    assert!(editor.quit().success());
}

#[test]
fn what_may_be_written_is_completed() {
    let mut editor = Editor::new();
    editor.open(PROGRAM);
    let mut labels = |text: &str| -> Vec<String> {
        // The place is the bar's.
        let (before, after) = text.split_once('|').unwrap();
        editor.change(&format!("{before}{after}"));
        let line = before.matches('\n').count() as u32;
        let column = before.rsplit('\n').next().unwrap().len() as u32;
        let items = editor.ask_at("completion", Some((line, column)));
        let items = items.as_array().unwrap().iter();
        items
            .map(|item| item["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let has = |labels: &[String], word: &str| labels.iter().any(|label| label == word);
    let found = labels(&PROGRAM.replace("mov r, 0", "mo|"));
    assert!(has(&found, "mov") && has(&found, "local") && !has(&found, "func"));
    let found = labels(&PROGRAM.replace("sub n, n, 1", "|"));
    assert!(has(&found, "sub") && has(&found, "endfunc") && !has(&found, "r"));
    let found = labels(&PROGRAM.replace("p_f: proto", "p_f: pr|"));
    assert!(has(&found, "proto") && has(&found, "i64") && !has(&found, "mov"));
    assert_eq!(labels(&format!("{PROGRAM}m: |")), ["module"]);
    let found = labels(&PROGRAM.replace("add r, r, n", "add r, r, |"));
    assert!(
        ["r", "n", "again", "cell", "u8"]
            .iter()
            .all(|name| has(&found, name))
    );
    assert!(!has(&found, "main") && !has(&found, "mov"));
    let found = labels(&PROGRAM.replace("call p_f, f, r, 3", "call p_f, f|, r, 3"));
    assert!(has(&found, "f") && has(&found, "r") && has(&found, "p_f"));
    assert!(!has(&found, "n") && !has(&found, "again") && !has(&found, "cell"));
    assert!(labels(&PROGRAM.replace("n down", "n d|own")).is_empty());
    assert!(labels(&PROGRAM.replace("mov r, 0", "mov r, \"a|\"")).is_empty());

    editor.change(&PROGRAM.replace("mov r, 0", "mo"));
    let items = editor.ask_at("completion", Some((5, 3)));
    let mut items = items.as_array().unwrap().iter();
    let mov = items.find(|item| item["label"] == "mov").unwrap();
    assert_eq!(
        mov["textEdit"],
        json!({ "range": range(5, 1, 3), "newText": "mov" })
    );
    assert_eq!(mov["detail"], "i, i: r = a, 64 bits");
    assert!(editor.quit().success());
}

/// Formatting is what `mir fmt` does; a wrong program stays.
#[test]
fn texts_are_laid_out() {
    let mut editor = Editor::new();
    editor.open(PROGRAM);
    let edits = editor.ask_at("formatting", None);
    let formatted = mir!(PROGRAM, "fmt");
    let whole = json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": 20, "character": 0 },
    });
    assert_eq!(
        edits,
        json!([{ "range": whole, "newText": formatted.text() }])
    );
    editor.change(formatted.text());
    assert_eq!(editor.ask_at("formatting", None), json!([]));
    editor.change(&PROGRAM.replace("mov r", "mov"));
    assert_eq!(editor.ask_at("formatting", None), json!([]));
    assert!(editor.quit().success());
}

/// Returns the wrong programs of the tests that are text.
fn wrong_programs() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    files.sort_by_key(std::fs::DirEntry::path);
    let contents = files
        .iter()
        .filter_map(|file| std::fs::read(file.path()).ok());
    contents.collect()
}

#[test]
fn altered_texts_do_no_harm() {
    let mut editor = Editor::new();
    editor.open("");
    let programs = wrong_programs();
    let mut random = fastrand::Rng::with_seed(1);
    let start = Instant::now();
    for round in 0.. {
        if round >= programs.len() && start.elapsed() > Duration::from_secs(4) {
            break;
        }
        let mut bytes = programs[round % programs.len()].clone();
        if round >= programs.len() {
            let other = &programs[random.usize(..programs.len())];
            alter(&mut bytes, other, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        editor.change(&text);
        let lines = text.lines().count() as u32;
        for method in ["hover", "definition", "references", "completion"] {
            let place = (random.u32(..lines + 2), random.u32(..40));
            editor.ask_at(method, Some(place));
        }
        editor.ask_at("formatting", None);
        editor.ask_at("documentSymbol", None);
    }
    assert!(editor.quit().success());
}

/// Times grow as the text does.
#[test]
fn long_texts_are_served() {
    use core::fmt::Write;
    let mut editor = Editor::new();
    editor.open("");
    let mut text = String::from("m: module\n");
    for number in 0..1000 {
        let _ = write!(
            text,
            "f{number}: func i64, i64:x\n local i64:r\n mov r, x\n"
        );
        let _ = write!(
            text,
            "L{number}: add r, r, 1\n sub x, x, 1\n bgt L{number}, x, 0\n"
        );
        text += " mul r, r, r\n mul r, r, 2\n ret r\n endfunc\n";
    }
    text += " endmodule\n";
    let start = Instant::now();
    assert_eq!(editor.change(&text), [Value::Null; 0]);
    let place = Some((9996, 5));
    assert_eq!(
        editor.ask_at("references", place).as_array().unwrap().len(),
        2
    );
    assert!(
        !editor
            .ask_at("completion", place)
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        editor.ask_at("documentSymbol", None)[0]["children"][999]["name"],
        "f999"
    );
    // Many names in one line take no longer. All of it takes about a second without optimisation.
    let line = text.replace('\n', "; ");
    assert_eq!(editor.change(&line), [Value::Null; 0]);
    let place = Some((0, line.find("x,").unwrap() as u32));
    assert_eq!(
        editor.ask_at("references", place).as_array().unwrap().len(),
        5
    );
    let wrong = line.replace("mul r, r, 2", "mul 2, r, 2");
    assert_eq!(editor.change(&wrong).len(), 1000);
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
    println!("texts of 10,000 statements: {:?}", start.elapsed());
    assert!(editor.quit().success());
}

#[test]
fn what_is_not_the_protocol_is_told() {
    let mut editor = Editor::new();
    let unknown = editor.request("textDocument/unheardOf", &json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let unfit = editor.request("textDocument/hover", &json!({ "position": 5 }));
    assert_eq!(unfit["error"]["code"], -32602);
    // Texts that are not open have nothing.
    assert_eq!(editor.ask_at("hover", Some((0, 0))), Value::Null);
    editor.tell("textDocument/didChange", &json!(5));
    assert_eq!(editor.open("m: module\n endmodule\n"), [Value::Null; 0]);
    assert!(editor.quit().success());

    let ended = mir!("no head\r\n\r\n", "lsp");
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert!(
        ended.err.starts_with("mir: standard input: "),
        "{}",
        ended.err
    );
    // An editor that dies takes its server along.
    let mut editor = Editor::new();
    drop(editor.to);
    assert_eq!(editor.server.wait().unwrap().code(), Some(2));
}
