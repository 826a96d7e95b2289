//! What one operation remembers of the keys that it has compared.
//!
//! A key that is looked up is compared by a walk of its own, which knows nothing of those around it. Where keys lie in keys,
//! and in what stands beside these, the same two would be compared twice as often with each level. So what an operation finds
//! out is remembered until it ends, as a walk remembers which values it has found equal.

use std::{
    cell::{Cell, RefCell},
    hash::BuildHasherDefault,
    mem::{self, ManuallyDrop},
};

use crate::{border::error::Result, object::ObjectRef, system::memory::RoomFor, walk::addresses::ByAddress};

/// After how many verdicts the older ones are forgotten: what goes on takes no more memory, and its last steps are known.
const REMEMBERED: usize = 1 << 18;

/// Whether two keys are equal, by their addresses. The references keep these from being reused.
type Table = ByAddress<(usize, usize), (ObjectRef, ObjectRef, bool)>;

/// All that an operation remembers.
struct Verdicts {
    recent: Table,
    older: Table,
}

thread_local! {
    /// Whether the thread is in an operation.
    static RUNS: Cell<bool> = const { Cell::new(false) };
    /// What that remembers. It does not lie on the stack, which coroutines of a client's may share by copying theirs away and back. The end
    /// of the operation empties it, so that of the thread has nothing to do.
    static VERDICTS: RefCell<ManuallyDrop<Verdicts>> = const { RefCell::new(ManuallyDrop::new(Verdicts::NONE)) };
}

/// Ends an operation.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        begin_anew(false);
    }
}

/// Runs an operation, which begins with nothing to remember. The one around it has forgotten everything afterwards.
#[inline]
pub fn operation<R>(body: impl FnOnce() -> R) -> R {
    begin_anew(true);
    let _end = End;
    body()
}

/// Has whatever the thread is in begin anew with nothing to remember.
#[inline]
pub fn forget() {
    begin_anew(false);
}

/// Empties the memory; from now on the thread is in an operation, or is not.
#[inline]
fn begin_anew(runs: bool) {
    RUNS.set(runs);
    if VERDICTS.with_borrow(|verdicts| !verdicts.recent.is_empty() || !verdicts.older.is_empty()) {
        // What is forgotten may be the last reference to something, whose deleter is foreign code.
        drop(VERDICTS.with_borrow_mut(|verdicts| mem::replace(&mut **verdicts, Verdicts::NONE)));
    }
}

/// Whether two keys are equal, as `compare` finds out, or has found before in the operation that this is part of. What is
/// part of none is one itself.
///
/// # Errors
/// What `compare` fails with.
#[inline]
pub fn verdict(lhs: &ObjectRef, rhs: &ObjectRef, compare: impl FnOnce() -> Result<bool>) -> Result<bool> {
    if !RUNS.get() {
        return operation(compare);
    }
    let pair = (lhs.handle().addr(), rhs.handle().addr());
    if let Some(known) = VERDICTS.with_borrow(|verdicts| verdicts.known(pair)) {
        return Ok(known);
    }
    let equal = compare()?;
    // As above.
    let note = || VERDICTS.with_borrow_mut(|verdicts| verdicts.note(pair, (lhs.clone(), rhs.clone(), equal)));
    drop(RUNS.get().then(note));
    Ok(equal)
}

impl Verdicts {
    const NONE: Self = Self {
        recent: Table::with_hasher(BuildHasherDefault::new()),
        older: Table::with_hasher(BuildHasherDefault::new()),
    };

    fn known(&self, pair: (usize, usize)) -> Option<bool> {
        self.recent.get(&pair).or_else(|| self.older.get(&pair)).map(|(.., equal)| *equal)
    }

    /// Notes a verdict, if there is memory for it; gives up what is forgotten for it.
    fn note(&mut self, pair: (usize, usize), verdict: (ObjectRef, ObjectRef, bool)) -> Table {
        let is_full = self.recent.len() >= REMEMBERED;
        let forgotten =
            if is_full { mem::replace(&mut self.older, mem::take(&mut self.recent)) } else { Table::default() };
        if self.recent.room_for(1).is_ok() {
            self.recent.insert(pair, verdict);
        }
        forgotten
    }
}
