//! Workspaces: memory that generated code borrows for a while, from a pool of its thread.

use std::{
    alloc::{self, Layout},
    cell::RefCell,
    collections::HashMap,
    ffi::c_void,
};

use crate::{
    array::{ALIGNMENT, allocate, layout},
    error::{Error, Result},
};

/// Sizes are multiples of this, so that blocks fit again.
const PAGE: usize = 4096;

/// What a thread has lent and what it can lend again.
#[derive(Default)]
struct Pool {
    lent: HashMap<usize, Layout>,
    free: Vec<(usize, Layout)>,
}

impl Drop for Pool {
    fn drop(&mut self) {
        let all = self.lent.drain().chain(self.free.drain(..));
        // SAFETY: each block was allocated with its layout, and its thread has ended.
        all.for_each(|(block, layout)| unsafe { alloc::dealloc(block as *mut u8, layout) });
    }
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// Lends at least so many bytes.
pub fn lend(bytes: u64) -> Result<*mut c_void> {
    let bytes = usize::try_from(bytes).ok().and_then(|bytes| bytes.max(1).checked_next_multiple_of(PAGE));
    let wanted = layout(bytes.ok_or_else(|| Error::value("so many bytes are no size of memory"))?, ALIGNMENT)?;
    POOL.with_borrow_mut(|pool| {
        let fits = pool.free.iter().enumerate().filter(|(_, (_, layout))| layout.size() >= wanted.size());
        let best = fits.min_by_key(|(_, (_, layout))| layout.size()).map(|(place, _)| place);
        let (block, layout) = match best {
            Some(place) => pool.free.swap_remove(place),
            None => (allocate(wanted)? as usize, wanted),
        };
        pool.lent.insert(block, layout);
        Ok(block as *mut c_void)
    })
}

/// Takes a block back that this thread was lent.
pub fn take_back(block: *mut c_void) -> Result<()> {
    POOL.with_borrow_mut(|pool| match pool.lent.remove(&(block as usize)) {
        Some(layout) => {
            pool.free.push((block as usize, layout));
            Ok(())
        }
        None => {
            Err(Error::value(format!("{block:p} is no workspace that this thread was lent, or was given back before")))
        }
    })
}
