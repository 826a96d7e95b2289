//! What is known of code addresses: the lines that backtraces have for them, and the steps from there up the stack.
//!
//! It is looked up once and remembered: of what came with the program for good, of other libraries until one is unloaded. Reading debug information takes memory and
//! stack, so that it is only done where there is enough of both.

use std::{
    collections::HashMap,
    ffi::{CStr, c_int, c_void},
    hash::{BuildHasherDefault, Hasher},
    mem::MaybeUninit,
    ops::Range,
    sync::MutexGuard,
};

use backtrace::Symbol;

use crate::{
    border::unwind::{Function, Step},
    system::{cancel::without_cancellation, fork::Exclusive, found::Found, memory},
};

/// What of the stack must be left for reading debug information, ...
const STACK_TO_READ: usize = 96 << 10;
/// ... and of memory: compressed debug information is unpacked in one piece.
const MEMORY_TO_READ: usize = 32 << 20;

/// Names of functions, by their beginnings, that are on the way of every error and say nothing about it.
const PLUMBING: &[&str] = &[
    "tvm::ffi::Function",
    "tvm::ffi::detail::",
    "TVMFFIBacktrace",
    "TVMFFITraceback",
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
#[derive(Clone, Debug)]
pub struct Line {
    /// As it is written; empty for what says nothing about an error.
    pub text: Box<str>,
    /// Whether another language tells the story itself from here on.
    pub is_boundary: bool,
    /// Whether it is a C function of the library.
    pub is_own: bool,
}

impl Line {
    /// The line of a function at a place in a file.
    pub fn new(file: Option<&str>, line: i64, function: &str) -> Self {
        let starts_with_any = |names: &[&str]| names.iter().any(|name| function.starts_with(name));
        let is_plumbing =
            starts_with_any(PLUMBING) || file.is_some_and(|file| PLUMBING_FILES.iter().any(|part| file.contains(part)));
        let text = match is_plumbing {
            true => String::new(),
            false => format!("  File \"{}\", line {line}, in {function}\n", file.unwrap_or("<unknown>")),
        };
        Self { text: text.into(), is_boundary: starts_with_any(BOUNDARY), is_own: function.starts_with(C_PREFIX) }
    }
}

/// What is known of a code address.
pub struct Code {
    /// The functions that it lies in, innermost first: several where calls were inlined.
    pub lines: Box<[Line]>,
    /// The step from there up the stack; `None` where the platform's unwinder has to be asked.
    pub step: Option<Step>,
}

impl Code {
    /// Whether any of it lies in the memory that is left for errors.
    fn is_reserved(&self) -> bool {
        memory::is_reserved(self.lines.as_ptr().cast())
            || self.lines.iter().any(|line| memory::is_reserved(line.text.as_ptr()))
    }
}

/// What is known of all code addresses that have been asked for.
pub struct Known {
    code: HashMap<usize, Code, BuildHasherDefault<AddressHasher>>,
    /// How often libraries had been loaded and unloaded when that was true, ...
    generation: (u64, u64),
    /// ... and how often they had been unloaded when debug information was first read, for which the libraries are listed once.
    unloaded_when_listed: Option<u64>,
}

/// Everything that reads symbols is done under this lock, so that no other is needed.
pub static KNOWN: Exclusive<Known> = Exclusive::new(Known {
    code: HashMap::with_hasher(BuildHasherDefault::new()),
    generation: (0, 0),
    unloaded_when_listed: None,
});

/// The hash of an address.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("addresses are hashed as numbers")
    }

    #[inline]
    fn write_usize(&mut self, address: usize) {
        self.0 = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// What looks code addresses up during a walk.
pub struct Lookup {
    /// The lock, which is held but for a moment during a walk: nothing of it is left to a child in a state in between.
    held: Option<MutexGuard<'static, Known>>,
    /// Whether there is stack and memory enough to read debug information.
    may_read: bool,
}

impl Lookup {
    /// For a walk, with so much of the stack left.
    pub fn new(stack_left: usize) -> Self {
        let mut lookup = Self { held: None, may_read: stack_left >= STACK_TO_READ };
        lookup.lock().forget_if_outdated();
        lookup
    }

    #[inline]
    fn lock(&mut self) -> &mut Known {
        self.held.get_or_insert_with(|| KNOWN.lock())
    }

    /// Shows what is known of a return address.
    #[inline]
    pub fn look_at<T>(&mut self, address: usize, show: impl FnOnce(&Code) -> T) -> T {
        if let Some(code) = self.lock().code.get(&address) {
            return show(code);
        }
        let (code, is_complete) = self.find(address);
        let shown = show(&code);
        if is_complete {
            self.lock().remember(address, code);
        }
        shown
    }

    /// What can be found out of a return address, and whether that is all. Reading debug information takes long, so it is
    /// not done for code that is only on the way.
    #[cold]
    fn find(&mut self, address: usize) -> (Code, bool) {
        let known = self.lock();
        // Other code than that of libraries may change unnoticed, and there may be any amount of it.
        let stays = !known.code_around(address).is_empty();
        let is_libcs = known.libc_code().contains(&address);
        let is_own = known.own_code().contains(&address);
        // For functions and their names the loader has a lock of its own, which a thread that loads a library holds while
        // the library's initialisers come here. So nobody asks for these under this one.
        self.held = None;
        let function = Function::at(address);
        let step =
            if self.may_read && stays { function.and_then(|function| function.step_from(address)) } else { None };
        if is_libcs {
            return (Code { lines: Box::default(), step }, self.may_read);
        }
        self.may_read = self.may_read && (is_own || !stays || memory::may_grow_by(MEMORY_TO_READ));
        let mut lines = if is_own || !stays || !self.may_read { Vec::new() } else { self.lock().read(address) };
        // Nothing is read of a library that was loaded after the libraries were listed.
        if lines.is_empty() {
            self.held = None;
            lines.extend(function.and_then(|function| named(function.start, is_own)));
        }
        (Code { lines: lines.into(), step }, self.may_read && stays)
    }
}

impl Known {
    /// An address may mean something else once the library that it was in has gone. Of libraries that only came nothing was known.
    fn forget_if_outdated(&mut self) {
        let generation = self.loader_generation();
        if generation.1 != self.generation.1 {
            let stays = self.program_code();
            self.code.retain(|address, _| stays.iter().any(|range| range.contains(address)));
        }
        self.generation = generation;
    }

    /// What debug information says of a return address: nothing of libraries that were loaded after they were listed, nor where another may lie
    /// by now than the one that is listed.
    fn read(&mut self, address: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let unloaded_when_listed = *self.unloaded_when_listed.get_or_insert(self.generation.1);
        if unloaded_when_listed != self.generation.1 && !self.is_of_program(address) {
            return lines;
        }
        without_cancellation(|| {
            let address = std::ptr::without_provenance_mut(address);
            // SAFETY: the lock under which everybody here reads symbols is held: it guards `self`.
            unsafe { backtrace::resolve_unsynchronized(address, |symbol| lines.extend(line_of(symbol))) }
        });
        lines
    }

    /// Whether the code came with the program.
    fn is_of_program(&self, address: usize) -> bool {
        self.program_code().iter().any(|range| range.contains(&address))
    }

    /// Not where there is little memory: what is kept should not come from what is left for errors.
    fn remember(&mut self, address: usize, code: Code) {
        const ROOM: usize = 64;
        let larger = 4 * self.code.capacity().max(ROOM) * size_of::<(usize, Code)>();
        if !code.is_reserved() && (self.code.len() < self.code.capacity() || memory::has(larger)) {
            self.code.insert(address, code);
        }
    }
}

/// A function as the loader knows it. Of this library's own, only those of the ABI are told.
fn named(function: *mut c_void, is_own: bool) -> Option<Line> {
    let name = exported_name(function)?;
    let line = Line::new(None, 0, &name);
    (!is_own || name.starts_with(C_PREFIX) && !line.text.is_empty()).then_some(line)
}

/// The name of the function that a library exports at an address. The loader knows it, debug information or not.
fn exported_name(address: *mut c_void) -> Option<String> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for. Where there is no answer, no name is found in what was all zero; else it is a C string.
    unsafe {
        libc::dladdr(address, info.as_mut_ptr());
        let info = info.assume_init();
        if info.dli_saddr != address || info.dli_sname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_sname).to_str().ok().map(str::to_owned)
    }
}

fn line_of(symbol: &Symbol) -> Option<Line> {
    let file = symbol.filename().map(|file| file.display().to_string());
    let function = match symbol.name() {
        Some(name) => format!("{name:#}"),
        None => format!("{:#018x}", symbol.addr().filter(|_| file.is_some())? as usize),
    };
    Some(Line::new(file.as_deref(), symbol.lineno().map_or(0, i64::from), &function))
}

/// What the loader lists. It is only asked under the lock: a child that was forked while another thread went through the list could
/// never do so itself.
impl Known {
    /// Where this library's own code lies.
    fn own_code(&self) -> &'static Range<usize> {
        static CODE: Found<Range<usize>> = Found::new();
        CODE.get_or_find(|| self.code_around(line_of as *const () as usize))
    }

    /// Where the C library's code lies.
    fn libc_code(&self) -> &'static Range<usize> {
        static CODE: Found<Range<usize>> = Found::new();
        CODE.get_or_find(|| self.code_around(libc::abort as *const () as usize))
    }

    /// The loaded segment that an address lies in.
    fn code_around(&self, address: usize) -> Range<usize> {
        let mut search = Search { address, found: 0..0 };
        // SAFETY: the callback gets the address of `search`, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(find_range), (&raw mut search).cast()) };
        search.found
    }

    /// Where the code lies that came with the program, which stays to its end: all that the loader has loaded before itself.
    fn program_code(&self) -> &'static [Range<usize>] {
        static CODE: Found<Vec<Range<usize>>> = Found::new();
        CODE.get_or_find(|| {
            let mut search = ProgramSearch { found: Vec::new(), objects: 0, of_first: 0 };
            // SAFETY: the callback gets the address of `search`, which outlives the call.
            let is_complete = unsafe { libc::dl_iterate_phdr(Some(find_program), (&raw mut search).cast()) } != 0;
            // The first one is the program itself. Where the loader does not tell which one it is, nothing is known of the others.
            search.found.truncate(if is_complete { usize::MAX } else { search.of_first });
            search.found
        })
    }

    /// How often libraries have been loaded and unloaded so far.
    fn loader_generation(&self) -> (u64, u64) {
        let mut generation = (0, 0);
        // SAFETY: the callback gets the address of `generation`, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(read_generation), (&raw mut generation).cast()) };
        generation
    }
}

struct ProgramSearch {
    found: Vec<Range<usize>>,
    /// How many objects have been looked at, and how many parts the first one had.
    objects: usize,
    of_first: usize,
}

unsafe extern "C" fn find_program(info: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
    // SAFETY: the loader passes a readable description of one loaded object, `program_code` its search.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<ProgramSearch>()) };
    // SAFETY: as for `segments`; the other call answers a number.
    let (segments, loader) = unsafe { (segments(info), libc::getauxval(libc::AT_BASE)) };
    search.found.extend(segments);
    search.objects += 1;
    if search.objects == 1 {
        search.of_first = search.found.len();
    }
    c_int::from(loader != 0 && info.dlpi_addr == loader)
}

/// The loaded segments of an object.
///
/// # Safety
/// The description is one of the loader's.
unsafe fn segments(info: &libc::dl_phdr_info) -> impl Iterator<Item = Range<usize>> {
    // SAFETY: the loader vouches for the program headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let base = info.dlpi_addr;
    headers.iter().filter(|header| header.p_type == libc::PT_LOAD).map(move |header| {
        let start = (base + header.p_vaddr) as usize;
        start..start + header.p_memsz as usize
    })
}

struct Search {
    address: usize,
    found: Range<usize>,
}

unsafe extern "C" fn find_range(info: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
    // SAFETY: the loader passes a readable description of one loaded object, `code_around` its search.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: as above.
    match unsafe { segments(info) }.find(|range| range.contains(&search.address)) {
        Some(range) => {
            search.found = range;
            1
        }
        None => 0,
    }
}

unsafe extern "C" fn read_generation(info: *mut libc::dl_phdr_info, _size: usize, generation: *mut c_void) -> c_int {
    // SAFETY: the loader passes a readable description, `loader_generation` a writable pair.
    unsafe { *generation.cast::<(u64, u64)>() = ((*info).dlpi_adds, (*info).dlpi_subs) };
    1
}
