//! The C program that repeats a failure: what the check did, between what every such program needs.

mod caller;
mod course;

use course::Course;
use tvm_ffi_reports::{CheckReport, Evidence, Program};

use crate::{checks::callers, client::program::LEFT_OUT};

/// What all programs begin with: values, and what they look like.
const PRELUDE: &str = include_str!("prelude.c");

/// The program of these statements, which shows that; none where nothing was written down.
pub fn of(statements: &str, id: &str, evidence: &Evidence) -> Option<Program> {
    if statements.is_empty() {
        return None;
    }
    let headline = format!("{id}, {}: {}", evidence.clause, comment(&evidence.message));
    if let Some((form, caller)) = callers::find(id) {
        return Some(Program { source: Some(caller::program(&headline, id, form, caller)), ..Program::default() });
    }
    if let Some(why) = statements.lines().find_map(|line| line.strip_prefix(LEFT_OUT)) {
        return Some(Program { left_out: Some(why.to_owned()), ..Program::default() });
    }
    let expected = match (&evidence.what, &evidence.expected) {
        (Some(what), Some(expected)) => format!("  puts({});\n", literal(&format!("{what}: expected {expected}"))),
        _ => String::new(),
    };
    let Course { before, main } = Course::of(statements);
    let source = format!(
        "/* {headline}\n * cc {id}.c -I include -L DIR -ltvm_ffi -pthread, and run with LD_LIBRARY_PATH=DIR */\n{PRELUDE}\
         {before}\nint main(void) {{\n{main}{expected}  return 0;\n}}\n"
    );
    Some(Program { source: Some(source), ..Program::default() })
}

/// Notes why there is no program that repeats a failure.
pub fn leave_out(report: &mut CheckReport, why: &str) {
    if let Some(broken) = &mut report.broken {
        broken.program = Some(Program { left_out: Some(why.to_owned()), ..Program::default() });
    }
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace('\n', " ")
}

/// A C string literal.
fn literal(text: &str) -> String {
    let shown = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b'\n' => "\\n".to_owned(),
        b' '.. if byte != 0x7f => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    let bytes: String =
        text.bytes().map(|byte| if byte < 0x80 { shown(byte) } else { format!("\\{byte:03o}") }).collect();
    format!("\"{bytes}\"")
}
