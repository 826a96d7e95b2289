//! Backtraces in the form of Python's, most recent call first.
//!
//! Each frame is a line: `  File "<file>", line <n>, in <function>`.
//!
//! They begin at the caller of the library: frames inside it are dropped, but for the exported function that was called.
//! Frames in the C library are dropped, too: those that start the program and its threads lie below every backtrace. What
//! lies at an address is looked up once and remembered until a library is loaded or unloaded.
//!
//! Reading debug information takes memory and stack. Where there is little of either a backtrace is shorter, or empty: the
//! error that it is for is more important.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::{CStr, c_int, c_void},
    fmt::Write,
    mem::{self, ManuallyDrop, MaybeUninit},
    ops::Range,
    sync::{Arc, MutexGuard},
};

use backtrace::Symbol;
use tvm_ffi_spec::TVMFFIByteArray;

use crate::system::{
    fork::Exclusive,
    found::Found,
    memory,
    stack::{self, Stack},
    thread_end,
};

/// How many frames a backtrace has at most, unless `TVM_TRACEBACK_LIMIT` says otherwise.
const DEFAULT_LIMIT: usize = 512;

/// Names of functions, by their beginnings, that are on the way of every error and say nothing about it.
const PLUMBING: &[&str] = &[
    "tvm::ffi::Function",
    "tvm::ffi::detail::",
    "TVMFFIBacktrace",
    "TVMFFIErrorSetRaisedFromCStr",
    "__libc_",
    "ffi_call_",
];

/// How the names of the ABI's C functions begin.
const C_PREFIX: &str = "TVMFFI";

/// Files, by a part of their paths, of which the same is true.
const PLUMBING_FILES: &[&str] = &[
    "include/tvm/ffi/error.h",
    "include/tvm/ffi/function_detail.h",
    "include/tvm/ffi/function.h",
    "include/tvm/ffi/any.h",
    "include/c++/",
];

/// Names of functions, by their beginnings, beyond which another language tells the story itself.
const BOUNDARY: &[&str] = &["TVMFFIFunctionCall", "slot_tp_call", "object_is_not_callable", "_Py", "PyObject"];

/// One function in a backtrace.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    file: Option<String>,
    line: i64,
    function: String,
}

impl Frame {
    fn is_boundary(&self) -> bool {
        BOUNDARY.iter().any(|name| self.function.starts_with(name))
    }

    fn is_plumbing(&self) -> bool {
        PLUMBING.iter().any(|name| self.function.starts_with(name))
            || self.file.as_ref().is_some_and(|file| PLUMBING_FILES.iter().any(|part| file.contains(part)))
    }
}

/// A backtrace in the making.
struct Writer {
    text: String,
    /// Lines that may still be written.
    room: usize,
    /// Frames yet to be left out.
    skip: usize,
    /// Whether there has been a frame at all.
    begun: bool,
    /// Whether the backtrace ends where another language takes over.
    stop_at_boundary: bool,
}

impl Writer {
    fn new(limit: usize, stop_at_boundary: bool) -> Self {
        Self { text: String::new(), room: limit, skip: 0, begun: false, stop_at_boundary }
    }

    /// Considers the next frame; `false` ends the backtrace.
    fn visit(&mut self, frame: &Frame) -> bool {
        // The first frame may be the boundary itself, if that is what failed.
        let beyond = self.stop_at_boundary && self.begun && frame.is_boundary();
        if self.room == 0 || beyond {
            return false;
        }
        self.begun = true;
        if self.skip > 0 {
            self.skip -= 1;
        } else if !frame.is_plumbing() {
            self.write(frame);
        }
        self.room > 0
    }

    fn write(&mut self, Frame { file, line, function }: &Frame) {
        let file = file.as_deref().unwrap_or("<unknown>");
        writeln!(self.text, "  File \"{file}\", line {line}, in {function}").expect("a String takes any text");
        self.room = self.room.saturating_sub(1);
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
    writer.text
}

/// The backtrace that a client asks for: first its own position, if it gives one, then its callers. The answer is valid
/// until the next call on the same thread.
pub fn for_client(position: Option<Position<'_>>, cross_boundary: bool) -> *const TVMFFIByteArray {
    let mut writer = Writer::new(limit(), !cross_boundary);
    if let Some(Position { file, line, function }) = position {
        let frame = Frame { file: Some(file.to_owned()), line: line.into(), function: function.to_owned() };
        if !frame.is_plumbing() {
            writer.write(&frame);
        }
        // The position stands for the frame that gave it.
        writer.skip = 1;
    }
    walk(&mut writer);
    thread_end::mark();
    ANSWER.with_borrow_mut(|answer| answer.set(writer.text))
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

// ---------------------------------------------------------------------------------------------------------------------
// The stack and its symbols
// ---------------------------------------------------------------------------------------------------------------------

/// What of the stack must be left for a walk, ...
const STACK_TO_WALK: usize = 6 << 10;
/// ... and for reading debug information on the way.
const STACK_TO_READ: usize = 96 << 10;
/// What of memory must be there for that: compressed debug information is unpacked in one piece. Blocks of this size are
/// mapped one by one, so that asking for one leaves malloc as it was.
const MEMORY_TO_READ: usize = 32 << 20;

/// Shows the frames of this thread's stack to `writer`, innermost first, until it has enough.
fn walk(writer: &mut Writer) {
    let left = stack::current().map_or(usize::MAX, |Stack { left, .. }| left);
    if writer.room == 0 || left < STACK_TO_WALK || memory::is_short() {
        return;
    }
    let mut symbols = Lookup { held: None, may_read: left >= STACK_TO_READ };
    symbols.lock().forget_if_outdated();
    // SAFETY: the platform's unwinder needs no lock of the crate's.
    unsafe { backtrace::trace_unsynchronized(|frame| symbols.of(frame).iter().all(|frame| writer.visit(frame))) };
}

/// What is known about code addresses. A return address stands for several frames where calls were inlined.
pub struct Symbols {
    frames: BTreeMap<usize, Arc<[Frame]>>,
    /// How often libraries had been loaded and unloaded when the rest was true.
    generation: (u64, u64),
}

/// Everything that reads symbols is done under this lock, so that no other is needed.
pub static SYMBOLS: Exclusive<Symbols> = Exclusive::new(Symbols { frames: BTreeMap::new(), generation: (0, 0) });

/// What looks code addresses up.
struct Lookup {
    /// The lock, which is held but for a moment during a walk: nothing of it is left to a child in a state in between.
    held: Option<MutexGuard<'static, Symbols>>,
    /// Whether there is stack and memory enough to read debug information.
    may_read: bool,
}

impl Lookup {
    fn lock(&mut self) -> &mut Symbols {
        self.held.get_or_insert_with(|| SYMBOLS.lock())
    }

    /// The functions that a return address lies in, innermost first; none if nothing worth telling is known of it. Reading
    /// debug information takes long, so it is not done for code that is only on the way.
    fn of(&mut self, frame: &backtrace::Frame) -> Arc<[Frame]> {
        let address = frame.ip() as usize;
        if let Some(known) = self.lock().frames.get(&address) {
            return known.clone();
        }
        if libc_code().contains(&address) {
            return Arc::default();
        }
        let is_own = own_code().contains(&address);
        self.may_read = self.may_read && (is_own || memory::has(MEMORY_TO_READ));
        let frames: Arc<[Frame]> = if is_own || !self.may_read {
            let function = frame.symbol_address();
            // The loader has a lock of its own, which a thread that loads a library holds while the library's initialisers
            // come here. So nobody asks the loader under this one.
            self.held = None;
            named(function, is_own).into_iter().collect()
        } else {
            read(frame).into()
        };
        if is_own || self.may_read {
            self.lock().frames.insert(address, frames.clone());
        }
        frames
    }
}

impl Symbols {
    /// An address may mean something else once libraries have come and gone.
    fn forget_if_outdated(&mut self) {
        let generation = loader_generation();
        if generation != self.generation {
            backtrace::clear_symbol_cache();
            self.frames.clear();
            self.generation = generation;
        }
    }
}

/// What debug information says of a return address. The lock of the symbols is held.
fn read(frame: &backtrace::Frame) -> Vec<Frame> {
    let mut frames = Vec::new();
    // SAFETY: the lock of the symbols is held.
    unsafe { backtrace::resolve_frame_unsynchronized(frame, |symbol| frames.extend(frame_of(symbol))) };
    frames
}

/// A function as the loader knows it. Of this library's own, only those of the ABI are told.
fn named(function: *mut c_void, is_own: bool) -> Option<Frame> {
    let frame = Frame { file: None, line: 0, function: exported_name(function)? };
    (!is_own || frame.function.starts_with(C_PREFIX) && !frame.is_plumbing()).then_some(frame)
}

/// The name of the function that a library exports at an address. The loader knows it, debug information or not.
fn exported_name(address: *mut c_void) -> Option<String> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: any address may be asked for, and the answer is only read when there is one. Its name is a C string.
    unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 {
            return None;
        }
        let info = info.assume_init();
        if info.dli_saddr != address || info.dli_sname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_sname).to_str().ok().map(str::to_owned)
    }
}

fn frame_of(symbol: &Symbol) -> Option<Frame> {
    let file = symbol.filename().map(|file| file.display().to_string());
    let function = match symbol.name() {
        Some(name) => format!("{name:#}"),
        None => format!("{:#018x}", symbol.addr().filter(|_| file.is_some())? as usize),
    };
    Some(Frame { file, line: symbol.lineno().map_or(0, i64::from), function })
}

/// Where this library's own code lies.
fn own_code() -> &'static Range<usize> {
    static CODE: Found<Range<usize>> = Found::new();
    CODE.get_or_find(|| code_around(walk as *const () as usize))
}

/// Where the C library's code lies.
fn libc_code() -> &'static Range<usize> {
    static CODE: Found<Range<usize>> = Found::new();
    CODE.get_or_find(|| code_around(libc::abort as *const () as usize))
}

/// The loaded segment that an address lies in.
fn code_around(address: usize) -> Range<usize> {
    let mut search = Search { address, found: 0..0 };
    // SAFETY: the callback gets the address of `search`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(find_range), (&raw mut search).cast()) };
    search.found
}

struct Search {
    address: usize,
    found: Range<usize>,
}

unsafe extern "C" fn find_range(info: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
    // SAFETY: the loader passes a readable description of one loaded object, `code_around` its search.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: the loader vouches for the program headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let ranges = headers.iter().filter(|header| header.p_type == libc::PT_LOAD).map(|header| {
        let start = (info.dlpi_addr + header.p_vaddr) as usize;
        start..start + header.p_memsz as usize
    });
    match ranges.into_iter().find(|range| range.contains(&search.address)) {
        Some(range) => {
            search.found = range;
            1
        }
        None => 0,
    }
}

/// How often libraries have been loaded and unloaded so far.
fn loader_generation() -> (u64, u64) {
    let mut generation = (0, 0);
    // SAFETY: the callback gets the address of `generation`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(read_generation), (&raw mut generation).cast()) };
    generation
}

unsafe extern "C" fn read_generation(info: *mut libc::dl_phdr_info, _size: usize, generation: *mut c_void) -> c_int {
    // SAFETY: the loader passes a readable description, `loader_generation` a writable pair.
    unsafe { *generation.cast::<(u64, u64)>() = ((*info).dlpi_adds, (*info).dlpi_subs) };
    1
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

    fn frames(names: &[&str]) -> Vec<Frame> {
        let frame = |name: &&str| Frame { file: Some("a.c".into()), line: 3, function: (*name).into() };
        names.iter().map(frame).collect()
    }

    #[rstest]
    #[case::plain(9, false, &["f", "main"], "f main")]
    #[case::plumbing(9, false, &["TVMFFIBacktrace", "tvm::ffi::detail::x", "f"], "f")]
    #[case::limit(1, false, &["f", "main"], "f")]
    #[case::nothing(0, false, &["f", "main"], "")]
    #[case::boundary(9, true, &["f", "_PyEval", "main"], "f")]
    #[case::call(9, true, &["f", "TVMFFIFunctionCall", "main"], "f")]
    #[case::failing_call(9, true, &["TVMFFIFunctionCall", "f", "_PyEval"], "TVMFFIFunctionCall f")]
    #[case::across(9, false, &["f", "TVMFFIFunctionCall", "main"], "f TVMFFIFunctionCall main")]
    fn writes_what_matters(#[case] limit: usize, #[case] stop: bool, #[case] names: &[&str], #[case] expected: &str) {
        let mut writer = Writer::new(limit, stop);
        let _ = frames(names).iter().all(|frame| writer.visit(frame));
        let written: Vec<_> = writer.text.lines().map(|line| line.rsplit("in ").next().unwrap()).collect();
        assert_eq!(written.join(" "), expected);
    }

    #[test]
    fn lines_have_the_form_of_python() {
        let mut writer = Writer::new(9, true);
        writer.visit(&Frame { file: None, line: 0, function: "f(int)".into() });
        writer.visit(&frames(&["g"])[0]);
        assert_eq!(writer.text, "  File \"<unknown>\", line 0, in f(int)\n  File \"a.c\", line 3, in g\n");
    }
}
