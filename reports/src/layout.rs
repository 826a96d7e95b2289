//! How lines are laid out: keys and values in columns, wrapped to a width. The interface to the `textwrap` crate is here and
//! nowhere else.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;

use crate::escape::escape;

/// The style of keys, and of what is told beside the matter.
pub(crate) const KEY: Style = Style::new().dimmed();
/// The column in which every value begins.
const VALUE: usize = 18;
/// The columns of prose that is not for a terminal.
const PROSE: usize = 100;
/// A terminal of fewer columns is written to as if it had these: narrower columns of text are harder to read than what
/// the terminal makes of longer lines.
const NARROWEST: usize = 40;

/// How wide a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// For a terminal of so many columns: everything is wrapped but words, and commands that are there to be copied.
    Terminal(usize),
    /// For a file or a pipe: prose and lists are wrapped to be read, and a statement stays on one line, for `grep` and `tail`.
    Unlimited,
}

impl Width {
    fn of_prose(self) -> usize {
        self.of_statements().unwrap_or(PROSE)
    }

    fn of_statements(self) -> Option<usize> {
        match self {
            Width::Terminal(columns) => Some(columns.max(NARROWEST)),
            Width::Unlimited => None,
        }
    }
}

/// Writes a statement after its `lead`, which may have styles; on a terminal further lines begin in column `indent`.
///
/// # Errors
/// Those of `out`.
pub fn statement(out: &mut dyn Write, width: Width, indent: usize, lead: &str, text: &str) -> io::Result<()> {
    let text = format!("{lead}{text}");
    fitted(&text, width.of_statements(), indent).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes prose, every line of which begins in column `indent`.
///
/// # Errors
/// Those of `out`.
pub fn prose(out: &mut dyn Write, width: Width, indent: usize, text: &str) -> io::Result<()> {
    wrapped(text, width, indent).iter().try_for_each(|line| writeln!(out, "{:indent$}{KEY}{line}{KEY:#}", ""))
}

/// Writes a key in column `indent` and its value, every line of which begins in one column; on a terminal lines are broken to
/// fit. A value with a word that fits below the key, but not beside it, stands below.
///
/// # Errors
/// Those of `out`.
pub fn row(out: &mut dyn Write, width: Width, indent: usize, key: &str, value: &[String]) -> io::Result<()> {
    let (columns, below) = (VALUE - indent, indent + 2);
    let beside = width.of_statements().map(|width| width - VALUE);
    let longest =
        value.iter().flat_map(|line| line.split(' ')).map(|word| word.chars().count()).max().unwrap_or_default();
    if let Some(room) = width.of_statements().filter(|room| longest > room - VALUE && longest <= room - below) {
        if !key.is_empty() {
            writeln!(out, "{:indent$}{KEY}{key}{KEY:#}", "")?;
        }
        let mut lines = value.iter().flat_map(|line| fitted(line, Some(room - below), 0));
        return lines.try_for_each(|line| writeln!(out, "{:below$}{line}", ""));
    }
    for (n, line) in value.iter().flat_map(|line| fitted(line, beside, 0)).enumerate() {
        let key = if n == 0 { key } else { "" };
        writeln!(out, "{:indent$}{KEY}{key:<columns$}{KEY:#}{line}", "")?;
    }
    Ok(())
}

/// As [`row`], of a text that is to be copied: it is never broken.
pub(crate) fn verbatim(out: &mut dyn Write, indent: usize, key: &str, value: &str) -> io::Result<()> {
    row(out, Width::Unlimited, indent, key, &lines(value))
}

/// As [`row`], of a text that may not be there.
pub(crate) fn optional(
    out: &mut dyn Write,
    width: Width,
    indent: usize,
    key: &str,
    value: &Option<String>,
) -> io::Result<()> {
    value.as_ref().map_or(Ok(()), |value| row(out, width, indent, key, &lines(value)))
}

/// The lines of a value, escaped; at least one.
pub fn lines(text: &str) -> Vec<String> {
    escape(text.strip_suffix('\n').unwrap_or(text)).split('\n').map(str::to_owned).collect()
}

/// Prose, escaped and wrapped to fit beside a key.
pub fn beside_a_key(text: &str, width: Width) -> Vec<String> {
    wrapped(&escape(text), width, VALUE)
}

/// The words of `text` in lines that fit behind column `indent`, as far as single words allow.
pub(crate) fn wrapped(text: &str, width: Width, indent: usize) -> Vec<String> {
    wrap(&joined(text), width.of_prose().saturating_sub(indent), "")
}

/// A statement in lines of so many columns, as far as single words allow; all but the first begin in column `indent`.
fn fitted(text: &str, columns: Option<usize>, indent: usize) -> Vec<String> {
    match columns {
        Some(columns) => wrap(text, columns, &" ".repeat(indent)),
        None => vec![text.to_owned()],
    }
}

fn wrap(text: &str, columns: usize, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(columns)
        .subsequent_indent(indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

/// The words of `text` on one line.
pub fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number of things.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(width: Width, lead: &str, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        statement(&mut out, width, 4, lead, text).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn prose_is_wrapped_between_words() {
        assert_eq!(wrapped("one two  three\nfour", Width::Terminal(40), 30), ["one two", "three four"]);
        assert_eq!(wrapped("a-word-that-is-too-long b", Width::Terminal(40), 30), ["a-word-that-is-too-long", "b"]);
        assert!(wrapped(&"word ".repeat(99), Width::Unlimited, 18).iter().all(|line| line.len() <= 82));
    }

    #[test]
    fn a_statement_is_broken_for_terminals_alone() {
        let text = "word ".repeat(12);
        let text = text.trim_end();
        assert_eq!(stated(Width::Unlimited, "key ", text), [format!("key {text}")]);
        let lines = stated(Width::Terminal(40), &format!("{KEY}key{KEY:#} "), text);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].starts_with("    word"));
        // Styles take no room.
        assert_eq!(anstream::adapter::strip_str(&lines[0]).to_string().len(), 38);
    }

    #[test]
    fn a_word_too_long_for_its_place_stands_below_its_key() {
        let told = |columns, value: &str| {
            let mut out = Vec::new();
            row(&mut out, Width::Terminal(columns), 0, "sha256", &[value.to_owned()]).unwrap();
            anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
        };
        let sum = "0123456789abcdef".repeat(4);
        assert_eq!(told(82, &sum), format!("sha256            {sum}\n"));
        assert_eq!(told(80, &sum), format!("sha256\n  {sum}\n"));
        assert_eq!(told(80, &format!("that is {sum}")), format!("sha256\n  that is {sum}\n"));
        // It is as long as it is.
        assert_eq!(told(60, &sum), format!("sha256            {sum}\n"));
    }

    #[test]
    fn what_is_to_be_copied_is_never_broken() {
        let mut out = Vec::new();
        verbatim(&mut out, 6, "rerun", &"word ".repeat(30)).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 1);
    }
}
