//! Backtraces below code that no file has: what a compiler at run time has just written.

use std::{
    ffi::c_void,
    mem::transmute,
    ptr::{null, null_mut},
};

use super::kit::set_limit;
use crate::{
    checks::check,
    client::{Verdict, callback},
    trial::{Trial, growth::MANY},
};

/// Taking backtraces, or raising errors, below ever other code that was written at run time keeps no memory for each place that it is called from.
#[check(BTR_0012, patient = 4)]
fn below_generated_code_no_growth(t: &Trial) -> Verdict {
    t.serve_callbacks();
    // So that the code is among what is shown, and little else.
    set_limit("8");
    for (what, work) in [("taking backtraces", take as extern "C" fn()), ("raising errors", raise)] {
        let code = Code::new(t)?;
        t.no_growth_with_each(format_args!("heap after {what} below ever other code"), |number| {
            code.call(number, work);
            t.api.release_raised();
            Ok(())
        })?;
    }
    Ok(())
}

extern "C" fn take() {
    if let Some(api) = callback::api() {
        api.TVMFFIBacktrace(c"generated.c".as_ptr(), 1, null(), 1);
    }
}

extern "C" fn raise() {
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"below generated code".as_ptr());
    }
}

/// A function that calls the function that it is given, with a frame of its own: `push rbp; mov rbp, rsp; call rdi; pop rbp; ret`.
#[cfg(target_arch = "x86_64")]
const FUNCTION: &[u8] = &[0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3];
/// The same: `stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret`.
#[cfg(target_arch = "aarch64")]
const FUNCTION: &[u8] = &[
    0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x3f, 0xd6, 0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f,
    0xd6,
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const FUNCTION: &[u8] = &[];

/// How far apart the functions lie.
const APART: usize = 32;

/// As many of these functions as are called, which lie there for the life of the process: their places are never those of others.
struct Code(*mut c_void);

impl Code {
    fn new(t: &Trial) -> Verdict<Self> {
        const SIZE: usize = MANY * APART;
        if FUNCTION.is_empty() {
            return Err(t.not_applicable("the suite knows no code for this processor"));
        }
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new pages, which are filled before anybody calls what is there.
        unsafe {
            let start = libc::mmap(null_mut(), SIZE, access, kind, -1, 0);
            if start == libc::MAP_FAILED {
                return Err(t.error("pages for code", std::io::Error::last_os_error()));
            }
            for number in 0..MANY {
                let place = start.byte_add(number * APART).cast::<u8>();
                place.copy_from_nonoverlapping(FUNCTION.as_ptr(), FUNCTION.len());
            }
            if libc::mprotect(start, SIZE, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                return Err(t.not_applicable("a process may not write code here"));
            }
            let_it_be_fetched(start, SIZE);
            Ok(Self(start))
        }
    }

    /// Has that function call `work`.
    fn call(&self, number: usize, work: extern "C" fn()) {
        // SAFETY: the function lies there, and is one that takes a function.
        unsafe {
            transmute::<*mut c_void, extern "C" fn(extern "C" fn())>(self.0.byte_add(number % MANY * APART))(work)
        };
    }
}

/// Has the processor see the code that was written there.
///
/// # Safety
/// That memory can be read.
#[cfg(target_arch = "aarch64")]
unsafe fn let_it_be_fetched(start: *mut c_void, size: usize) {
    // No line of a cache is shorter.
    let lines = || (0..size).step_by(16).map(|at| start.wrapping_byte_add(at));
    // SAFETY: these only write lines of caches back, or forget them.
    unsafe {
        lines().for_each(|line| std::arch::asm!("dc cvau, {}", in(reg) line));
        std::arch::asm!("dsb ish");
        lines().for_each(|line| std::arch::asm!("ic ivau, {}", in(reg) line));
        std::arch::asm!("dsb ish", "isb");
    }
}

#[cfg(not(target_arch = "aarch64"))]
unsafe fn let_it_be_fetched(_: *mut c_void, _: usize) {}
