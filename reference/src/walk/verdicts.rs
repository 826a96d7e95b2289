//! What one operation remembers of the keys that it has compared.
//!
//! A key that is looked up is compared by a walk of its own, which knows nothing of those around it. Where keys lie in keys,
//! and in what stands beside these, the same two would be compared twice as often with each level. So what an operation finds
//! out is remembered until it ends, as a walk remembers which values it has found equal.

use std::{
    cell::{Cell, RefCell},
    mem, ptr,
};

use crate::{border::error::Result, object::ObjectRef, walk::addresses::ByAddress};

/// After how many verdicts the older ones are forgotten: what goes on takes no more memory, and its last steps are known.
const REMEMBERED: usize = 1 << 18;

/// Whether two keys are equal, by their addresses. The references keep these from being reused.
type Table = ByAddress<(usize, usize), (ObjectRef, ObjectRef, bool)>;

/// All that an operation remembers.
#[derive(Default)]
struct Verdicts {
    recent: Table,
    older: Table,
}

thread_local! {
    /// What the operation remembers that the thread is in; NULL outside of all.
    static OPERATION: Cell<*const RefCell<Verdicts>> = const { Cell::new(ptr::null()) };
}

/// Takes an operation's memory away from the thread before it goes. The one around it is not given back, which may have
/// ended if it runs on another stack.
struct End<'a>(&'a Cell<*const RefCell<Verdicts>>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.set(ptr::null());
    }
}

/// Runs an operation, which begins with nothing to remember.
#[inline]
pub fn operation<R>(body: impl FnOnce() -> R) -> R {
    let verdicts = RefCell::default();
    OPERATION.with(|operation| {
        operation.set(&raw const verdicts);
        // It is dropped before what it is about.
        let _end = End(operation);
        body()
    })
}

/// Has whatever the thread is in begin anew with nothing to remember.
#[inline]
pub fn forget() {
    OPERATION.set(ptr::null());
}

/// Whether two keys are equal, as `compare` finds out, or has found before in the operation that this is part of. What is
/// part of none is one itself.
///
/// # Errors
/// What `compare` fails with.
#[inline]
pub fn verdict(lhs: &ObjectRef, rhs: &ObjectRef, compare: impl FnOnce() -> Result<bool>) -> Result<bool> {
    if OPERATION.get().is_null() {
        return operation(compare);
    }
    let pair = (lhs.handle().addr(), rhs.handle().addr());
    if let Some(known) = in_operation(|verdicts| verdicts.borrow().known(pair)).flatten() {
        return Ok(known);
    }
    let equal = compare()?;
    // What is forgotten may be the last reference to something, whose deleter is foreign code.
    drop(in_operation(|verdicts| verdicts.borrow_mut().note(pair, (lhs.clone(), rhs.clone(), equal))));
    Ok(equal)
}

/// Looks at what the operation remembers that the thread is in, if it is in any now.
fn in_operation<R>(look: impl FnOnce(&RefCell<Verdicts>) -> R) -> Option<R> {
    // SAFETY: an operation takes the pointer away before what it points to goes.
    unsafe { OPERATION.get().as_ref() }.map(look)
}

impl Verdicts {
    fn known(&self, pair: (usize, usize)) -> Option<bool> {
        self.recent.get(&pair).or_else(|| self.older.get(&pair)).map(|(.., equal)| *equal)
    }

    /// Notes a verdict, if there is memory for it; gives up what is forgotten for it.
    fn note(&mut self, pair: (usize, usize), verdict: (ObjectRef, ObjectRef, bool)) -> Table {
        let is_full = self.recent.len() >= REMEMBERED;
        let forgotten =
            if is_full { mem::replace(&mut self.older, mem::take(&mut self.recent)) } else { Table::default() };
        if self.recent.try_reserve(1).is_ok() {
            self.recent.insert(pair, verdict);
        }
        forgotten
    }
}
