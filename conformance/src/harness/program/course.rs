//! From statements in the order in which they happened to the functions of a program: one for each thread, and one for each function of the
//! suite's own that the library calls.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::client::program::{CALLBACK, IN};

/// What only programs with threads need.
const THREADS: &str = include_str!("threads.c");

/// The statements of a program, each where it belongs.
#[derive(Default)]
pub struct Course {
    /// What stands before `main`.
    pub before: String,
    /// What stands in it.
    pub main: String,
}

/// Statements that belong together.
#[derive(Default)]
struct Piece {
    thread: usize,
    callback: usize,
    time: usize,
    text: String,
    /// Whether it ends in a call that had not returned.
    open: bool,
}

impl Course {
    /// Where the statements belong says a line in front of them.
    pub fn of(statements: &str) -> Self {
        let callbacks = callbacks(statements);
        if callbacks.is_empty() && !statements.lines().any(|line| line.starts_with(IN)) {
            return Self { main: statements.to_owned(), before: String::new() };
        }
        let mut pieces = pieces(statements);
        let variables = pieces.iter_mut().flat_map(|piece| hoist(&mut piece.text)).collect::<BTreeSet<_>>();
        let last = pieces.iter().map(|piece| piece.thread).max().unwrap_or_default();
        let mut before = String::new();
        if last > 0 {
            take_turns(&mut pieces);
            before += THREADS;
        }
        before += "\n/* ---- The program ---- */\n";
        before.extend(variables.iter().map(|variable| format!("static {variable};\n")));
        before.extend(callbacks.iter().map(|callback| function(*callback, &pieces)));
        let outside = |thread: usize| {
            let own = pieces.iter().filter(|piece| piece.thread == thread && piece.callback == 0);
            own.map(|piece| piece.text.as_str()).collect::<String>()
        };
        for thread in 1..=last {
            let _ = write!(
                before,
                "static void* thread_{thread}(void* nothing) {{\n{}  return nothing;\n}}\n",
                outside(thread)
            );
        }
        let begin: String = (1..=last).map(|thread| format!("  begin({thread}, thread_{thread});\n")).collect();
        let end: String = (1..=last).map(|thread| format!("  join({thread});\n")).collect();
        Self { before, main: format!("{begin}{}{end}", outside(0)) }
    }
}

/// The numbers of the functions of the suite's own that a program hands over.
fn callbacks(statements: &str) -> BTreeSet<usize> {
    let named = statements.split(CALLBACK).skip(1);
    named.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
}

fn pieces(statements: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::default()];
    for line in statements.split_inclusive('\n') {
        let latest = pieces.len() - 1;
        let Some(place) = line.strip_prefix(IN) else {
            pieces[latest].text += line;
            continue;
        };
        pieces[latest].open = place.trim_end().ends_with("open");
        let mut numbers = place.split_whitespace().map(|number| number.parse().unwrap_or_default());
        let mut number = || numbers.next().unwrap_or_default();
        pieces.push(Piece { thread: number(), callback: number(), time: number(), ..Piece::default() });
    }
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// Has the variables of statements be those of the program, since several functions use them. Answers what declares them.
fn hoist(text: &mut String) -> Vec<String> {
    let mut declared = Vec::new();
    let lines = text.split_inclusive('\n').map(|line| match declaration(line) {
        Some((kind, name, value)) => {
            declared.push(format!("{kind} {name}"));
            let cast = if value.starts_with('{') { format!("({kind})") } else { String::new() };
            format!("  {name} = {cast}{value}")
        }
        None => line.to_owned(),
    });
    *text = lines.collect();
    declared
}

/// The type, the name and the value of a variable. Its name is a letter and numbers.
fn declaration(line: &str) -> Option<(&str, &str, &str)> {
    let (left, value) = line.strip_prefix("  ")?.split_once(" = ")?;
    let (kind, name) = left.rsplit_once(' ')?;
    let number = name.strip_prefix(|c: char| c.is_ascii_lowercase())?;
    let is_number =
        number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(|c| c.is_ascii_digit() || c == '_');
    let is_type = kind.chars().all(|c| c.is_ascii_alphanumeric() || "_* ".contains(c)) && !kind.starts_with("static");
    (is_number && is_type).then_some((kind, name, value))
}

/// Has the pieces of several threads come one after the other. A call that had not returned when another thread went on need not return
/// here either.
fn take_turns(pieces: &mut [Piece]) {
    let threads: Vec<_> = pieces.iter().map(|piece| piece.thread).collect();
    let mut turn = 0;
    for (place, piece) in pieces.iter_mut().enumerate() {
        if place == 0 || threads[place - 1] != piece.thread {
            piece.text.insert_str(0, &format!("  turn({turn});\n"));
        }
        if threads.get(place + 1).is_some_and(|next| *next != piece.thread) {
            let line = piece.text.trim_end().rfind('\n').map_or(0, |end| end + 1);
            let ends = piece.open || piece.text[line..].starts_with("  return ");
            let at = if ends { line } else { piece.text.len() };
            piece.text.insert_str(at, &format!("  next({turn});\n"));
            turn += 1;
        }
    }
}

/// The function that does what one of the suite's own did, each time that it was called.
fn function(callback: usize, pieces: &[Piece]) -> String {
    let mut times: BTreeMap<usize, String> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| piece.callback == callback) {
        *times.entry(piece.time).or_default() += &piece.text;
    }
    let mut bodies: Vec<_> = times.into_values().collect();
    bodies.dedup();
    let otherwise = "  return stand_in(self, args, count, result);\n";
    let body = match bodies.as_slice() {
        [] => otherwise.to_owned(),
        [one] => one.clone(),
        several => {
            let cases = several.iter().enumerate().map(|(time, body)| format!("  case {time}: {{\n{body}  }}\n"));
            format!("  static int times;\n  switch (times++) {{\n{}  }}\n{otherwise}", cases.collect::<String>())
        }
    };
    format!(
        "static int {CALLBACK}{callback}(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {{\n  \
         is_called({callback}, self, args, count);\n{body}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_thread_does_stands_in_main() {
        let Course { before, main } = Course::of("  int c1 = f();\n");
        assert_eq!((before.as_str(), main.as_str()), ("", "  int c1 = f();\n"));
    }

    #[test]
    fn threads_take_turns() {
        let text = "  int c1 = f();\n#in 1 0 0\n  TVMFFIAny r2 = {0};\n  int c2 = g(&r2);\n#in 0 0 0 open\n  h(c2);\n";
        let Course { before, main } = Course::of(text);
        let expected = "  begin(1, thread_1);\n  turn(0);\n  c1 = f();\n  next(0);\n  turn(2);\n  h(c2);\n  join(1);\n";
        assert_eq!(main, expected);
        let thread = "  turn(1);\n  r2 = (TVMFFIAny){0};\n  next(1);\n  c2 = g(&r2);\n  return nothing;\n}\n";
        assert!(before.ends_with(thread), "{before}");
        assert!(before.contains("static TVMFFIAny r2;\nstatic int c1;\nstatic int c2;\n"), "{before}");
    }

    #[test]
    fn a_callback_does_each_time_what_it_did() {
        let text = "  int c1 = f(callback_1);\n  int c2 = g();\n#in 0 1 0 open\n  *result = integer(1);\n  return 0;\n#in 0 1 1\n  \
                    return -1;\n#in 0 0 0\n  say(c2);\n";
        let Course { before, main } = Course::of(text);
        assert_eq!(main, "  c1 = f(callback_1);\n  c2 = g();\n  say(c2);\n");
        assert!(
            before.contains("  case 0: {\n  *result = integer(1);\n  return 0;\n  }\n  case 1: {\n  return -1;\n  }\n"),
            "{before}"
        );
    }
}
