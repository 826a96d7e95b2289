//! Steps up the stack: how to get from a frame to the one that called it.
//!
//! A step is the same whenever code is left at the same address, and nearly always takes no more than the stack pointer and
//! the frame pointer. So it is read from the unwind information once, and remembered by whoever walks. Where a step takes
//! more, or where nothing is known of the code, there is none, and the platform's unwinder has to be asked.

use std::{ffi::c_void, ops::Range, ptr, slice};

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameOffset, NativeEndian, RegisterRule, UnwindContext, UnwindSection, X86_64,
};

/// Where the execution of a frame goes on when what it has called returns.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The address of the code.
    pub address: usize,
    /// The stack pointer.
    pub sp: usize,
    /// The frame pointer.
    bp: usize,
}

/// How to get from a frame to the one that called it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The return address lies right below the stack pointer that the caller had.
    Up {
        /// Whether the frame pointer leads there, or else the stack pointer.
        by_bp: bool,
        /// How far away that is.
        offset: isize,
        /// Where the frame pointer of the caller lies, seen from there; `None` if the frame has left it alone.
        saved_bp: Option<isize>,
    },
    /// Nobody called: the thread began here.
    End,
}

/// The place of the function that this is inlined into; `None` on other processors than those whose steps are known.
#[inline(always)]
pub fn here() -> Option<Place> {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        let (address, sp, bp);
        // SAFETY: three registers are read.
        unsafe {
            // As of a call: the address is the one behind.
            std::arch::asm!("mov {}, rsp", "mov {}, rbp", "lea {}, [rip]", out(reg) sp, out(reg) bp, out(reg) address,
                options(nomem, nostack, preserves_flags));
        }
        Some(Place { address, sp, bp })
    }
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    None
}

impl Place {
    /// The place of the caller; `None` if it is not on the stack, so that the step cannot have been right.
    ///
    /// # Safety
    /// The stack can be read from the stack pointer of this place to its end.
    pub unsafe fn up(&self, by_bp: bool, offset: isize, saved_bp: Option<isize>, end: usize) -> Option<Self> {
        let sp = (if by_bp { self.bp } else { self.sp }).wrapping_add_signed(offset);
        let read = |address: usize| {
            let can_be_read = self.sp <= address && address < end && address.is_multiple_of(size_of::<usize>());
            // SAFETY: the address is on the stack.
            can_be_read.then(|| unsafe { ptr::with_exposed_provenance::<usize>(address).read() })
        };
        let address = read(sp.wrapping_sub(size_of::<usize>()))?;
        let bp = match saved_bp {
            Some(offset) => read(sp.wrapping_add_signed(offset))?,
            None => self.bp,
        };
        Some(Self { address, sp, bp })
    }
}

/// What the platform's unwinder says of a function besides where its unwind information lies.
#[repr(C)]
struct Bases {
    text: *const c_void,
    data: *const c_void,
    function: *mut c_void,
}

unsafe extern "C" {
    fn _Unwind_Find_FDE(address: *const c_void, bases: *mut Bases) -> *const u8;
}

/// A function that has unwind information.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its address.
    pub start: *mut c_void,
    entry: *const u8,
}

impl Function {
    /// The function that a return address leads back to.
    pub fn at(address: usize) -> Option<Self> {
        let mut bases = Bases { text: ptr::null(), data: ptr::null(), function: ptr::null_mut() };
        // SAFETY: any address may be asked for; what is found is written.
        let entry = unsafe { _Unwind_Find_FDE(ptr::without_provenance(address.wrapping_sub(1)), &mut bases) };
        (!entry.is_null()).then_some(Self { start: bases.function, entry })
    }

    /// The step from a place in it.
    pub fn step_from(&self, address: usize) -> Option<Step> {
        // SAFETY: the entry is one of a section that the unwinder has found.
        let section = unsafe { section_around(self.entry)? };
        let start = section.start as usize;
        // SAFETY: what is known of loaded code can be read.
        let bytes = unsafe { slice::from_raw_parts(section.start, section.end as usize - start) };
        let bases = BaseAddresses::default().set_eh_frame(start as u64);
        let section = EhFrame::new(bytes, NativeEndian);
        let entry = EhFrameOffset(self.entry as usize - start);
        let entry = section.fde_from_offset(&bases, entry, EhFrame::cie_from_offset).ok()?;
        if entry.is_signal_trampoline() {
            return None;
        }
        let mut context = UnwindContext::new();
        let row = entry.unwind_info_for_address(&section, &bases, &mut context, address as u64 - 1).ok()?;
        match row.register(X86_64::RA)? {
            RegisterRule::Offset(-8) => {}
            RegisterRule::Undefined => return Some(Step::End),
            _ => return None,
        }
        let saved_bp = match row.register(X86_64::RBP) {
            None | Some(RegisterRule::SameValue) => None,
            Some(RegisterRule::Offset(offset)) => Some(offset as isize),
            _ => return None,
        };
        match *row.cfa() {
            CfaRule::RegisterAndOffset { register: register @ (X86_64::RSP | X86_64::RBP), offset }
                if row.register(X86_64::RSP).is_none() =>
            {
                Some(Step::Up { by_bp: register == X86_64::RBP, offset: offset as isize, saved_bp })
            }
            _ => None,
        }
    }
}

/// The part of a section of unwind information that has an entry, and in front of it what the entry shares with others.
///
/// # Safety
/// `entry` is one of a section in memory.
unsafe fn section_around(entry: *const u8) -> Option<Range<*const u8>> {
    const EXTENDED: u32 = u32::MAX;
    // SAFETY: an entry begins with its length, which does not count itself. Then comes how far back the shared part is.
    unsafe {
        let word = entry.cast::<u32>();
        let (len, back) = (word.read_unaligned(), word.add(1).read_unaligned());
        (len != EXTENDED && back != 0).then(|| entry.add(4).sub(back as usize)..entry.add(4 + len as usize))
    }
}

#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod tests {
    use super::*;
    use crate::system::stack;

    /// The addresses on the stack of this function, by steps.
    #[inline(never)]
    fn by_steps() -> Vec<usize> {
        let end = stack::current().unwrap().end;
        let mut places = vec![here().unwrap()];
        loop {
            let place = places[places.len() - 1];
            let step = Function::at(place.address).and_then(|function| function.step_from(place.address));
            match step.expect("tests and the libraries below them are walked by steps") {
                Step::End => return places.iter().map(|place| place.address).collect(),
                Step::Up { by_bp, offset, saved_bp } => {
                    // SAFETY: it is the stack of this thread.
                    places.push(unsafe { place.up(by_bp, offset, saved_bp, end) }.unwrap());
                }
            }
        }
    }

    #[test]
    fn steps_lead_to_where_the_unwinder_gets() {
        let steps = by_steps();
        let mut frames = Vec::new();
        // SAFETY: the platform's unwinder needs no lock.
        unsafe {
            backtrace::trace_unsynchronized(|frame| {
                frames.push(frame.ip() as usize);
                true
            });
        }
        frames.retain(|address| *address != 0);
        // From the caller of this function on.
        let common = steps.iter().rev().zip(frames.iter().rev()).take_while(|(step, frame)| step == frame).count();
        assert!(steps.len() > 5 && common + 2 >= steps.len(), "{steps:x?} {frames:x?}");
    }
}
