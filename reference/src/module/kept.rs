//! Modules that the program keeps until its end.

use std::collections::BTreeMap;

use super::handle::Module;
use crate::system::fork::Exclusive;

/// Modules that the program wants to keep until its end, by address.
pub static KEPT: Exclusive<BTreeMap<usize, Module>> = Exclusive::new(BTreeMap::new());

impl Module {
    /// Keeps the module until the program's end.
    pub fn keep(&self) {
        KEPT.lock().insert(self.address(), self.clone());
    }

    /// Takes [`keep`](Module::keep) back.
    pub fn forget(&self) {
        let kept = KEPT.lock().remove(&self.address());
        // The module may end now, and run code of its own: not under the lock.
        drop(kept);
    }
}
