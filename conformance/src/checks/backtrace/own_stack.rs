//! Backtraces and errors on stacks that a client has made: those of coroutines, which it switches to, and the one that it
//! has signals handled on.

use std::{
    ffi::c_int,
    mem::{self, ManuallyDrop},
    ptr::null_mut,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Raised, Verdict, callback, header, memory},
    trial::Trial,
};

/// On a stack that a client has made, be it that of a coroutine or the one that signals are handled on, a backtrace begins with the given
/// place, and errors, raised from C strings or by the library itself, have their kind, their message and a well-formed backtrace.
#[check(
    BTR_0002,
    BTR_0001,
    BTR_0010,
    ERR_0010,
    TYP_0008,
    plain = "a sanitizer does not know of stacks that a client switches to"
)]
fn on_stacks_of_clients(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for (stack, size) in [
        ("the stack of a coroutine", 256 << 10),
        ("the stack of a coroutine", 1 << 20),
        ("the stack of signals", 256 << 10),
    ] {
        let what = format!("{stack} of {} KiB", size >> 10);
        let made = Stack::new(size).ok_or_else(|| t.error(&what, "no memory"))?;
        // From the second time on, what a library has found out about the thread is known to it.
        for _ in 0..2 {
            let done = if stack.ends_with("signals") { made.in_handler() } else { made.in_coroutine() };
            if !done {
                return Err(t.error(&what, "cannot be switched to"));
            }
            looks_right(t).map_err(|failure| failure.noting(format!("on {what}")))?;
        }
    }
    Ok(())
}

/// Expects what was seen on another stack to be what is seen on any.
fn looks_right(t: &Trial) -> Verdict {
    let Seen { backtraces, errors } = mem::take(&mut *seen());
    for backtrace in &backtraces {
        t.clause(id::BTR_0002);
        let first = backtrace.lines().next().unwrap_or_default();
        t.eq("first line of the backtrace", first, r#"  File "own_stack.c", line 12, in on_it"#)?;
        t.clause(id::BTR_0001);
        t.well_formed(backtrace)?;
    }
    for (at, error) in errors.into_iter().enumerate() {
        let (clause, kinds): (_, &[_]) = if at == 0 { (id::ERR_0010, &["ValueError"]) } else { (id::TYP_0008, &[]) };
        t.clause(clause);
        // It is raised again to be looked at as every error is.
        t.ne("address of the error that was raised", error, 0)?;
        t.api.TVMFFIErrorSetRaised(error as TVMFFIObjectHandle);
        drop(t.own_object("the error that was raised", error as TVMFFIObjectHandle)?);
        let Raised { message, backtrace, .. } = t.raises(-1, kinds)?;
        if at == 0 {
            t.eq("message of the raised error", message.as_str(), "on a stack of its own")?;
        }
        t.clause(id::BTR_0010);
        t.well_formed(&backtrace)?;
    }
    Ok(())
}

/// What came of the calls on another stack: backtraces, and the addresses of errors.
#[derive(Default)]
struct Seen {
    backtraces: Vec<String>,
    errors: Vec<usize>,
}

static SEEN: Mutex<Seen> = Mutex::new(Seen { backtraces: Vec::new(), errors: Vec::new() });

fn seen() -> impl std::ops::DerefMut<Target = Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes backtraces, raises an error, and has the library raise one.
extern "C" fn use_library() {
    let Some(api) = callback::api() else { return };
    let mut seen = seen();
    for cross_ffi_boundary in [0, 1] {
        let array =
            memory::read(api.TVMFFIBacktrace(c"own_stack.c".as_ptr(), 12, c"on_it".as_ptr(), cross_ffi_boundary));
        let bytes = array.and_then(|array| memory::read_bytes(array.data.cast(), array.size));
        let text = bytes.map_or("<unreadable>".to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
        seen.backtraces.push(header::turned_round(&text));
    }
    let mut taken = || {
        let mut error = null_mut();
        api.TVMFFIErrorMoveFromRaised(&mut error);
        seen.errors.push(error as usize);
    };
    api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"on a stack of its own".as_ptr());
    taken();
    api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_type"), &mut 0);
    taken();
}

extern "C" fn on_signal(_: c_int) {
    use_library();
}

/// Memory for a stack, below which nothing can be read.
struct Stack {
    start: *mut libc::c_void,
    size: usize,
}

const GUARD: usize = 64 << 10;

impl Stack {
    fn new(size: usize) -> Option<Self> {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, part of which is closed again.
        unsafe {
            let start = libc::mmap(null_mut(), GUARD + size, access, flags, -1, 0);
            let made = start != libc::MAP_FAILED && libc::mprotect(start, GUARD, libc::PROT_NONE) == 0;
            made.then_some(Self { start, size })
        }
    }

    /// Where the stack lies, as the system is told.
    fn told(&self) -> libc::stack_t {
        libc::stack_t { ss_sp: self.start.wrapping_byte_add(GUARD), ss_flags: 0, ss_size: self.size }
    }

    /// Uses the library on this stack, which the thread is switched to and comes back from.
    fn in_coroutine(&self) -> bool {
        // SAFETY: both contexts are filled before they are used and outlive the switch; the stack is nobody else's.
        unsafe {
            let (mut home, mut other) = (ManuallyDrop::new(mem::zeroed()), ManuallyDrop::new(mem::zeroed()));
            let (home, other): (&mut libc::ucontext_t, &mut libc::ucontext_t) = (&mut home, &mut other);
            if libc::getcontext(other) != 0 {
                return false;
            }
            other.uc_stack = self.told();
            other.uc_link = home;
            libc::makecontext(other, use_library, 0);
            libc::swapcontext(home, other) == 0
        }
    }

    /// Uses the library in a handler of a signal that the thread sends to itself.
    fn in_handler(&self) -> bool {
        // SAFETY: the signal interrupts nothing but this function; what was there before is put back.
        unsafe {
            let (mut stack, mut action): (libc::stack_t, libc::sigaction) = (mem::zeroed(), mem::zeroed());
            let mut new: libc::sigaction = mem::zeroed();
            new.sa_sigaction = on_signal as extern "C" fn(c_int) as usize;
            new.sa_flags = libc::SA_ONSTACK;
            let handled = libc::sigaltstack(&self.told(), &mut stack) == 0
                && libc::sigaction(libc::SIGUSR1, &new, &mut action) == 0
                && libc::raise(libc::SIGUSR1) == 0;
            handled
                && libc::sigaction(libc::SIGUSR1, &action, null_mut()) == 0
                && libc::sigaltstack(&stack, null_mut()) == 0
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: it was mapped, and nothing runs on it any more.
        unsafe { libc::munmap(self.start, GUARD + self.size) };
    }
}
