//! A file of `filetests/machine`: its headers, its functions, and the block after each of them.

/// A program with the stage that it shows.
pub(crate) struct File {
    pub(crate) stage: String,
    /// The number of the stage among those of its name, from 0.
    pub(crate) number: usize,
    pub(crate) target: String,
    pub(crate) level: u8,
    pub(crate) functions: Vec<Function>,
    pub(crate) source: String,
}

/// A function of the program.
#[derive(Default)]
pub(crate) struct Function {
    /// The rules that must fire in it.
    pub(crate) rules: Vec<String>,
    /// The lines after `#|` that follow it.
    pub(crate) block: String,
}

impl File {
    /// Reads the headers and blocks of a file.
    pub(crate) fn parse(source: String) -> Result<File, String> {
        let (mut stage, mut target, mut level) = (None, None, None);
        let (mut functions, mut next) = (Vec::new(), Function::default());
        for line in source.lines() {
            if let Some(value) = line.strip_prefix("# machine: ") {
                stage = Some(place(value)?);
            } else if let Some(value) = line.strip_prefix("# target: ") {
                target = Some(value.to_owned());
            } else if let Some(value) = line.strip_prefix("# level: ") {
                level = value.parse().ok();
            } else if let Some(value) = line.strip_prefix("# rule: ") {
                next.rules.extend(value.split(", ").map(str::to_owned));
            } else if let Some(row) = line.strip_prefix("#|") {
                let last: &mut Function = functions.last_mut().ok_or("a block of no function")?;
                last.block += row;
                last.block.push('\n');
            } else if ends_function(line) {
                functions.push(core::mem::take(&mut next));
            }
        }
        let (stage, number) = stage.ok_or("no line `# machine: STAGE`")?;
        if !next.rules.is_empty() {
            return Err("a rule of no function".into());
        }
        Ok(File {
            stage,
            number,
            target: target.ok_or("no line `# target: ISA`")?,
            level: level.ok_or("no line `# level: N`")?,
            functions,
            source,
        })
    }

    /// Returns the text of the file with these blocks after its functions.
    pub(crate) fn with_blocks<'a>(&self, blocks: impl IntoIterator<Item = &'a String>) -> String {
        let (mut text, mut blocks) = (String::new(), blocks.into_iter());
        for line in self.source.lines().filter(|line| !line.starts_with("#|")) {
            text += line;
            text.push('\n');
            if ends_function(line) {
                let rows = blocks.next().into_iter().flat_map(|block| block.lines());
                text.extend(rows.map(|row| format!("#|{row}\n")));
            }
        }
        text
    }
}

/// Reads `NAME` or `NAME,N`.
fn place(text: &str) -> Result<(String, usize), String> {
    let (name, number) = text.split_once(',').unwrap_or((text, "1"));
    let number = number.parse::<usize>().ok();
    let number = number.and_then(|number| number.checked_sub(1));
    let number = number.ok_or("the number of a stage is 1 or more")?;
    Ok((name.to_owned(), number))
}

/// True if a line of Medium IR is the end of a function.
fn ends_function(line: &str) -> bool {
    let code = line.split('#').next().unwrap_or_default();
    code.split_whitespace().any(|word| word == "endfunc")
}
