//! Breadcrumbs: a page of memory shared between a check's process and the one that watches it.
//!
//! Before each call into the target the check's process writes down the call and its arguments, and before it sets out to
//! decide a clause, the clause. When the process dies, the watcher reads what it was doing. Every thread has a slot of its
//! own, so a crumb is written without a lock.

use std::{
    cell::Cell,
    fmt::{self, Write},
    os::fd::AsFd,
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering},
    },
};

use rustix::{
    fs::SeekFrom,
    mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous},
};
use serde::{Deserialize, Serialize};
use tvm_ffi_spec::clause::id;

use crate::client::{
    layout::{self, Set},
    order,
    sheet::Sheet,
    wreck::{Crash, Wreck},
};

const SLOTS: usize = 16;
const TEXT: usize = 1000;

#[repr(C)]
struct Slot {
    /// When the call began, by the page's clock; 0 for a slot never used.
    began: AtomicU64,
    /// 1 while the call has not returned.
    open: AtomicU32,
    /// The structs that the thread has looked at since then.
    looked_at: AtomicU32,
    /// Those that it had looked at between the call before and this one.
    before: AtomicU32,
    text: Text,
    /// What is written instead while the thread makes a call aside, so that the text before needs no copy; 1 while it does.
    is_aside: AtomicU32,
    aside: Text,
}

#[repr(C)]
struct Text {
    len: AtomicU32,
    bytes: [AtomicU8; TEXT],
}

#[repr(C)]
struct Page {
    clock: AtomicU64,
    threads: AtomicU32,
    /// The place of the clause among all clauses, from 1 on; 0 for none.
    clause: AtomicU32,
    /// 1 while the target is being opened.
    opening: AtomicU32,
    /// How many checks have passed of several that share the process.
    passed: AtomicU32,
    slots: [Slot; SLOTS],
    /// What copies of the process write that the target has made: nobody reads it.
    strangers: Slot,
    wreck: Wreck,
    /// The program that repeats what the process does, where one is written.
    program: Sheet,
}

/// 1 in the process that writes to the page. It lies in memory that is zero in a copy of the process: such a copy goes on with
/// the same page, and would say of calls what is true of its own alone.
static WRITER: OnceLock<&'static AtomicU32> = OnceLock::new();

/// The shared page. Copies refer to the same page. Beyond sixteen threads, and where one process has several pages, two
/// threads may write to one slot, which garbles a report and nothing else: everything in the page is an atomic.
#[derive(Clone, Copy)]
pub struct Crumbs {
    page: &'static Page,
}

/// What a process was doing when it ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trail {
    /// Whether it was opening the target.
    pub opening: bool,
    /// How many checks had passed of several that shared the process.
    pub passed: usize,
    /// The clause it was about to decide, if it had come to one.
    pub clause: Option<String>,
    /// The calls that had not returned, latest first.
    pub open: Vec<String>,
    /// The latest call that had returned.
    pub last: Option<String>,
    /// The structs that were looked at since then, or before the call that had not returned.
    pub looked_at: Vec<String>,
    /// What a signal that ended it found.
    pub crash: Option<Crash>,
    /// The program that repeats what it did, as far as that was written down.
    #[serde(default)]
    pub program: String,
}

impl Crumbs {
    /// Maps the page behind a descriptor.
    pub fn map(fd: impl AsFd) -> rustix::io::Result<Self> {
        rustix::fs::ftruncate(&fd, size_of::<Page>() as u64)?;
        // Where writing begins that is not meant for the page: a target may write to any descriptor.
        rustix::fs::seek(&fd, SeekFrom::Start(size_of::<Page>() as u64))?;
        // SAFETY: a new mapping of the page's size, at an address of the kernel's choice.
        let page = unsafe {
            mmap(std::ptr::null_mut(), size_of::<Page>(), ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, fd, 0)?
        };
        if WRITER.get().is_none() {
            let _ = WRITER.set(wiped_in_copies()?);
        }
        Self::write_here();
        // SAFETY: mapped in its whole size, aligned as mappings are, and never unmapped. Every field is an atomic, of which
        // any bytes are a value, and which other threads and processes may change at any time.
        Ok(Self { page: unsafe { &*page.cast::<Page>() } })
    }

    /// A page that no other process sees.
    pub fn private() -> rustix::io::Result<Self> {
        Self::map(rustix::fs::memfd_create("crumbs", rustix::fs::MemfdFlags::CLOEXEC)?)
    }

    /// Has this process write to the page from now on, in the place of the one that it is a copy of.
    pub fn write_here() {
        if let Some(writer) = WRITER.get() {
            writer.store(1, Ordering::Relaxed);
        }
    }

    /// Forgets everything, before a new check.
    pub fn clear(&self) {
        let page = self.page;
        for slot in &page.slots {
            slot.began.store(0, Ordering::Relaxed);
            slot.open.store(0, Ordering::Relaxed);
            slot.looked_at.store(0, Ordering::Relaxed);
            slot.before.store(0, Ordering::Relaxed);
            slot.is_aside.store(0, Ordering::Relaxed);
        }
        page.wreck.clear();
        page.program.cut(0);
        page.clause.store(0, Ordering::Relaxed);
        page.opening.store(0, Ordering::Relaxed);
        page.passed.store(0, Ordering::Relaxed);
        page.threads.store(0, Ordering::Relaxed);
        page.clock.store(0, Ordering::Release);
    }

    /// The program that repeats what this process does, as [`program`](super::program) writes it.
    pub(super) fn program(&self) -> &'static Sheet {
        &self.page.program
    }

    /// Has this process leave word here if a signal ends it.
    pub fn watch_signals(&self) {
        self.page.wreck.watch();
    }

    /// What a signal that ended that process has left.
    pub fn crash(&self, process: i32) -> Option<Crash> {
        self.page.wreck.of(process)
    }

    /// Notes how many checks have passed of several that share this process.
    pub fn set_passed(&self, count: usize) {
        self.page.passed.store(count as u32, Ordering::Release);
    }

    /// Notes the clause that is being decided.
    pub fn set_clause(&self, clause: &str) {
        let place = id::ALL.binary_search(&clause).map_or(0, |place| place + 1);
        if is_writer() {
            self.page.clause.store(place as u32, Ordering::Release);
        }
    }

    /// The clause that is being decided, if there is one yet.
    pub fn clause(&self) -> Option<&'static str> {
        let place = self.page.clause.load(Ordering::Acquire) as usize;
        place.checked_sub(1).and_then(|place| id::ALL.get(place)).copied()
    }

    /// Notes that the target is opened by `open`: when the process ends meanwhile, it did not survive that.
    pub fn while_opening<R>(&self, target: &Path, open: impl FnOnce() -> R) -> R {
        self.page.opening.store(1, Ordering::Release);
        self.enter(|out| write!(out, "dlopen(\"{}\")", target.display()));
        let result = open();
        self.leave();
        self.page.opening.store(0, Ordering::Release);
        result
    }

    /// Notes a call; `describe` writes it down.
    pub fn enter(&self, describe: impl FnOnce(&mut dyn Write) -> fmt::Result) {
        let slot = self.slot();
        let text = slot.text();
        let mut cursor = Cursor { text: &text.bytes, len: 0 };
        // A full slot only cuts the text off.
        let _ = describe(&mut cursor);
        text.len.store(cursor.len as u32, Ordering::Relaxed);
        slot.before.store(slot.looked_at.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        slot.began.store(self.page.clock.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        slot.open.store(1, Ordering::Release);
        order::begins();
    }

    /// Notes that this thread's call has returned.
    pub fn leave(&self) {
        order::ended();
        self.slot().open.store(0, Ordering::Release);
    }

    /// Notes a call that is not what the check is about, such as the release of what it no longer needs: once it has
    /// returned, the latest call is again the one before it.
    pub fn aside<R>(&self, describe: impl FnOnce(&mut dyn Write) -> fmt::Result, call: impl FnOnce() -> R) -> R {
        let slot = self.slot();
        let looked_at = [&slot.looked_at, &slot.before].map(|set| set.load(Ordering::Relaxed));
        // Within a call aside there is no second place to write to.
        let is_first = slot.is_used() && !slot.is_aside();
        let before = (slot.is_used() && !is_first).then(|| slot.bytes());
        if is_first {
            slot.is_aside.store(1, Ordering::Release);
        }
        self.enter(describe);
        let result = call();
        if let Some(before) = before {
            let text = slot.text();
            text.bytes.iter().zip(&before).for_each(|(place, byte)| place.store(*byte, Ordering::Relaxed));
            text.len.store(before.len() as u32, Ordering::Release);
        }
        if is_first {
            slot.is_aside.store(0, Ordering::Release);
        }
        self.leave();
        slot.looked_at.store(looked_at[0], Ordering::Relaxed);
        slot.before.store(looked_at[1], Ordering::Relaxed);
        result
    }

    /// Adds to what is written of this thread's latest call.
    pub fn add(&self, text: &str) {
        let place = self.slot().text();
        let mut end = Cursor { text: &place.bytes, len: (place.len.load(Ordering::Acquire) as usize).min(TEXT) };
        // A full slot only cuts the text off.
        let _ = end.write_str(text);
        place.len.store(end.len as u32, Ordering::Release);
    }

    /// This thread's latest call, as it was written down.
    pub fn latest(&self) -> Option<String> {
        let slot = self.slot();
        slot.is_used().then(|| slot.read())
    }

    /// Notes that this thread looks at these structs.
    pub(super) fn look_at(&self, structs: Set) {
        if structs != 0 {
            self.slot().looked_at.fetch_or(structs, Ordering::Relaxed);
        }
    }

    /// The structs that this thread has looked at since its latest call began.
    pub fn looked_at(&self) -> Vec<String> {
        layout::names(self.slot().looked_at.load(Ordering::Relaxed))
    }

    /// What the page says now.
    pub fn trail(&self) -> Trail {
        let page = self.page;
        let mut slots: Vec<&Slot> = page.slots.iter().filter(|slot| slot.is_used() && slot.is_sound()).collect();
        slots.sort_by_key(|slot| std::cmp::Reverse(slot.began.load(Ordering::Acquire)));
        let (open, closed): (Vec<&Slot>, Vec<&Slot>) =
            slots.into_iter().partition(|slot| slot.open.load(Ordering::Acquire) == 1);
        let latest = open.first().or(closed.first());
        let looked_at = |slot: &&Slot| slot.looked_at.load(Ordering::Relaxed) | slot.before.load(Ordering::Relaxed);
        Trail {
            looked_at: layout::names(latest.map_or(0, looked_at)),
            opening: page.opening.load(Ordering::Acquire) == 1,
            passed: page.passed.load(Ordering::Acquire) as usize,
            clause: self.clause().map(str::to_owned),
            open: open.into_iter().map(Slot::read).collect(),
            last: closed.first().map(|slot| slot.read()),
            crash: None,
            program: page.program.text(),
        }
    }

    fn slot(&self) -> &'static Slot {
        thread_local!(static SLOT: Cell<Option<usize>> = const { Cell::new(None) });
        if !is_writer() {
            return &self.page.strangers;
        }
        let number = SLOT.with(|slot| {
            slot.get().unwrap_or_else(|| {
                let new = self.page.threads.fetch_add(1, Ordering::Relaxed) as usize % SLOTS;
                slot.set(Some(new));
                new
            })
        });
        &self.page.slots[number]
    }
}

fn is_writer() -> bool {
    WRITER.get().is_some_and(|writer| writer.load(Ordering::Relaxed) == 1)
}

/// A number that is zero in every copy of this process.
fn wiped_in_copies() -> rustix::io::Result<&'static AtomicU32> {
    let len = rustix::param::page_size();
    // SAFETY: a private page of its own, which is never unmapped; wiping it ends nothing but the number that lies in it.
    let page = unsafe {
        let page = mmap_anonymous(std::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)?;
        madvise(page, len, Advice::LinuxWipeOnFork)?;
        page.cast::<AtomicU32>()
    };
    // SAFETY: mapped, zeroed and aligned as pages are, and an atomic, of which any bytes are a value.
    Ok(unsafe { &*page })
}

impl Slot {
    fn is_used(&self) -> bool {
        self.began.load(Ordering::Acquire) != 0
    }

    /// Whether what is here was noted, as far as that can be told of memory that a target may have written over.
    fn is_sound(&self) -> bool {
        self.open.load(Ordering::Acquire) <= 1
            && self.is_aside.load(Ordering::Acquire) <= 1
            && self.text().len.load(Ordering::Acquire) as usize <= TEXT
    }

    fn is_aside(&self) -> bool {
        self.is_aside.load(Ordering::Acquire) == 1
    }

    /// Where the latest call is written.
    fn text(&self) -> &Text {
        if self.is_aside() { &self.aside } else { &self.text }
    }

    fn read(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn bytes(&self) -> Vec<u8> {
        let text = self.text();
        let len = (text.len.load(Ordering::Acquire) as usize).min(TEXT);
        text.bytes[..len].iter().map(|byte| byte.load(Ordering::Relaxed)).collect()
    }
}

/// Writes into a slot, byte by byte: another process may read it meanwhile.
struct Cursor<'a> {
    text: &'a [AtomicU8; TEXT],
    len: usize,
}

impl Write for Cursor<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let mut len = part.len().min(TEXT - self.len);
        while !part.is_char_boundary(len) {
            len -= 1;
        }
        // Not `zip`, which is a call for each part unless the whole program is optimised at once.
        let bytes = &part.as_bytes()[..len];
        for (number, place) in self.text[self.len..][..len].iter().enumerate() {
            place.store(bytes[number], Ordering::Relaxed);
        }
        self.len += len;
        if len == part.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tvm_ffi_spec::{TVMFFIObject, TVMFFITypeInfo};

    use super::*;

    fn crumbs() -> Crumbs {
        Crumbs::private().unwrap()
    }

    #[test]
    fn the_trail_tells_the_call_that_did_not_return() {
        let crumbs = crumbs();
        crumbs.set_clause("STR-0001");
        crumbs.enter(|out| out.write_str("first()"));
        crumbs.leave();
        std::thread::spawn(move || crumbs.enter(|out| out.write_str("second()"))).join().unwrap();
        let trail = crumbs.trail();
        assert_eq!((trail.clause.as_deref(), trail.last.as_deref()), (Some("STR-0001"), Some("first()")));
        assert_eq!(trail.open, ["second()"]);
        crumbs.clear();
        assert!(crumbs.trail().open.is_empty() && crumbs.trail().last.is_none());
    }

    #[test]
    fn a_call_aside_is_the_latest_only_while_it_runs() {
        let crumbs = crumbs();
        crumbs.enter(|out| out.write_str("make()"));
        crumbs.leave();
        crumbs.aside(|out| out.write_str("release()"), || assert_eq!(crumbs.trail().open, ["release()"]));
        assert_eq!(crumbs.latest().as_deref(), Some("make()"));
        assert!(crumbs.trail().open.is_empty());
    }

    #[test]
    fn what_was_looked_at_is_told_until_the_next_call_but_one() {
        let (crumbs, [header, record]) =
            (crumbs(), [layout::set_of::<TVMFFIObject>(), layout::set_of::<TVMFFITypeInfo>()]);
        crumbs.enter(|out| out.write_str("make()"));
        crumbs.look_at(header);
        crumbs.aside(|out| out.write_str("release()"), || ());
        assert_eq!(crumbs.looked_at(), ["TVMFFIObject"]);
        crumbs.enter(|out| out.write_str("ask()"));
        crumbs.look_at(record);
        assert_eq!((crumbs.looked_at(), crumbs.trail().looked_at.len()), (vec!["TVMFFITypeInfo".to_owned()], 2));
        crumbs.enter(|out| out.write_str("end()"));
        assert_eq!(crumbs.trail().looked_at, ["TVMFFITypeInfo"]);
    }

    #[test]
    fn a_long_call_is_cut_at_a_character() {
        let crumbs = crumbs();
        crumbs.enter(|out| out.write_str(&"ü".repeat(1000)));
        assert_eq!(crumbs.latest().unwrap(), "ü".repeat(TEXT / 2));
    }

    #[test]
    fn the_trail_tells_that_the_target_is_being_opened() {
        let crumbs = crumbs();
        let trail = crumbs.while_opening(Path::new("a.so"), || crumbs.trail());
        assert!(trail.opening && trail.open == ["dlopen(\"a.so\")"], "{trail:?}");
        let trail = crumbs.trail();
        assert!(!trail.opening && trail.open.is_empty(), "{trail:?}");
    }

    /// What the sanitizers of the compiler are run on: no thread sees anything but whole numbers and bytes, though texts
    /// are written while they are read.
    #[test]
    fn the_trail_is_read_while_threads_write_it() {
        const THREADS: usize = 8;
        let crumbs = crumbs();
        let writing = AtomicU32::new(THREADS as u32);
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let writing = &writing;
                scope.spawn(move || {
                    for round in 0..400 {
                        crumbs.set_clause("STR-0001");
                        crumbs.enter(|out| write!(out, "call{thread}({})", "x".repeat(round % 50)));
                        crumbs.aside(|out| out.write_str("release()"), || ());
                    }
                    crumbs.leave();
                    writing.fetch_sub(1, Ordering::Release);
                });
            }
            scope.spawn(|| {
                while writing.load(Ordering::Acquire) > 0 {
                    let trail = crumbs.trail();
                    assert!(trail.open.len() <= THREADS, "{trail:?}");
                    assert!(trail.open.iter().chain(&trail.last).all(|call| call.is_ascii()), "{trail:?}");
                }
            });
        });
        let trail = crumbs.trail();
        assert!(trail.open.is_empty(), "{trail:?}");
        assert!(trail.last.is_some_and(|call| call.starts_with("call")));
    }
}
