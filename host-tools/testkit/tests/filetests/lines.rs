//! Finds the lines of instructions in a text, for errors that have only the instruction.

/// Returns, for each module and function, the lines of its instructions and labels, in order.
pub(crate) fn of_insns(source: &str) -> Vec<Vec<Vec<usize>>> {
    let mut modules: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut in_function = false;
    for (line, text) in (1..).zip(source.lines()) {
        for statement in statements(text) {
            let (labels, words) = labels_and_words(statement);
            let directive = words.split_whitespace().next().unwrap_or_default();
            match directive {
                "module" => modules.push(Vec::new()),
                "func" => {
                    in_function = true;
                    if let Some(functions) = modules.last_mut() {
                        functions.push(Vec::new());
                    }
                }
                "endfunc" => in_function = false,
                "local" | "global" => {}
                _ if in_function => {
                    let lines = modules
                        .last_mut()
                        .and_then(|functions| functions.last_mut());
                    let count = labels + usize::from(!directive.is_empty());
                    if let Some(lines) = lines {
                        lines.extend(core::iter::repeat_n(line, count));
                    }
                }
                _ => {}
            }
        }
    }
    modules
}

/// Returns the statements of a line without its comment. Strings in these files hold neither `;`
/// nor `#`.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('#').next().unwrap_or_default();
    code.split(';').map(str::trim)
}

/// Returns the number of labels before a statement, and the statement.
fn labels_and_words(mut statement: &str) -> (usize, &str) {
    let mut labels = 0;
    while let Some((label, rest)) = statement.split_once(':') {
        if label.contains([' ', '\t']) {
            break;
        }
        labels += 1;
        statement = rest.trim_start();
    }
    (labels, statement)
}
