//! The modules that a module imports, and walks through them.

use super::handle::Module;
use crate::{
    border::error::{Error, Result},
    container::array,
    system::fork::Shared,
    value::any::Any,
    walk::addresses::ByAddress,
};

/// Held while the imports of any module are read or changed here.
pub static IMPORTS: Shared<()> = Shared::new(());

impl Module {
    /// Adds a module to the end of the imports.
    ///
    /// # Errors
    /// `RuntimeError` when that module imports this one already, be it through others.
    pub fn import(&self, other: &Module) -> Result<()> {
        // What is made before the lock is dropped after it: a module that ends may run code of its own.
        let mut walk = Walk::new(other.clone());
        let _old;
        let _changing = IMPORTS.write();
        while let Some(module) = walk.next() {
            if module.is(self) {
                return Err(Error::new("RuntimeError", "Cyclic dependency detected during import"));
            }
        }
        // SAFETY: the lock is held for writing, so this is the only access made here.
        unsafe {
            let imports = self.fields().imports.get();
            let longer = array::with_pushed(&*imports, Any::from(other.clone()))?;
            _old = std::mem::replace(&mut *imports, longer);
        }
        Ok(())
    }

    /// Forgets all imports, and what was found in them.
    pub fn forget_imports(&self) -> Result<()> {
        let none = array::new(vec![])?;
        self.forget_looked_up()?;
        // Dropped after the lock, as above.
        let _old;
        let _changing = IMPORTS.write();
        // SAFETY: the lock is held for writing, so this is the only access made here.
        _old = unsafe { std::mem::replace(&mut *self.fields().imports.get(), none) };
        Ok(())
    }

    /// Whether this module imports any other.
    pub(super) fn has_imports(&self) -> bool {
        let _reading = IMPORTS.read();
        self.imports().next().is_some()
    }

    /// The modules that this one imports itself. The caller holds [`IMPORTS`].
    pub(super) fn imports(&self) -> impl DoubleEndedIterator<Item = Module> {
        // SAFETY: the lock is held, so that nobody here changes the array.
        let imports = unsafe { array::elements(&*self.fields().imports.get()) };
        imports.iter().filter_map(|import| import.cast())
    }
}

/// Goes through a module and what it imports, be it through others: each once, depth first, in the order of the imports.
/// What a module imports is read when the next one is asked for, as looking at a module may make it import others.
pub(super) struct Walk {
    pending: Vec<Module>,
    last: Option<Module>,
    /// By address. They are held, lest another module gets the address of one that has ended.
    seen: ByAddress<usize, Module>,
}

impl Walk {
    pub(super) fn new(root: Module) -> Self {
        Self { pending: vec![root], last: None, seen: ByAddress::default() }
    }

    /// The next module. The caller holds [`IMPORTS`].
    pub(super) fn next(&mut self) -> Option<Module> {
        if let Some(last) = self.last.take() {
            self.pending.extend(last.imports().rev());
        }
        while let Some(module) = self.pending.pop() {
            if self.seen.insert(module.address(), module.clone()).is_none() {
                self.last = Some(module.clone());
                return Some(module);
            }
        }
        None
    }
}

/// The next module of a walk. No lock is held when this returns.
pub(super) fn next_unlocked(walk: &mut Walk) -> Option<Module> {
    let _reading = IMPORTS.read();
    walk.next()
}
