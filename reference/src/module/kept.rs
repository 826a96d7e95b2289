//! Modules that the program keeps until its end.

use std::{collections::BTreeMap, sync::Mutex};

use super::handle::{Module, lock};

/// Modules that the program wants to keep until its end, by address.
static KEPT: Mutex<BTreeMap<usize, Module>> = Mutex::new(BTreeMap::new());

impl Module {
    /// Keeps the module until the program's end.
    pub fn keep(&self) {
        lock(&KEPT).insert(self.address(), self.clone());
    }

    /// Takes [`keep`](Module::keep) back.
    pub fn forget(&self) {
        let kept = lock(&KEPT).remove(&self.address());
        // The module may end now, and run code of its own: not under the lock.
        drop(kept);
    }
}
