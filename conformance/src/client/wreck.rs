//! What a process leaves behind that a signal ends: the signal, the place, the stack, and where its libraries lie.
//!
//! The handler runs in a process that a broken library has ended, so it does next to nothing: it stores numbers and has the
//! kernel copy the rest into memory that another process reads later, and the signal then ends the process as it would have.
//! It takes no lock, asks for no memory and waits for nobody.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};

use serde::{Deserialize, Serialize};

/// The signals that a process gets for what it does itself.
const SIGNALS: [c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS];
const STACK: usize = 1024;
const MAPS: usize = 128 << 10;
const EXCEPTION: usize = 256;

/// Where a process leaves word of its end. Zero bytes are an empty one.
#[repr(C)]
pub struct Wreck {
    /// The process that has ended; 0 for none.
    process: AtomicU32,
    signal: AtomicI32,
    code: AtomicI32,
    address: AtomicU64,
    counter: AtomicU64,
    top: AtomicU64,
    /// What the processor says of a page fault.
    access: AtomicU64,
    words: AtomicUsize,
    stack: [AtomicU64; STACK],
    mapped: AtomicUsize,
    maps: [AtomicU8; MAPS],
    thrown: AtomicUsize,
    exception: [AtomicU8; EXCEPTION],
}

/// What is known of a process that a signal has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// The signal.
    pub signal: i32,
    /// Its `si_code`.
    pub code: i32,
    /// The address that a fault was about.
    pub address: u64,
    /// What the process wanted with it.
    pub access: Access,
    /// Whether the stack was used up.
    pub overflow: bool,
    /// What was executed.
    pub at: Option<Place>,
    /// What may be return addresses on the stack, from its top.
    pub stack: Vec<Place>,
    /// The type of the C++ exception that nobody caught.
    pub exception: Option<String>,
}

/// What a process wanted with an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// To read from it.
    #[default]
    Read,
    /// To write to it.
    Write,
    /// To execute what is there.
    Execute,
}

/// A place in the code of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The library's file.
    pub module: String,
    /// How far into the library.
    pub offset: u64,
}

/// Where this process leaves word of its end.
static WRECK: AtomicPtr<Wreck> = AtomicPtr::new(std::ptr::null_mut());

impl Wreck {
    /// Forgets everything.
    pub fn clear(&self) {
        self.process.store(0, Ordering::Relaxed);
        self.thrown.store(0, Ordering::Relaxed);
    }

    /// Has this process leave word here from now on if a signal ends it. Whatever handlers there were are no more: a process
    /// is to die of its faults at once.
    pub fn watch(&'static self) {
        WRECK.store(std::ptr::from_ref(self).cast_mut(), Ordering::Release);
        for signal in SIGNALS {
            // SAFETY: zero bytes are such a struct; it is filled in before it is used, and the handler is of the type that
            // SA_SIGINFO asks for. A handler that cannot be installed leaves the default, which ends the process.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
                if libc::sigaction(signal, &action, std::ptr::null_mut()) != 0 {
                    libc::signal(signal, libc::SIG_DFL);
                }
            }
        }
    }

    /// What that process has left here, if a signal has ended it.
    pub fn of(&self, process: i32) -> Option<Crash> {
        if self.process.load(Ordering::Acquire) != process.cast_unsigned() {
            return None;
        }
        let maps = bytes(&self.maps, &self.mapped);
        let maps = String::from_utf8_lossy(&maps);
        let maps: Vec<Mapping> = maps.lines().filter_map(Mapping::parse).collect();
        let words = self.words.load(Ordering::Acquire).min(STACK);
        let (address, top) = (self.address.load(Ordering::Relaxed), self.top.load(Ordering::Relaxed));
        // Over which a target may have written.
        let exception = String::from_utf8(bytes(&self.exception, &self.thrown)).unwrap_or_default();
        let signal = self.signal.load(Ordering::Relaxed);
        Some(Crash {
            signal,
            code: self.code.load(Ordering::Relaxed),
            address,
            access: match self.access.load(Ordering::Relaxed) {
                fault if fault & 1 << 4 != 0 => Access::Execute,
                fault if fault & 1 << 1 != 0 => Access::Write,
                _ => Access::Read,
            },
            overflow: signal == libc::SIGSEGV && is_overflow(address, top, &maps),
            at: place(self.counter.load(Ordering::Relaxed), &maps),
            stack: self.stack[..words].iter().filter_map(|word| place(word.load(Ordering::Relaxed), &maps)).collect(),
            exception: Some(exception).filter(|exception| !exception.is_empty()),
        })
    }
}

/// The handler. The signal is blocked while it runs and has its default action again, so that it ends the process when this
/// returns, whoever sent it.
extern "C" fn note(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: stored by `watch` as a reference that stays; the kernel hands a handler what SA_SIGINFO promises.
    unsafe {
        if let Some(wreck) = WRECK.load(Ordering::Acquire).as_ref() {
            let (counter, top, access) = registers(context.cast());
            wreck.signal.store(signal, Ordering::Relaxed);
            wreck.code.store((*info).si_code, Ordering::Relaxed);
            wreck.address.store((*info).si_addr() as u64, Ordering::Relaxed);
            wreck.counter.store(counter, Ordering::Relaxed);
            wreck.top.store(top, Ordering::Relaxed);
            wreck.access.store(access, Ordering::Relaxed);
            copy_stack(wreck, top as usize);
            copy_maps(wreck);
            wreck.process.store(libc::getpid().cast_unsigned(), Ordering::Release);
        }
        libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::syscall(libc::SYS_gettid), signal);
    }
}

/// The program counter, the top of the stack, and what the processor says of a page fault.
#[cfg(target_arch = "x86_64")]
unsafe fn registers(context: *const libc::ucontext_t) -> (u64, u64, u64) {
    // SAFETY: what the kernel hands a handler.
    let registers = unsafe { &(*context).uc_mcontext.gregs };
    let register = |number: c_int| registers[number as usize].cast_unsigned();
    (register(libc::REG_RIP), register(libc::REG_RSP), register(libc::REG_ERR))
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn registers(_: *const libc::ucontext_t) -> (u64, u64, u64) {
    (0, 0, 0)
}

/// Has the kernel copy what it can of the top of the stack.
unsafe fn copy_stack(wreck: &Wreck, top: usize) {
    const PAGE: usize = 4096;
    const WORD: usize = size_of::<u64>();
    let top = top & !(WORD - 1);
    let local = libc::iovec { iov_base: wreck.stack.as_ptr() as *mut c_void, iov_len: STACK * WORD };
    // A part for each page, since the kernel copies parts that it can copy whole.
    let mut parts = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; STACK * WORD / PAGE + 1];
    let (mut from, end) = (top, top.saturating_add(STACK * WORD));
    for part in &mut parts {
        let until = (from / PAGE + 1).saturating_mul(PAGE).min(end);
        *part = libc::iovec { iov_base: from as *mut c_void, iov_len: until.saturating_sub(from) };
        from = until;
    }
    // SAFETY: the local part is the array's own memory, whose atomics may be written at any time; the kernel checks the others.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, parts.as_ptr(), parts.len() as u64, 0) };
    wreck.words.store(usize::try_from(copied).unwrap_or_default() / WORD, Ordering::Release);
}

/// Has the kernel write down where the libraries lie.
unsafe fn copy_maps(wreck: &Wreck) {
    let mut mapped = 0;
    // SAFETY: a C string; the kernel writes into the rest of the array, whose atomics may be written at any time.
    unsafe {
        let file = libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        while mapped < MAPS {
            let rest = wreck.maps[mapped..].as_ptr() as *mut c_void;
            match libc::read(file, rest, MAPS - mapped) {
                ..=0 => break,
                read => mapped += read as usize,
            }
        }
        libc::close(file);
    }
    wreck.mapped.store(mapped, Ordering::Release);
}

fn bytes(place: &[AtomicU8], len: &AtomicUsize) -> Vec<u8> {
    let len = len.load(Ordering::Acquire).min(place.len());
    place[..len].iter().map(|byte| byte.load(Ordering::Relaxed)).collect()
}

/// A line of `/proc/self/maps`.
struct Mapping<'a> {
    start: u64,
    end: u64,
    access: &'a str,
    /// Whether it begins where its file does.
    first: bool,
    file: &'a str,
}

impl<'a> Mapping<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let number = |digits| u64::from_str_radix(digits, 16).ok();
        let (access, offset, file) = (words.next()?, words.next()?, words.nth(2).unwrap_or_default().trim());
        Some(Self { start: number(start)?, end: number(end)?, access, first: number(offset)? == 0, file })
    }

    fn holds(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }
}

/// The place of an address in the code of a library.
fn place(address: u64, maps: &[Mapping]) -> Option<Place> {
    let code = maps.iter().find(|map| map.holds(address) && map.access.contains('x') && map.file.starts_with('/'))?;
    // The file may be mapped elsewhere, too, by whoever has read its symbols.
    let begins = |map: &&Mapping| map.first && map.file == code.file && map.start <= address;
    let base = maps.iter().filter(begins).map(|map| map.start).max()?;
    Some(Place { module: code.file.to_owned(), offset: address - base })
}

/// Whether a fault is the end of a stack: close to its top, and where nothing may be.
fn is_overflow(address: u64, top: u64, maps: &[Mapping]) -> bool {
    const FRAME: u64 = 1 << 20;
    const RED_ZONE: u64 = 64 << 10;
    let near = address >= top.saturating_sub(FRAME) && address < top.saturating_add(RED_ZONE);
    near && !maps.iter().any(|map| map.holds(address) && map.access.starts_with('r'))
}

/// What C++ calls when nobody catches an exception, before this was installed.
static TERMINATE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static EXCEPTION_TYPE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static DEMANGLE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Has the type of a C++ exception that nobody catches noted, if what is loaded brings C++ with it. `find` answers the address
/// of a symbol.
pub fn watch_exceptions(find: impl Fn(&CStr) -> *mut c_void) {
    let set_terminate = find(c"_ZSt13set_terminatePFvvE");
    let (exception_type, demangle) = (find(c"__cxa_current_exception_type"), find(c"__cxa_demangle"));
    if set_terminate.is_null() || exception_type.is_null() || demangle.is_null() {
        return;
    }
    EXCEPTION_TYPE.store(exception_type, Ordering::Relaxed);
    DEMANGLE.store(demangle, Ordering::Relaxed);
    type SetTerminate = unsafe extern "C" fn(extern "C" fn()) -> *mut c_void;
    // SAFETY: the function of the C++ runtime that has this name, which is of this type.
    let set_terminate = unsafe { std::mem::transmute::<*mut c_void, SetTerminate>(set_terminate) };
    // SAFETY: the handler takes and answers nothing, and does not return.
    let before = unsafe { set_terminate(note_exception) };
    if before != note_exception as *mut c_void {
        TERMINATE.store(before, Ordering::Relaxed);
    }
}

/// Notes the exception that nobody catches, and goes on as C++ would have.
extern "C" fn note_exception() {
    // SAFETY: stored by `watch` as a reference that stays.
    if let (Some(wreck), Some(name)) = (unsafe { WRECK.load(Ordering::Acquire).as_ref() }, exception_type()) {
        let len = name.len().min(EXCEPTION);
        wreck.exception.iter().zip(&name[..len]).for_each(|(place, byte)| place.store(*byte, Ordering::Relaxed));
        wreck.thrown.store(len, Ordering::Release);
    }
    let before = TERMINATE.load(Ordering::Relaxed);
    if !before.is_null() {
        // SAFETY: what C++ would have called.
        unsafe { std::mem::transmute::<*mut c_void, extern "C" fn()>(before)() };
    }
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

/// The name of the current exception's type, as C++ writes it.
fn exception_type() -> Option<Vec<u8>> {
    type Current = unsafe extern "C" fn() -> *const [*const c_char; 2];
    type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;
    // SAFETY: the functions of the C++ runtime that have these names, which are of these types: a type's information is a
    // virtual table and a name, and a name that is demangled is one that nobody else has.
    unsafe {
        let current = std::mem::transmute::<*mut c_void, Current>(EXCEPTION_TYPE.load(Ordering::Relaxed));
        let name = current().as_ref()?[1];
        let demangle = std::mem::transmute::<*mut c_void, Demangle>(DEMANGLE.load(Ordering::Relaxed));
        let readable = demangle(name, std::ptr::null_mut(), std::ptr::null_mut(), &mut 0);
        let name = if readable.is_null() { name } else { readable };
        Some(CStr::from_ptr(name).to_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d000000000-55d000001000 r--p 00000000 08:01 17 /bin/program
7e0000000000-7e0000004000 r--p 00000000 08:01 18 /a folder/libtvm_ffi.so
7f0000000000-7f0000001000 r--p 00000000 08:01 18 /a folder/libtvm_ffi.so
7f0000001000-7f0000003000 r-xp 00001000 08:01 18 /a folder/libtvm_ffi.so
7f0000003000-7f0000004000 rw-p 00003000 08:01 18 /a folder/libtvm_ffi.so
7f0000010000-7f0000011000 ---p 00000000 00:00 0
7f0000011000-7f0000020000 rw-p 00000000 00:00 0
7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]
";

    fn maps() -> Vec<Mapping<'static>> {
        MAPS.lines().filter_map(Mapping::parse).collect()
    }

    #[test]
    fn a_place_is_counted_from_the_beginning_of_its_library() {
        let found = place(0x7f00_0000_1a20, &maps());
        assert_eq!(found, Some(Place { module: "/a folder/libtvm_ffi.so".to_owned(), offset: 0x1a20 }));
        assert_eq!(place(0x7f00_0000_3010, &maps()), None, "data is no code");
        assert_eq!(place(8, &maps()), None);
    }

    #[test]
    fn the_end_of_a_stack_is_told_from_a_bad_pointer() {
        for (address, top, expected) in [
            (0x7f00_0001_0ff8, 0x7f00_0001_1000, true),
            (0x7ffb_ffff_fff8, 0x7ffc_0000_0000, true),
            (0x7ffc_0000_1000, 0x7ffc_0000_1000, false),
            (0x8, 0x7ffc_0000_1000, false),
        ] {
            assert_eq!(is_overflow(address, top, &maps()), expected, "{address:#x}");
        }
    }
}
