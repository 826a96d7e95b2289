//! Bytes that nobody can read or write beyond.

use std::ffi::c_void;

use tvm_ffi_spec::TVMFFIByteArray;

/// Bytes in a mapping of their own, right before a page that cannot be read: whoever reads too much of them dies of it.
/// When dropped they are not merely freed but gone.
pub struct GuardedBytes {
    mapping: *mut c_void,
    mapped: usize,
    start: *mut u8,
    len: usize,
}

impl GuardedBytes {
    /// A copy of `bytes`.
    pub fn new(bytes: &[u8]) -> std::io::Result<Self> {
        // SAFETY: sysconf only answers a question.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let readable = bytes.len().next_multiple_of(page);
        let mapped = readable + page;
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the kernel's choice.
        let mapping = unsafe { libc::mmap(std::ptr::null_mut(), mapped, protection, flags, -1, 0) };
        if mapping == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let guard = mapping.wrapping_byte_add(readable);
        let mut copy = Self { mapping, mapped, start: guard.wrapping_byte_sub(bytes.len()).cast(), len: bytes.len() };
        copy.as_mut_slice().copy_from_slice(bytes);
        // SAFETY: the last page of the new mapping, which holds none of the bytes.
        match unsafe { libc::mprotect(guard, page, libc::PROT_NONE) } {
            0 => Ok(copy),
            _ => Err(std::io::Error::last_os_error()),
        }
    }

    /// A view for the target.
    pub fn array(&self) -> TVMFFIByteArray {
        TVMFFIByteArray { data: self.start.cast(), size: self.len }
    }

    /// The bytes, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: `len` mapped and initialised bytes (all zero at first) that are reached through `self` alone.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for GuardedBytes {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this length, and nothing borrows from it any more.
        unsafe { libc::munmap(self.mapping, self.mapped) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::memory::read_bytes;

    #[test]
    fn guarded_bytes_end_where_readable_memory_ends() {
        let mut bytes = GuardedBytes::new(b"text").unwrap();
        let start = bytes.array().data.cast::<c_void>();
        assert_eq!(read_bytes(start, 4), Some(b"text".to_vec()));
        assert_eq!(read_bytes(start, 5), None);
        bytes.as_mut_slice().fill(b'?');
        assert_eq!(read_bytes(start, 4), Some(b"????".to_vec()));
    }
}
