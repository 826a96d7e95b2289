//! What a thread looks at all the time: with each object that ends, and with each error.
//!
//! A shared library comes to memory of the thread by a call of the loader, `__tls_get_addr`, which looks for it in a table. Where
//! the loader knows descriptors it does so only if it has to: if there is room, the memory lies next to the thread's own, and a
//! descriptor says how far from it. The compiler has no descriptors yet, so the words that they pay for are taken together here.

use std::{cell::Cell, ffi::c_void};

use tvm_ffi_spec::DLPackManagedTensorAllocator;

/// The words of a thread, all zero at its beginning. They have no destructor, and serve to its very end.
#[repr(C)]
pub struct ThreadWords {
    /// How deep the ends of objects are nested, ...
    pub depth: Cell<u8>,
    /// ... and whether any are still to come: `object::deferred_end`.
    pub some_postponed: Cell<bool>,
    /// Whether the end of the thread will be noticed: `thread_end`.
    pub end_is_marked: Cell<bool>,
    /// The raised error, or NULL: `border::raised`.
    pub raised: Cell<*mut c_void>,
    /// The allocator of tensors, if the thread has one of its own: `environment::tensor_allocator`.
    pub tensor_allocator: Cell<Option<DLPackManagedTensorAllocator>>,
}

/// The words of this thread.
#[inline(always)]
pub fn get() -> &'static ThreadWords {
    // SAFETY: the memory is the thread's to its end, and what is not `Sync` does not leave the thread. Nothing but zeros is in it
    // that was not put there through the cells.
    unsafe { &*address() }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", not(miri)))]
mod descriptor {
    use std::arch::{asm, global_asm};

    use super::ThreadWords;

    /// Lends the words its name, which no other copy of this code has.
    static NAME: u8 = 0;

    global_asm!(
        ".pushsection .tbss, \"awT\", @nobits",
        ".balign {align}",
        ".globl {name}.words",
        ".hidden {name}.words",
        ".type {name}.words, @object",
        ".size {name}.words, {size}",
        "{name}.words:",
        ".zero {size}",
        ".popsection",
        name = sym NAME,
        size = const size_of::<ThreadWords>(),
        align = const align_of::<ThreadWords>(),
    );

    #[inline(always)]
    pub fn address() -> *const ThreadWords {
        let address;
        // SAFETY: the loader's function answers how far the words are from the thread's own memory, whose address lies at its
        // beginning. It keeps all registers by contract, but not those of vectors before version 2.40 of the C library.
        unsafe {
            asm!(
                "lea rax, [rip + {name}.words@tlsdesc]",
                "call [rax + {name}.words@tlscall]",
                "add rax, fs:[0]",
                name = sym NAME,
                out("rax") address,
                clobber_abi("C"),
                options(pure, nomem),
            );
        }
        address
    }
}
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", not(miri)))]
use descriptor::address;

/// Elsewhere they are found as any other.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", not(miri))))]
fn address() -> *const ThreadWords {
    thread_local! {
        static WORDS: ThreadWords = const {
            // SAFETY: zeros are no pointers and no function.
            unsafe { std::mem::zeroed() }
        };
    }
    WORDS.with(std::ptr::from_ref)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn each_thread_has_words_of_its_own() {
        let here = || std::ptr::from_ref(get()).addr();
        get().depth.set(7);
        let elsewhere = thread::spawn(move || (here(), get().depth.replace(8))).join().unwrap();
        assert_eq!((get().depth.replace(0), elsewhere.1), (7, 0));
        assert_ne!(here(), elsewhere.0);
    }
}
