//! Reading memory that somebody else vouches for.
//!
//! A check follows pointers that came out of the target. If the target is broken they lead anywhere, and the check must
//! say so rather than die of it: every such read goes through the kernel, which answers "bad address" where a load
//! instruction would have ended the process.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::c_void,
    mem::MaybeUninit,
    ops::Range,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// The most bytes that are read at once.
pub const LIMIT: usize = 1 << 30;

/// Has malloc give out again what was given back to it, and writes over it, as a program does that goes on.
pub fn use_again() {
    keep();
    let sizes = (16..1040).step_by(16).flat_map(|size| [size; 48]);
    std::hint::black_box(sizes.map(|size| vec![0xA5_u8; size]).collect::<Vec<_>>());
}

/// Has malloc keep what is given back to it at the end of the heap: who takes much again and again would have it from the kernel each
/// time, page by page.
pub fn keep() {
    // SAFETY: sets a number of malloc's.
    unsafe { libc::mallopt(libc::M_TRIM_THRESHOLD, 64 << 20) };
}

/// Whether the kernel copies everything.
static BY_KERNEL: AtomicBool = AtomicBool::new(false);

/// Has the kernel copy whatever is read from now on: a sanitizer takes copies that the suite makes itself for the target's, and
/// looking around is no mistake of the target's.
pub fn read_by_kernel() {
    BY_KERNEL.store(true, Ordering::Relaxed);
}

/// Copies `len` bytes from `address`, or answers `None` when not all of them are readable.
///
/// No check reads as much as [`LIMIT`]; a length beyond it is garbage itself and is not believed.
pub fn read_bytes(address: *const c_void, len: usize) -> Option<Vec<u8>> {
    if len > LIMIT {
        return None;
    }
    let mut bytes = vec![0_u8; len];
    copy(address, bytes.as_mut_ptr().cast(), len).then_some(bytes)
}

/// Fills `bytes` from `address`; false when not all of them are readable.
pub fn read_into(address: *const c_void, bytes: &mut [u8]) -> bool {
    copy(address, bytes.as_mut_ptr().cast(), bytes.len())
}

/// Copies a plain value from `address`, or answers `None` when it is not readable.
///
/// `T` must be plain data for which any bytes are a value: the types of `tvm_ffi_spec` and integers are.
pub fn read<T: Copy>(address: *const T) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    let complete = copy(address.cast(), value.as_mut_ptr().cast(), size_of::<T>());
    // SAFETY: every byte of the value was written, and the caller chose a type that any bytes are a value of.
    complete.then(|| unsafe { value.assume_init() })
}

/// The bytes of a NUL-terminated string, at most `limit` of them; `None` when they are not readable.
pub fn read_c_str(address: *const c_void, limit: usize) -> Option<Vec<u8>> {
    const PIECE: usize = 64;
    let mut text = Vec::new();
    while text.len() < limit {
        let next = address.wrapping_byte_add(text.len());
        // No piece reaches beyond the memory that its first byte is in.
        let piece = (PIECE - next as usize % PIECE).min(limit - text.len());
        let piece = read_bytes(next, piece)?;
        match piece.iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend_from_slice(&piece[..end]);
                break;
            }
            None => text.extend_from_slice(&piece),
        }
    }
    Some(text)
}

/// Whether what is read is taken down.
static TAKES_DOWN: AtomicBool = AtomicBool::new(false);

thread_local!(static TAKEN_DOWN: RefCell<Snapshot> = const { RefCell::new(Snapshot(BTreeMap::new())) });

/// What lay at the places that were looked at.
#[derive(Default)]
pub struct Snapshot(BTreeMap<usize, Vec<u8>>);

impl Snapshot {
    /// Looks at something, and takes down all that is read of memory meanwhile, by this thread, which is the only one.
    pub fn of<R>(look: impl FnOnce() -> R) -> (R, Self) {
        TAKES_DOWN.store(true, Ordering::Relaxed);
        let seen = look();
        TAKES_DOWN.store(false, Ordering::Relaxed);
        (seen, TAKEN_DOWN.take())
    }

    /// Whether all of it is there as it was, so that another look would see the same.
    pub fn is_unchanged(&self) -> bool {
        let mut now = Vec::new();
        self.0.iter().all(|(address, bytes)| {
            now.resize(bytes.len(), 0);
            read_into(*address as *const c_void, &mut now) && now == *bytes
        })
    }

    fn add(&mut self, address: usize, bytes: &[u8]) {
        let known = self.0.entry(address).or_default();
        if known.len() < bytes.len() {
            *known = bytes.to_vec();
        }
    }
}

fn copy(from: *const c_void, to: *mut c_void, len: usize) -> bool {
    if len == 0 {
        return true;
    }
    let is_complete = copied(from, to, len);
    if is_complete && TAKES_DOWN.load(Ordering::Relaxed) {
        // SAFETY: so many bytes have just been written there.
        let bytes = unsafe { std::slice::from_raw_parts(to.cast_const().cast(), len) };
        TAKEN_DOWN.with_borrow_mut(|snapshot| snapshot.add(from as usize, bytes));
    }
    is_complete
}

fn copied(from: *const c_void, to: *mut c_void, len: usize) -> bool {
    if from.is_null() || len > isize::MAX as usize {
        return false;
    }
    let address = from as usize;
    let at_hand =
        || on_own_stack(address, len) || in_heap(address, len) || in_program(address, len) || is_readable(address, len);
    if !BY_KERNEL.load(Ordering::Relaxed) && at_hand() {
        // SAFETY: `to` has room for `len` bytes. Frames of this thread that have not ended and the constants of this program
        // stay mapped, and the heap is up to its end; of other places the kernel has just said that they are. No more can be
        // known of memory that a black box manages: should one of its threads unmap or write it at this very moment, this
        // process dies or reads torn bytes, as a client would, and it exists for checks.
        unsafe { to.cast::<u8>().copy_from(from.cast(), len) };
        return true;
    }
    let local = libc::iovec { iov_base: to, iov_len: len };
    let remote = libc::iovec { iov_base: from.cast_mut(), iov_len: len };
    // SAFETY: `to` has room for `len` bytes; the kernel checks the other side.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    copied == len as isize || (copied < 0 && !kernel_refuses_address() && copy_through_pipe(from, to, len))
}

/// Whether the kernel says of a few bytes that they can be read. That costs less than having it copy
/// them, which is left to it where it says no.
///
/// The call asks to change the thread's signal mask in a way that does not exist, with a mask at this address: the kernel
/// reads the mask first.
fn is_readable(address: usize, len: usize) -> bool {
    const PAGE: usize = 4096;
    let Some(end) = address.checked_add(len).filter(|_| len <= PAGE) else { return false };
    let pages = (address & !(PAGE - 1)..end).step_by(PAGE);
    pages.into_iter().all(|page| {
        let mask = page.max(address) & !(size_of::<u64>() - 1);
        // SAFETY: the kernel checks the address, and changes nothing for lack of a way to do so.
        let code = unsafe { libc::syscall(libc::SYS_rt_sigprocmask, -1_i64, mask, 0_usize, size_of::<u64>()) };
        code == -1 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
    })
}

// Where the frames of a thread end.
thread_local!(static BOTTOM: usize = stack_bottom());

/// Whether the bytes lie in the frames of the calling thread: most arguments do, and need no system call to be read.
fn on_own_stack(address: usize, len: usize) -> bool {
    let frame = 0_u8;
    let top = &raw const frame as usize;
    address >= top
        && address.checked_add(len).is_some_and(|end| BOTTOM.try_with(|bottom| end <= *bottom).unwrap_or(false))
}

/// Finds out where this thread's frames, the heap and the program's constants lie.
///
/// A process does so before it starts threads: a copy of it that is made while another thread is finding out would wait for that
/// thread for ever.
pub fn survey() {
    let _ = (BOTTOM.try_with(|bottom| *bottom), in_heap(0, 0), in_program(0, 0));
}

/// Whether the bytes lie in the heap that grows at its end, as most objects do: all of it can be read.
fn in_heap(address: usize, len: usize) -> bool {
    static START: OnceLock<Option<usize>> = OnceLock::new();
    let Some(start) = *START.get_or_init(heap_start) else { return false };
    // SAFETY: asks where the heap ends, and moves nothing.
    let heap_end = unsafe { libc::sbrk(0) } as usize;
    address >= start && address.checked_add(len).is_some_and(|end| end <= heap_end)
}

/// Where the heap begins; none if it has nothing yet, or the system does not say.
fn heap_start() -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let heap = maps.lines().find(|line| line.ends_with("[heap]"))?;
    usize::from_str_radix(heap.split('-').next()?, 16).ok()
}

/// Whether the bytes lie among the constants of this program, as names and other literals do.
fn in_program(address: usize, len: usize) -> bool {
    static CONSTANTS: OnceLock<Vec<Range<usize>>> = OnceLock::new();
    let segments = CONSTANTS.get_or_init(|| {
        let mut segments = Vec::new();
        // SAFETY: the callback takes the address of this very vector.
        unsafe { libc::dl_iterate_phdr(Some(constants_of_program), (&raw mut segments).cast()) };
        segments
    });
    let end = address.checked_add(len);
    segments.iter().any(|segment| segment.start <= address && end.is_some_and(|end| end <= segment.end))
}

/// Takes down the segments of the program, which comes first, that can be read and not written.
///
/// # Safety
/// `info` describes a loaded object, and `segments` leads to a `Vec<Range<usize>>`.
unsafe extern "C" fn constants_of_program(
    info: *mut libc::dl_phdr_info,
    _: libc::size_t,
    segments: *mut c_void,
) -> libc::c_int {
    // SAFETY: by contract; the headers of a loaded object are readable.
    let (base, headers, segments) = unsafe {
        let headers = std::slice::from_raw_parts((*info).dlpi_phdr, usize::from((*info).dlpi_phnum));
        ((*info).dlpi_addr as usize, headers, &mut *segments.cast::<Vec<Range<usize>>>())
    };
    let is_constant = |header: &&libc::Elf64_Phdr| {
        header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_R != 0 && header.p_flags & libc::PF_W == 0
    };
    let place = |header: &libc::Elf64_Phdr| {
        let start = base + header.p_vaddr as usize;
        start..start + header.p_memsz as usize
    };
    segments.extend(headers.iter().filter(is_constant).map(place));
    1
}

/// Where the calling thread's stack ends that grows downwards; 0 if it cannot be told.
fn stack_bottom() -> usize {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut start, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are filled in by the first call, read by the second, and given back by the third.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return 0;
        }
        let told = libc::pthread_attr_getstack(attributes.as_ptr(), &mut start, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if told == 0 { start as usize + size } else { 0 }
    }
}

/// Whether the last system call failed because of the address, rather than because the call itself is forbidden here
/// (some sandboxes forbid it).
fn kernel_refuses_address() -> bool {
    !matches!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EPERM | libc::ENOSYS | libc::EACCES))
}

/// The same through a pipe: writing from a bad address fails with EFAULT.
fn copy_through_pipe(from: *const c_void, to: *mut c_void, len: usize) -> bool {
    const CHUNK: usize = 4096;
    let Ok((reader, writer)) = std::io::pipe() else { return false };
    let (reader, writer) = (std::os::fd::AsRawFd::as_raw_fd(&reader), std::os::fd::AsRawFd::as_raw_fd(&writer));
    (0..len).step_by(CHUNK).all(|start| {
        let part = CHUNK.min(len - start);
        // SAFETY: the kernel checks the address; a pipe takes at least one page without blocking.
        let written = unsafe { libc::write(writer, from.wrapping_byte_add(start), part) };
        // SAFETY: `to` has room for `len` bytes, of which this part is within.
        written == part as isize && unsafe { libc::read(reader, to.wrapping_byte_add(start), part) } == part as isize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_readable_is_read() {
        let value = 0x1122_3344_5566_7788_u64;
        assert_eq!(read(&raw const value), Some(value));
        assert_eq!(read(&raw const *Box::new(value)), Some(value));
        assert_eq!(read_bytes((&raw const value).cast(), 8), Some(value.to_ne_bytes().to_vec()));
        assert_eq!(read_c_str(c"abc".as_ptr().cast(), 16), Some(b"abc".to_vec()));
        let mut copied = 0_u64;
        assert!(copy_through_pipe((&raw const value).cast(), (&raw mut copied).cast(), 8));
        assert_eq!(copied, value);
    }

    #[test]
    fn a_bad_address_is_an_answer() {
        assert_eq!(read(std::ptr::null::<u64>()), None);
        assert_eq!(read(std::ptr::dangling::<u64>()), None);
        assert_eq!(read_bytes([0; 8].as_ptr().cast(), usize::MAX), None);
        assert_eq!(read_bytes(0xdead_0000_0000_0000_u64 as *const c_void, 4), None);
        let mut copied = [0_u8; 8];
        assert!(!copy_through_pipe(std::ptr::dangling(), copied.as_mut_ptr().cast(), 8));
    }
}
