//! Memory in large pages: a fork copies the tables of all pages that there are, and symbols that a target has read for its first
//! backtrace can be thousands.

use std::{fs, ops::Range};

const LARGE: usize = 2 << 20;

/// Has the kernel put together what this process has in small pages, where that is much; it may decline.
pub fn gather() {
    let maps = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    for Range { start, end } in stretches(&maps) {
        // SAFETY: changes what kind of pages hold the memory, and nothing in it.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_COLLAPSE) };
    }
}

/// The stretches of memory of no file that are nearly full and hold a large page at least.
fn stretches(maps: &str) -> Vec<Range<usize>> {
    let (mut found, mut latest) = (Vec::new(), None);
    for line in maps.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let Some(rss) = line.strip_prefix("Rss:") {
            let rss = rss.trim().trim_end_matches(" kB").parse().unwrap_or(0_usize) << 10;
            let full = |range: &Range<usize>| rss >= LARGE && rss >= range.len() / 4 * 3;
            found.extend(latest.take().filter(full));
        } else if let [range, "rw-p", _, _, "0", name @ ..] = words.as_slice()
            && matches!(name, [] | ["[heap]"])
        {
            let (start, end) = range.split_once('-').unwrap_or_default();
            let number = |digits| usize::from_str_radix(digits, 16).unwrap_or_default();
            latest = Some(number(start)..number(end));
        } else if line.contains('-') {
            latest = None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_large_and_full_is_put_together() {
        let maps = "\
7f0000000000-7f0000600000 rw-p 00000000 00:00 0 \n\
Size:               6144 kB\n\
Rss:                6000 kB\n\
7f0001000000-7f0001600000 rw-p 00000000 00:00 0 \n\
Rss:                   8 kB\n\
7f0002000000-7f0002600000 r-xp 00000000 08:01 17 /a/lib.so\n\
Rss:                6144 kB\n\
550000000000-550000400000 rw-p 00000000 00:00 0                          [heap]\n\
Rss:                4096 kB\n";
        assert_eq!(stretches(maps), [0x7f00_0000_0000..0x7f00_0060_0000, 0x5500_0000_0000..0x5500_0040_0000]);
    }
}
