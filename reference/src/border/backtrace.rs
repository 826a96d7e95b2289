//! Backtraces in the form of Python's, most recent call first, or last where the generation has it so.
//!
//! Each frame is a line: `  File "<file>", line <n>, in <function>`.
//!
//! They begin at the caller of the library: frames inside it are dropped, but for the exported function that was called.
//! Frames in the C library are dropped, too: those that start the program and its threads lie below every backtrace.
//!
//! Where there is little memory or stack a backtrace is shorter, or empty: the error that it is for is more important.

use std::{
    cell::RefCell,
    ffi::CStr,
    mem::{self, ManuallyDrop},
};

use tvm_ffi_spec::TVMFFIByteArray;

use crate::{
    border::{
        code::{Line, Lookup},
        unwind::{self, Step},
    },
    generation,
    system::{memory, stack, thread_end},
};

/// How many frames a backtrace has at most, unless `TVM_TRACEBACK_LIMIT` says otherwise.
const DEFAULT_LIMIT: usize = 512;

/// How many bytes a backtrace is expected to have, so that most of them grow but once.
const FIRST_ROOM: usize = 500;

/// A backtrace in the making.
struct Writer {
    text: String,
    /// Lines that may still be written.
    room: usize,
    /// Functions yet to be left out.
    skip: usize,
    /// Whether there has been a function at all.
    begun: bool,
    /// Whether the backtrace ends where another language takes over.
    stop_at_boundary: bool,
}

impl Writer {
    fn new(limit: usize, stop_at_boundary: bool) -> Self {
        Self { text: String::with_capacity(FIRST_ROOM), room: limit, skip: 0, begun: false, stop_at_boundary }
    }

    /// Considers the functions that an address lies in; `false` ends the backtrace.
    fn visit_all(&mut self, lines: &[Line]) -> bool {
        lines.iter().all(|line| self.visit(line))
    }

    /// Considers the next function; `false` ends the backtrace.
    fn visit(&mut self, line: &Line) -> bool {
        // The first one may be the library's own, if that is what failed.
        let is_own = !self.begun && line.is_own;
        let beyond = self.stop_at_boundary && line.is_boundary && !is_own;
        if self.room == 0 || beyond {
            return false;
        }
        self.begun = true;
        if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.write(line);
        }
        self.room > 0
    }

    fn write(&mut self, line: &Line) {
        if !line.text.is_empty() {
            self.text.push_str(&line.text);
            self.room = self.room.saturating_sub(1);
        }
    }

    /// The text, in the order that clients expect.
    fn finish(self) -> String {
        generation::in_order(self.text)
    }
}

/// Where the caller of [`for_client`] says it is.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The file.
    pub file: &'a str,
    /// The line in it.
    pub line: i32,
    /// The function.
    pub function: &'a str,
}

/// A backtrace of the caller of the library, up to where another language takes over.
pub fn current() -> String {
    let mut writer = Writer::new(limit(), true);
    walk(&mut writer);
    writer.finish()
}

/// The backtrace that a client asks for: first its own position, if it gives one, then its callers. The answer is valid
/// until the next call on the same thread.
pub fn for_client(position: Option<Position<'_>>, cross_boundary: bool) -> *const TVMFFIByteArray {
    let mut writer = Writer::new(limit(), !cross_boundary);
    if let Some(Position { file, line, function }) = position {
        writer.write(&Line::new(Some(file), line.into(), function));
        // The position stands for the function that gave it.
        writer.skip = 1;
    }
    walk(&mut writer);
    thread_end::mark();
    ANSWER.with_borrow_mut(|answer| answer.set(writer.finish()))
}

thread_local! {
    /// What the last call on this thread has answered.
    static ANSWER: RefCell<ManuallyDrop<Answer>> = const { RefCell::new(ManuallyDrop::new(Answer::NONE)) };
}

/// Forgets what the last call on this thread has answered, when the thread ends.
pub fn forget_answer() {
    drop(ANSWER.with_borrow_mut(|answer| mem::replace(&mut **answer, Answer::NONE)));
}

/// An empty backtrace.
pub static EMPTY: TVMFFIByteArray = TVMFFIByteArray { data: c"".as_ptr(), size: 0 };

struct Answer {
    text: String,
    array: TVMFFIByteArray,
}

impl Answer {
    const NONE: Self = Self { text: String::new(), array: TVMFFIByteArray::EMPTY };

    fn set(&mut self, text: String) -> *const TVMFFIByteArray {
        self.text = text;
        self.text.push('\0');
        self.array = TVMFFIByteArray::new(&self.text.as_bytes()[..self.text.len() - 1]);
        &raw const self.array
    }
}

/// The limit that the environment sets; what is no number from 0 to 2^31 - 1 does not count.
fn limit() -> usize {
    // Not through Rust, whose lock may be held by a thread that a child does not have.
    // SAFETY: the variable, if there is one, is a C string, which is read before anybody can be told to change it.
    let text = unsafe {
        let text = libc::getenv(c"TVM_TRACEBACK_LIMIT".as_ptr());
        (!text.is_null()).then(|| CStr::from_ptr(text))
    };
    text.and_then(|text| parse_limit(text.to_str().ok()?)).unwrap_or(DEFAULT_LIMIT)
}

/// Reads a limit as `strtol` would, to the end of the text.
fn parse_limit(text: &str) -> Option<usize> {
    let limit: i32 = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']).parse().ok()?;
    usize::try_from(limit).ok()
}

/// What of the stack must be left for a walk: the loader may have to find a function of the unwinder on the way, and saves all
/// registers meanwhile.
const STACK_TO_WALK: usize = 12 << 10;

/// Shows what is on this thread's stack to `writer`, innermost first, until it has enough.
#[inline(never)]
fn walk(writer: &mut Writer) {
    let stack = stack::current();
    let left = stack.map_or_else(stack::left_of_unknown, |stack| stack.left);
    if writer.room == 0 || left < STACK_TO_WALK || memory::is_short() {
        return;
    }
    let mut known = Lookup::new(left);
    let mut show = |address| known.look_at(address, |code| (writer.visit_all(&code.lines), code.step));
    let mut shown = 0;
    let mut next = stack.and_then(|stack| Some((unwind::here()?, stack.end)));
    while let Some((place, end)) = next {
        let (goes_on, step) = show(place.address);
        shown = place.sp;
        next = match step {
            // SAFETY: it is the stack of this thread.
            Some(Step::Up { by_bp, offset, saved_bp }) if goes_on => unsafe { place.up(by_bp, offset, saved_bp, end) },
            None if goes_on => None,
            _ => return,
        }
        .map(|place| (place, end));
    }
    // What is left takes more than steps.
    // SAFETY: the platform's unwinder needs no lock of the crate's.
    unsafe { backtrace::trace_unsynchronized(|frame| frame.sp() as usize <= shown || show(frame.ip() as usize).0) };
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("0", Some(0))]
    #[case("7", Some(7))]
    #[case(" +7", Some(7))]
    #[case("-0", Some(0))]
    #[case("2147483647", Some(2147483647))]
    #[case("2147483648", None)]
    #[case("99999999999999999999", None)]
    #[case("-1", None)]
    #[case("", None)]
    #[case("7 ", None)]
    #[case("0x10", None)]
    #[case("many", None)]
    fn reads_limits_as_strtol_does(#[case] text: &str, #[case] expected: Option<usize>) {
        assert_eq!(parse_limit(text), expected);
    }

    fn lines(names: &[&str]) -> Vec<Line> {
        names.iter().map(|name| Line::new(Some("a.c"), 3, name)).collect()
    }

    #[rstest]
    #[case::plain(9, false, &["f", "main"], "f main")]
    #[case::plumbing(9, false, &["TVMFFIBacktrace", "tvm::ffi::detail::x", "f"], "f")]
    #[case::limit(1, false, &["f", "main"], "f")]
    #[case::nothing(0, false, &["f", "main"], "")]
    #[case::boundary(9, true, &["f", "_PyEval", "main"], "f")]
    #[case::call(9, true, &["f", "TVMFFIFunctionCall", "main"], "f")]
    #[case::failing_call(9, true, &["TVMFFIFunctionCall", "f", "_PyEval"], "TVMFFIFunctionCall f")]
    #[case::called_from_beyond(9, true, &["_PyObject_Call", "f"], "")]
    #[case::across(9, false, &["f", "TVMFFIFunctionCall", "main"], "f TVMFFIFunctionCall main")]
    fn writes_what_matters(#[case] limit: usize, #[case] stop: bool, #[case] names: &[&str], #[case] expected: &str) {
        let mut writer = Writer::new(limit, stop);
        let _ = writer.visit_all(&lines(names));
        let written: Vec<_> = writer.text.lines().map(|line| line.rsplit("in ").next().unwrap()).collect();
        assert_eq!(written.join(" "), expected);
    }

    #[test]
    fn lines_have_the_form_of_python() {
        let mut writer = Writer::new(9, true);
        writer.visit(&Line::new(None, 0, "f(int)"));
        writer.visit_all(&lines(&["g"]));
        assert_eq!(writer.text, "  File \"<unknown>\", line 0, in f(int)\n  File \"a.c\", line 3, in g\n");
    }
}
