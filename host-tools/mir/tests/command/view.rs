//! `mir view`: the data of its pages, and the pages in a real browser.

use super::{directory, example, words};
use core::fmt::Write;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Three loops, one in another, of which the lines are known; the innermost runs 4 * 3 times.
const LOOPS: &str = "m: module
 export main
main: func i64
 local i64:i, i64:j, i64:s
 mov s, 0; mov i, 0
outer: mov j, 0
inner: add s, s, j
 add j, j, 1
 blt inner, j, 3
 add i, i, 1
 blt outer, i, 4
last: sub s, s, 12
 bgt last, s, 0
 ret s
 endfunc
 endmodule
";

/// Returns the program with as many iterations of the first two loops as the argument says, so that
/// no level writes them out.
fn counted() -> String {
    LOOPS
        .replace("func i64", "func i64, i64:n")
        .replace("inner, j, 3", "inner, j, n")
        .replace("outer, i, 4", "outer, i, n")
}

/// A function with so many values in a loop that no ISA has a register for each.
fn crowded() -> String {
    let list = |each: &dyn Fn(usize) -> String| (0..40).map(each).collect::<String>();
    let locals = list(&|v| format!(", i64:v{v}"));
    let loads = list(&|v| format!(" mov v{v}, i64:{}(a)\n", 8 * v));
    let sums = list(&|v| format!(" add v{v}, v{v}, v{}\n", (v * 7 + 3) % 40));
    let total = list(&|v| format!(" add t, t, v{v}\n"));
    format!(
        "m: module\n import h\np: proto i64, i64:a\n export f\nf: func i64, i64:n, p:a\n \
         local i64:t{locals}\n{loads}again: ble done, n, 0\n{sums} sub n, n, 1\n jmp again\n\
         done: call p, h, t, n\n{total} ret t\n endfunc\n endmodule\n"
    )
}

/// Returns the data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script id=\"data\" type=\"application/json\">")
        .unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn view(program: &str, options: &[&str]) -> Value {
    let options: Vec<&dyn AsRef<std::ffi::OsStr>> = { ["view"].iter().chain(options) }
        .map(|option| option as &dyn AsRef<std::ffi::OsStr>)
        .collect();
    let made = super::mir_with(program.as_bytes(), &options, None);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    data(made.text())
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn numbers(value: &Value) -> Vec<u64> {
    array(value)
        .iter()
        .map(|value| value.as_u64().unwrap())
        .collect()
}

/// The blocks after a stage: number, loop depth, successors, records of instructions.
type Blocks = Vec<(u64, u64, Vec<u64>, Vec<usize>)>;

/// Returns the blocks after each stage of a build.
fn stages(build: &Value) -> Vec<(String, Blocks)> {
    let mut all: Vec<(String, Blocks)> = Vec::new();
    for stage in array(&build["stages"]) {
        let name = stage["name"].as_str().unwrap().to_owned();
        let blocks = match stage.get("blocks") {
            None => all.last().unwrap().1.clone(),
            Some(blocks) => { array(blocks).iter() }
                .map(|block| {
                    let runs = numbers(&block[3]);
                    let run = |run: &[u64]| run[0] as usize..(run[0] + run[1]) as usize;
                    let records = runs.chunks(2).flat_map(run).collect();
                    let number = |at: usize| block[at].as_u64().unwrap();
                    (number(0), number(1), numbers(&block[2]), records)
                })
                .collect(),
        };
        all.push((name, blocks));
    }
    all
}

#[test]
fn every_isa_and_level_has_its_stages_and_code() {
    // An emulator takes its time.
    let (levels, count) = match words().len() {
        1 => ("-O0,1,2,3", 20),
        _ => ("-O0,2", 10),
    };
    let shown = view(LOOPS, &["--on", "all", levels]);
    let builds = array(&shown["builds"]);
    assert_eq!(builds.len(), count);
    let function = &shown["functions"][0];
    assert_eq!(
        (&function["name"], &function["line"]),
        (&"main".into(), &3.into())
    );
    for (build, made) in builds.iter().zip(array(&function["builds"])) {
        let isa = build["isa"].as_str().unwrap();
        let level = format!("-O{}", build["level"]);
        // The names of the stages as the compiler itself tells them.
        let machine = mir!(
            LOOPS,
            "machine",
            "--target",
            isa,
            level,
            "--print-after",
            "all"
        );
        let told: Vec<&str> = { machine.err.lines() }
            .filter_map(|line| Some(line.strip_prefix("; ")?.split_once(" after ")?.1))
            .collect();
        let stages = stages(made);
        let names: Vec<&str> = stages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, told, "{isa} {level}");
        // The code as `mir disasm` lists it, whose bytes LLVM judges elsewhere.
        let listed = mir!(LOOPS, "disasm", "--target", isa, level);
        let listed: Vec<String> = { listed.text().lines() }
            .filter_map(|line| {
                Some(
                    line.get(8..38)
                        .filter(|_| line.starts_with(' '))?
                        .trim()
                        .into(),
                )
            })
            .collect();
        let code = array(&made["code"]);
        let bytes: Vec<&str> = code.iter().map(|row| row[1].as_str().unwrap()).collect();
        assert_eq!(bytes, listed, "{isa} {level}");
        let len: usize = bytes.iter().map(|bytes| bytes.split(' ').count()).sum();
        assert_eq!(made["bytes"], len, "{isa} {level}");
        // All code is that of an instruction of the last stage.
        let blocks = &stages.last().unwrap().1;
        let last: BTreeSet<u64> = { blocks.iter() }
            .flat_map(|block| block.3.iter().map(|&record| made["insns"][record].as_u64()))
            .map(Option::unwrap)
            .collect();
        let made_of = |row: &Value| last.contains(&row[3].as_u64().unwrap());
        assert!(code.iter().all(made_of), "{isa} {level}");
    }
}

#[test]
fn lines_are_followed_from_the_source_to_the_code() {
    let shown = view(&counted(), &["--on", "all", "-O0,2"]);
    for (build, made) in array(&shown["builds"])
        .iter()
        .zip(array(&shown["functions"][0]["builds"]))
    {
        let statements: BTreeSet<u64> = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14].into();
        for (name, blocks) in stages(made) {
            let records = blocks.iter().flat_map(|block| &block.3);
            let lines = records.map(|&record| made["lines"][record].as_u64().unwrap());
            let lines: BTreeSet<u64> = lines.filter(|&line| line != 0).collect();
            assert!(lines.is_subset(&statements), "{build} {name}: {lines:?}");
            // The work of loops stays, whatever stages make of it.
            for line in [7, 8, 9, 10, 11, 12, 13] {
                assert!(lines.contains(&line), "{build} {name}: {lines:?}");
            }
        }
        let code = array(&made["code"]).iter();
        let lines: BTreeSet<u64> = code.filter_map(|row| row[4].as_u64()).collect();
        assert!(
            lines.contains(&7) && lines.contains(&12),
            "{build}: {lines:?}"
        );
    }
}

#[test]
fn blocks_have_their_loop_depth_and_edges_and_are_drawn() {
    let shown = view(&counted(), &["--on", "all", "-O0,2"]);
    for (build, made) in array(&shown["builds"])
        .iter()
        .zip(array(&shown["functions"][0]["builds"]))
    {
        for (stage, (name, blocks)) in stages(made).into_iter().enumerate() {
            // The innermost instruction on each line tells the block.
            let depth_of = |line: u64| {
                let has = |block: &&(u64, u64, Vec<u64>, Vec<usize>)| {
                    block.3.iter().any(|&record| made["lines"][record] == line)
                };
                blocks
                    .iter()
                    .filter(has)
                    .map(|block| block.1)
                    .max()
                    .unwrap()
            };
            assert_eq!(blocks[0].1, 0, "{build} {name}");
            let depths = [7, 10, 12, 14].map(depth_of);
            assert_eq!(depths, [2, 1, 1, 0], "{build} {name}");
            let graph = &made["graphs"][made["stages"][stage]["graph"].as_u64().unwrap() as usize];
            let drawn: BTreeSet<u64> = { array(&graph["nodes"]).iter() }
                .map(|node| node[0].as_u64().unwrap())
                .collect();
            assert!(
                blocks.iter().all(|block| drawn.contains(&block.0)),
                "{build} {name}"
            );
            let edges = blocks
                .iter()
                .flat_map(|block| block.2.iter().map(|&to| (block.0, to)));
            let paths: BTreeSet<(u64, u64)> = { array(&graph["edges"]).iter() }
                .map(|edge| (edge[0].as_u64().unwrap(), edge[1].as_u64().unwrap()))
                .collect();
            assert_eq!(edges.collect::<BTreeSet<_>>(), paths, "{build} {name}");
            // The entry is above all that it leads to.
            let tops = array(&graph["nodes"])
                .iter()
                .map(|node| node[2].as_i64().unwrap());
            assert_eq!(tops.clone().min(), tops.clone().next(), "{build} {name}");
        }
    }
}

/// The first argument of a function is in the register that the platform's convention says.
#[test]
fn arguments_begin_in_the_registers_of_the_convention() {
    let add = "m: module\n export f\nf: func i64, i64:a, i64:b\n add a, a, b\n ret a\n endfunc\n endmodule\n";
    let shown = view(add, &["--on", "all", "-O0,1,2,3"]);
    let made = array(&shown["functions"][0]["builds"]);
    for (build, made) in array(&shown["builds"]).iter().zip(made) {
        let first = match build["isa"].as_str().unwrap() {
            "x86_64" => "rdi",
            "aarch64" => "x0",
            "ppc64le" => "x3",
            "riscv64" => "x10",
            _ => "r2d",
        };
        let registers = &made["registers"];
        let rows: Vec<&str> = { array(&registers["rows"]).iter() }
            .map(|row| row[0].as_str().unwrap())
            .collect();
        let row = rows.iter().position(|&row| row == first);
        assert!(row.is_some(), "{build}: {rows:?}");
        let bars = array(&registers["bars"]);
        let starts = bars.iter().filter(|bar| bar[3] == row.unwrap());
        // Something is there from the first instructions on.
        assert!(
            starts.clone().any(|bar| bar[1].as_u64() < Some(8)),
            "{build}: {registers}"
        );
        assert!(
            array(&registers["moves"])
                .iter()
                .all(|step| step[1] == "copy"),
            "{build}"
        );
    }
}

#[test]
fn values_without_a_register_are_in_the_frame() {
    let program = crowded();
    let shown = view(&program, &["--on", "all", "-O0,1,2"]);
    let made = array(&shown["functions"][0]["builds"]);
    for (build, made) in array(&shown["builds"]).iter().zip(made) {
        let registers = &made["registers"];
        let kinds: BTreeSet<&str> = { array(&registers["moves"]).iter() }
            .map(|step| step[1].as_str().unwrap())
            .collect();
        assert!(
            kinds.contains("spill") && kinds.contains("reload"),
            "{build}: {kinds:?}"
        );
        let rows = array(&registers["rows"]);
        let in_frame = rows.iter().filter(|row| row[1] == "frame").count();
        assert!(in_frame > 0, "{build}");
        // Each bar lies within the function and has a row.
        let end = registers["end"].as_u64().unwrap();
        for bar in array(&registers["bars"]) {
            let [start, stop] = [1, 2].map(|at| bar[at].as_u64().unwrap());
            assert!(start < stop && stop <= end, "{build}: {bar}");
            assert!(
                bar[3].as_u64().unwrap() < rows.len() as u64,
                "{build}: {bar}"
            );
        }
        // The frame has the spill slots, with the values in each.
        let slots: Vec<&Value> = { array(&made["frame"]["objects"]).iter() }
            .filter(|object| object["kind"] == "spill slot")
            .collect();
        assert!(!slots.is_empty(), "{build}");
        assert!(
            slots.iter().all(|slot| slot["bytes"] == 8),
            "{build}: {slots:?}"
        );
        // Calls preserve some registers, which then are saved.
        assert!(
            !array(&made["frame"]["saved"]).is_empty() || build["level"] == 0,
            "{build}"
        );
    }
}

#[test]
fn profiles_count_blocks_in_every_engine() {
    let directory = directory("view-profile");
    let file = directory.join("loops.mir");
    std::fs::write(&file, LOOPS).unwrap();
    for engine in ["--interp", "--jit", "--lazy"] {
        let profile = directory.join("profile");
        let ran = mir!("", "run", engine, "--profile", profile, file);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{engine}");
        // s is 4 * (0 + 1 + 2) = 12 after the loops, so the last loop runs once.
        let text = std::fs::read_to_string(&profile).unwrap();
        let expected = "main 0 1\nmain 3 4\nmain 5 12\nmain 8 4\nmain 11 1\nmain 13 1\n";
        assert_eq!(text, expected, "{engine}");
        let page = mir!("", "view", "-O2", "--profile", profile, file);
        let shown = data(page.text());
        let ran = array(&shown["functions"][0]["ran"]).iter();
        let ran: Vec<Vec<u64>> = ran.map(numbers).collect();
        let expected = [
            [5, 1],
            [6, 4],
            [7, 12],
            [8, 12],
            [9, 12],
            [10, 4],
            [11, 4],
            [12, 1],
            [13, 1],
            [14, 1],
        ];
        assert_eq!(ran, expected, "{engine}");
    }
    std::fs::write(directory.join("profile"), "main 3\n").unwrap();
    let wrong = mir!("", "view", "--profile", directory.join("profile"), file);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.err.contains("profile:1: a line of a profile is"),
        "{}",
        wrong.err
    );
}

#[test]
fn binary_files_and_llvm_ir_are_shown_as_text() {
    let binary = mir!(LOOPS, "asm");
    let page = super::mir_with(&binary.out, &[&"view", &"-O2"], None);
    let shown = data(page.text());
    let lines: Vec<&str> = { array(&shown["source"]["lines"]).iter() }
        .map(|line| line.as_str().unwrap())
        .collect();
    assert_eq!(shown["source"]["language"], "Medium IR");
    let at = shown["functions"][0]["line"].as_u64().unwrap() as usize;
    assert!(lines[at - 1].starts_with("main:\tfunc"), "{lines:?}");
    let ll = "define i64 @twice(i64 %n) {\n  %r = mul i64 %n, %n\n  %s = add i64 %r, 7\n  ret i64 %s\n}\n";
    let shown = view(ll, &["-O2"]);
    assert_eq!(shown["source"]["language"], "LLVM IR");
    let code = array(&shown["functions"][0]["builds"][0]["code"]);
    let lines: BTreeSet<u64> = code.iter().filter_map(|row| row[4].as_u64()).collect();
    assert!(lines.contains(&2) && lines.contains(&3), "{code:?}");
}

#[test]
fn what_a_program_says_stays_text() {
    let program = LOOPS.replace("m: module", "m: module # </script><!-- <b> \"&amp;\"");
    let made = mir!(program, "view", "-O0");
    assert_eq!(made.text().matches("</script>").count(), 2);
    let line = data(made.text())["source"]["lines"][0].clone();
    assert_eq!(line, "m: module # </script><!-- <b> \"&amp;\"");
    for address in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!made.text().contains(address), "{address}");
    }
}

#[test]
fn wrong_requests_are_told() {
    let missing = mir!(LOOPS, "view", "--function", "foo");
    assert_eq!((missing.status, missing.out.len()), (2, 0));
    assert!(
        missing.err.contains("no function is named foo"),
        "{}",
        missing.err
    );
    let wrong = mir!(LOOPS.replace("ret s", "ret x"), "view");
    assert_eq!((wrong.status, wrong.out.len()), (1, 0));
    assert_eq!(mir!(LOOPS, "view", "-O4").status, 2);
    assert_eq!(
        mir!(LOOPS, "view", "--on", "all", "--target", "s390x").status,
        2
    );
}

// ---- in a browser

/// The start of a script in a page: it collects what is wrong, and notes what is found.
const TELL: &str = "
const told = [];
const tell = (...words) => told.push(words.join(' '));
addEventListener('error', (event) => tell('error', event.message));
const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const wait = () => new Promise((done) => setTimeout(done, 60));
const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const hover = (at) => at.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
const finish = () => {
  const out = document.createElement('pre');
  out.id = 'told';
  out.textContent = told.join('\\n');
  document.body.replaceChildren(out);
};
";

/// Returns what a script tells of a page that a browser has opened; `None` if there is no browser,
/// or if this is an emulator.
fn browse(page: &Path, script: &str) -> Option<Vec<String>> {
    if words().len() != 1 {
        eprintln!("SKIPPED: a browser runs on this machine's own ISA only");
        return None;
    }
    let text = std::fs::read_to_string(page).unwrap();
    let script = format!(
        "<script>(async () => {{ {TELL} try {{ await wait();\n{script}\n}} catch (error) {{ \
         tell('error', error.stack); }} finish(); }})();</script>\n</body>"
    );
    let changed = page.with_extension("test.html");
    std::fs::write(&changed, text.replace("</body>", &script)).unwrap();
    let profile = tempfile(page, "browser");
    let mut chromium = Command::new("timeout");
    chromium.args([
        "120",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
    ]);
    chromium.args([
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ]);
    chromium.arg(format!("--user-data-dir={profile}"));
    chromium.args([
        "--window-size=1400,1000",
        "--virtual-time-budget=20000",
        "--dump-dom",
    ]);
    chromium.arg(format!("file://{}", changed.display()));
    let output = chromium.output().unwrap();
    if output.status.code() == Some(127) {
        eprintln!("SKIPPED: chromium is missing");
        return None;
    }
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = dom.split_once("<pre id=\"told\">");
    let Some((_, rest)) = found else {
        panic!("{dom}\n{}", String::from_utf8_lossy(&output.stderr));
    };
    let told = rest.split_once("</pre>").unwrap().0;
    Some(told.lines().map(str::to_owned).collect())
}

/// Returns the path of a new directory beside a page.
fn tempfile(page: &Path, name: &str) -> String {
    let path = page.with_extension(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path.display().to_string()
}

#[test]
fn a_browser_opens_every_tab_marks_what_belongs_together_and_searches() {
    let page = directory("view-browser").join("sieve.html");
    let made = mir!(
        "",
        "view",
        "--target",
        "x86_64",
        example("sieve.mir"),
        "-o",
        page
    );
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    let script = "
      for (const tab of ['graph', 'registers', 'frame', 'time', 'compare', 'code']) {
        $(`[data-tab=${tab}]`).click();
        await wait();
        tell(tab, $$('.pane').length > 0, $$('svg').length, $$('.row').length > 0, $$('tr').length, $$('.stack').length);
      }
      // The first statement of the loop, on line 11: `mov u8:(flags, i), 1`.
      const source = $$('[data-pane=source] .row').find((row) => row.textContent.includes('mov u8:(flags, i), 1'));
      hover(source);
      for (const pane of ['source', 'stage', 'machine']) {
        tell('line', pane, $$(`[data-pane=${pane}] .row.hot, [data-pane=${pane}] .row.same`).length > 0);
      }
      const store = $$('[data-pane=machine] .row.same').find((row) => row.textContent.includes('mov byte ptr'));
      tell('store', Boolean(store));
      hover(store);
      tell('exact', $$('[data-pane=stage] .row.hot').map((row) => row.textContent.includes('MOV8mi')).join());
      hover($$('.node')[2]);
      tell('block', $$('[data-pane=stage] .row.same').length > 0);
      press('1'); press('k'); press('k');
      await wait();
      tell('stage', $('[data-pane=stage] select').selectedOptions[0].text);
      press('d');
      await wait();
      tell('plain', $$('.row.added, .row.removed, .row.changed').length);
      const search = $('#search');
      search.value = 'prime';
      search.dispatchEvent(new Event('input'));
      await wait();
      tell('found', $('#matches').textContent, $$('.row.found').length > 0);
      search.value = '';
      search.dispatchEvent(new Event('input'));
      press(']');
      await wait();
      tell('function', $('#function').selectedOptions[0].text);
      press('t');
      tell('theme', document.documentElement.dataset.theme);
      press('?');
      tell('help', $('#keys').open);
      tell('text of the data', $('#data') !== null);
    ";
    let Some(told) = browse(&page, script) else {
        return;
    };
    let expected = "graph true 2 false 0 0
registers true 1 true 0 0
frame true 0 false 0 1
time true 0 false 41 0
compare true 0 true 0 0
code true 1 true 0 0
line source true
line stage true
line machine true
store true
exact true
block true
stage 37. branch-folding (no change)
plain 0
found 3 matches true
function main
theme dark
help true
text of the data false";
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(told, expected);
}

/// A chain of blocks, each of which may leave for the end, and a `switch` to as many: long edges
/// and a wide layer.
fn branched(blocks: usize) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..blocks).map(text).collect::<String>();
    let labels = each(&|number| format!(", c{number}"));
    let chain = each(&|number| {
        let text = format!("l{number}: mul s, s, 3\n add s, s, n\n bgt end, s, {number}\n");
        text + if number % 8 == 7 {
            " blt l0, s, 0\n"
        } else {
            ""
        }
    });
    let cases = each(&|number| format!("c{number}: add s, s, {number}\n jmp l0\n"));
    format!(
        "m: module\n export f\nf: func i64, i64:n\n local i64:s\n mov s, n\n switch n{labels}\n\
         {cases}{chain}end: ret s\n endfunc\n endmodule\n"
    )
}

/// Returns the numbers of a path: the coordinates of its points, across and down by turns.
fn coordinates(path: &str) -> Vec<f64> {
    let parts = path.split(|character: char| character != '-' && !character.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

#[test]
fn graphs_of_many_hundred_blocks_are_laid_out_in_layers() {
    let shown = view(&branched(300), &["-O0"]);
    let made = &shown["functions"][0]["builds"][0];
    let graph = &array(&made["graphs"])[0];
    let nodes: Vec<Vec<i64>> = { array(&graph["nodes"]).iter() }
        .map(|node| array(node).iter().map(|at| at.as_i64().unwrap()).collect())
        .collect();
    assert!(nodes.len() > 600, "{}", nodes.len());
    // No two blocks lie upon each other.
    let [width, height] = [0, 1].map(|at| graph["size"][at].as_f64().unwrap() as i64);
    for (index, one) in nodes.iter().enumerate() {
        for other in &nodes[index + 1..] {
            let apart = |at: usize, size| (one[at] - other[at]).abs() >= size;
            assert!(apart(1, width) || apart(2, height), "{one:?} {other:?}");
        }
    }
    // Each edge has a way, between the blocks that it joins.
    let (_, blocks) = &stages(made)[0];
    let edges = { blocks.iter() }.flat_map(|block| block.2.iter().map(|&to| (block.0, to)));
    let mut expected: BTreeSet<(u64, u64)> = edges.collect();
    let near = |block: u64, x: f64, y: f64| {
        let node = { nodes.iter() }
            .find(|node| node[0] as u64 == block)
            .unwrap();
        let within = |value, least: i64, size| (-2..=size + 2).contains(&(value as i64 - least));
        within(x, node[1], width) && within(y, node[2], height)
    };
    for edge in array(&graph["edges"]) {
        let [from, to] = [0, 1].map(|at| edge[at].as_u64().unwrap());
        assert!(expected.remove(&(from, to)), "{edge}");
        let way = coordinates(edge[2].as_str().unwrap());
        let [.., x, y] = way[..] else {
            panic!("{edge}")
        };
        assert!(near(from, way[0], way[1]) && near(to, x, y), "{edge}");
    }
    assert_eq!(expected, BTreeSet::new());
}

#[test]
fn a_browser_draws_what_is_in_sight_of_a_graph_of_many_hundred_blocks() {
    let page = directory("view-graph").join("graph.html");
    let made = mir!(branched(300), "view", "-O0", "-o", page);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    let script = "
      for (let i = 0; i < 100 && !$('[data-tab]'); i += 1) await wait();
      $('[data-tab=graph]').click();
      await wait(); await wait();
      const canvas = $('.canvas');
      const drawn = () => $$('.node').map((node) => Number(node.dataset.block));
      tell('entry', drawn().includes(0), drawn().length < 200);
      tell('edges', $$('path.edge').length > 0, document.querySelectorAll('*').length < 3000);
      for (let step = 0; step < 20; step += 1) {
        canvas.scrollTop = step * canvas.scrollHeight / 20;
        canvas.dispatchEvent(new Event('scroll'));
        await wait();
      }
      canvas.scrollTop = canvas.scrollHeight;
      canvas.dispatchEvent(new Event('scroll'));
      await wait();
      tell('last', drawn().length > 0, !drawn().includes(0), document.querySelectorAll('*').length < 3000);
      $$('.pane button').find((button) => button.title === 'Larger').click();
      await wait();
      tell('larger', drawn().length > 0);
    ";
    let Some(told) = browse(&page, script) else {
        return;
    };
    let expected = [
        "entry true true",
        "edges true true",
        "last true true true",
        "larger true",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_browser_shows_ten_thousand_instructions_with_few_elements() {
    let page = directory("view-large").join("large.html");
    let mut program =
        String::from("m: module\n export f\nf: func i64, i64:n\n local i64:s\n mov s, n\n");
    for block in 0..200 {
        let _ = writeln!(program, "l{block}:");
        for number in 0..50 {
            let _ = writeln!(program, " add s, s, n\n mul s, s, {}", 2 * number + 3);
        }
        let _ = writeln!(program, " bgt l{block}, n, s");
    }
    program += " ret s\n endfunc\n endmodule\n";
    let made = mir!(program, "view", "-O0", "-o", page);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    // The data is compressed to a quarter or less.
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("<script id=\"data\" type=\"application/gzip\">H4s"));
    assert!(text.len() < 1_000_000, "{}", text.len());
    let script = "
      for (let i = 0; i < 100 && !$('[data-tab]'); i += 1) await wait();
      for (const tab of ['code', 'graph', 'registers', 'compare']) {
        $(`[data-tab=${tab}]`).click();
        await wait();
        tell(tab, document.querySelectorAll('*').length < 3000);
      }
      press('1');
      await wait();
      const rows = $('[data-pane=stage] .rows');
      rows.scrollTop = rows.scrollHeight;
      rows.dispatchEvent(new Event('scroll'));
      await wait();
      const last = $$('[data-pane=stage] .row').at(-1);
      tell('last', Number(last.dataset.row) > 20000, $$('[data-pane=stage] .row').length < 200);
      const code = $('[data-pane=machine] .rows');
      tell('before', code.scrollTop);
      last.click();
      await wait();
      tell('shown', code.scrollTop > 100000);
    ";
    let Some(told) = browse(&page, script) else {
        return;
    };
    let expected = [
        "code true",
        "graph true",
        "registers true",
        "compare true",
        "last true true",
        "before 0",
        "shown true",
    ];
    assert_eq!(told, expected);
}
