//! Which objects there are: found in the memory of the process, since no library says.

use std::{collections::BTreeMap, ffi::c_void, ops::Range};

use tvm_ffi_spec::*;

use crate::client::{header, memory};

/// How many bytes are looked at once: so many that malloc always has them from the system, and nothing that was looked at stays
/// behind to be found the next time.
const WINDOW: usize = 33 << 20;
/// How much of a stretch of memory is looked at.
const MOST: usize = 256 << 20;
/// Where the indices of types end that a check may have registered.
const TYPES_END: i32 = 1 << 14;

/// How many objects of each type there are.
pub fn objects() -> BTreeMap<i32, usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let (heap, code) = (ranges(&maps, is_heap), ranges(&maps, |access, _| access.contains('x')));
    let mut found = BTreeMap::new();
    // Nothing else may hold what is looked at: memory of malloc's own would be looked at the next time.
    let mut window = vec![0_u8; WINDOW];
    for range in heap {
        for start in (range.start..range.end.min(range.start + MOST)).step_by(WINDOW) {
            let window = &mut window[..WINDOW.min(range.end - start)];
            if memory::read_into(start as *const c_void, window) {
                count(window, &code, &mut found);
            }
        }
    }
    // An allocator of a sanitizer keeps for a while what was given back.
    std::hint::black_box(&mut window).fill(0);
    std::hint::black_box(&window);
    found
}

fn is_heap(access: &str, file: &str) -> bool {
    access.starts_with("rw") && (file.is_empty() || file == "[heap]")
}

/// The stretches of memory that are wanted, by what may be done with them and by their file.
fn ranges(maps: &str, wanted: impl Fn(&str, &str) -> bool) -> Vec<Range<usize>> {
    let range = |line: &str| {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let (access, file) = (words.next()?, words.nth(3).unwrap_or_default().trim());
        let number = |digits| usize::from_str_radix(digits, 16).ok();
        wanted(access, file).then_some(number(start)?..number(end)?)
    };
    maps.lines().filter_map(range).collect()
}

/// Counts what looks like the header of an object that lives.
fn count(memory: &[u8], code: &[Range<usize>], found: &mut BTreeMap<i32, usize>) {
    const COUNTS: Range<u64> = 1..1 << 20;
    let (words, _) = memory.as_chunks::<8>();
    for header in words.windows(size_of::<TVMFFIObject>() / 8) {
        let word = |at: usize| u64::from_ne_bytes(header[at]);
        let ([counts, kind], deleter) = (header::words([word(0), word(1)]), word(2) as usize);
        let lives = COUNTS.contains(&(counts & 0xFFFF_FFFF)) && COUNTS.contains(&(counts >> 32));
        let has_type = (kTVMFFIStaticObjectBegin as u64..TYPES_END as u64).contains(&kind);
        if lives && has_type && code.iter().any(|code| code.contains(&deleter)) {
            *found.entry(kind as i32).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn living_objects_are_counted_by_type() {
        let header = |counts: u64, type_index: u64, deleter: u64| [counts, type_index, deleter].map(u64::to_ne_bytes);
        let memory = [header(1 << 32 | 1, 71, 0x1010), header(1 << 32, 71, 0x1010), header(2 << 32 | 1, 71, 0x9000)];
        let mut found = BTreeMap::new();
        count(memory.as_flattened().as_flattened(), &[0x1000..0x2000, 0x5000..0x6000], &mut found);
        assert_eq!(found, BTreeMap::from([(71, 1)]));
    }

    /// Malloc takes blocks as large as those that were given back from its own memory, and not from the system any more.
    #[test]
    fn looking_leaves_nothing_to_be_found() {
        const TYPE: i32 = TYPES_END - 17;
        drop(std::hint::black_box(vec![1_u8; 31 << 20]));
        let deleter = living_objects_are_counted_by_type as *const () as u64;
        let living = vec![[1 << 32 | 1, TYPE as u64, deleter]; 500];
        for look in 0..3 {
            // This thread's stack may hold the pattern, too.
            let found = objects().get(&TYPE).copied().unwrap_or_default();
            assert!((500..510).contains(&found), "{found} at look {look}");
        }
        drop(living);
    }
}
