//! Memory for what calls are given, at addresses that tell what lies there: when a call dies of an address, that tells of which
//! argument it is, and whether there was anything that the call could have meant to touch.
//!
//! Each argument of each call has a region of its own, of which nothing can be read or written but what is laid down. What lies
//! there ends where readable memory ends, as far as alignment allows; what is beside it up to there is filled, and looked at
//! when the call has returned.

use std::ffi::c_void;

/// Where the first region begins.
const BASE: usize = 0x2000_0000_0000;
/// How large a region is.
const REGION: usize = 32 << 20;
/// How many arguments a call may have here.
pub const ARGUMENTS: usize = 62;
/// The region of a call's array of arguments.
const ARRAY: usize = ARGUMENTS;
/// Regions of a call.
const REGIONS: usize = 64;
/// How many calls there may be.
const CALLS: usize = 64;
const PAGE: usize = 4 << 10;
/// What the bytes beside elements are filled with in the region of the first argument. Each has another filling: what is copied from
/// beside one to beside another is seen.
const FILLING: u8 = 0xA7;
/// The data of a tensor may be as large as this.
pub const LARGEST: usize = 16 << 20;

/// What lies in a region, and where: up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The array of arguments, or something else that an argument points to.
    Plain,
    /// A `DLTensor`.
    Header,
    Shape,
    Strides,
    Data,
    /// What stands for memory of another device: never there.
    Foreign,
}

const PARTS: [(Part, usize); 6] = [
    (Part::Plain, 0),
    (Part::Header, 1 << 20),
    (Part::Shape, 2 << 20),
    (Part::Strides, 3 << 20),
    (Part::Data, 4 << 20),
    (Part::Foreign, 24 << 20),
];

/// How far in a region there is nothing, and never will be.
const NOWHERE: usize = PARTS[PARTS.len() - 1].1 + PAGE;

/// An address of an argument at which nothing is, whether or not the argument has a region.
pub fn nowhere(call: usize, argument: usize) -> usize {
    BASE + (call * REGIONS + argument) * REGION + NOWHERE
}

/// Where an address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which call of the process, from 0 on.
    pub call: usize,
    /// Which argument; `None` for the array of all.
    pub argument: Option<usize>,
    /// What of it.
    pub part: Part,
}

/// Where an address lies, if that is one of these.
pub fn place_of(address: usize) -> Option<Place> {
    let number = address.checked_sub(BASE)? / REGION;
    let (call, argument, offset) = (number / REGIONS, number % REGIONS, address % REGION);
    let (part, _) = PARTS.into_iter().rev().find(|(_, begin)| *begin <= offset)?;
    (call < CALLS).then_some(Place { call, argument: (argument != ARRAY).then_some(argument), part })
}

/// A region.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    base: usize,
}

/// What was laid down in a region.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Where it begins.
    pub start: usize,
    /// How long it is.
    pub len: usize,
    /// The pages that it lies in.
    pages: usize,
    end: usize,
}

impl Region {
    /// The region of an argument.
    pub fn of_argument(call: usize, argument: usize) -> std::io::Result<Self> {
        Self::reserve(call, argument)
    }

    /// The region of the array of arguments.
    pub fn of_array(call: usize) -> std::io::Result<Self> {
        Self::reserve(call, ARRAY)
    }

    fn reserve(call: usize, number: usize) -> std::io::Result<Self> {
        if call >= CALLS || number >= REGIONS {
            return Err(std::io::Error::other("more calls or arguments than there is room for"));
        }
        let base = BASE + (call * REGIONS + number) * REGION;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: a new mapping, which replaces none.
        let mapped = unsafe { libc::mmap(base as *mut c_void, REGION, libc::PROT_NONE, flags, -1, 0) };
        if mapped as usize == base { Ok(Self { base }) } else { Err(std::io::Error::last_os_error()) }
    }

    /// What the bytes beside elements are filled with here.
    pub fn filling(self) -> u8 {
        FILLING.wrapping_add(((self.base - BASE) / REGION % REGIONS) as u8)
    }

    /// Lays bytes down that can be read and written, aligned like that, with `beside` bytes before them that belong to nobody. As much
    /// as alignment allows, they end where readable memory ends.
    pub fn lay(self, part: Part, bytes: &[u8], alignment: usize, beside: usize) -> std::io::Result<Stretch> {
        let place = PARTS.iter().position(|(each, _)| *each == part).unwrap_or_default();
        let begin = PARTS[place].1;
        let end = PARTS.get(place + 1).map_or(REGION, |(_, next)| *next);
        let pages = self.base + begin + PAGE;
        let room = (beside + bytes.len()).next_multiple_of(alignment);
        let readable = room.next_multiple_of(PAGE).max(PAGE);
        if begin + PAGE + readable + PAGE > end {
            return Err(std::io::Error::other(format!("{room} bytes are more than there is room for")));
        }
        let end = pages + readable;
        let start = end - room + beside;
        allow(pages, readable, libc::PROT_READ | libc::PROT_WRITE)?;
        // SAFETY: pages of a region of our own, which can be written now.
        unsafe {
            std::ptr::write_bytes(pages as *mut u8, self.filling(), readable);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), start as *mut u8, bytes.len());
        }
        Ok(Stretch { start, len: bytes.len(), pages, end })
    }

    /// An address at which nothing is, and never will be.
    pub fn nowhere(self) -> usize {
        self.base + NOWHERE
    }

    /// Takes everything away: whoever uses it from now on dies of it.
    pub fn close(self) {
        // A region that stays open only hides a mistake of somebody else's.
        let _ = allow(self.base, REGION, libc::PROT_NONE);
    }
}

impl Stretch {
    /// All bytes of its pages, and where among them it begins.
    pub fn everything(&self) -> (Vec<u8>, usize) {
        // SAFETY: pages of a region of our own that is not closed, which nobody writes while no call runs.
        let bytes = unsafe { std::slice::from_raw_parts(self.pages as *const u8, self.end - self.pages) };
        (bytes.to_vec(), self.start - self.pages)
    }
}

fn allow(address: usize, len: usize, protection: i32) -> std::io::Result<()> {
    // SAFETY: pages of a region of our own.
    match unsafe { libc::mprotect(address as *mut c_void, len, protection) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::memory::read_bytes;

    #[test]
    fn addresses_tell_what_lies_there() {
        let region = Region::of_argument(1, 2).unwrap();
        let data = region.lay(Part::Data, b"elements", 8, 0).unwrap();
        let place = |address| place_of(address).unwrap();
        assert_eq!(place(data.start), Place { call: 1, argument: Some(2), part: Part::Data });
        assert_eq!(place(data.start + 8).part, Part::Data);
        assert_eq!(place(region.nowhere()).part, Part::Foreign);
        assert_eq!(read_bytes(data.start as *const c_void, 8), Some(b"elements".to_vec()));
        assert_eq!(read_bytes(data.start as *const c_void, 9), None);
        assert_eq!(data.everything().0.iter().filter(|&&byte| byte == region.filling()).count(), PAGE - 8);
        region.close();
        assert_eq!(read_bytes(data.start as *const c_void, 8), None);
        assert_eq!(place_of(0x1000), None);
        let array = Region::of_array(0).unwrap();
        assert_eq!(place(array.lay(Part::Plain, &[0; 16], 16, 0).unwrap().start).argument, None);
    }
}
