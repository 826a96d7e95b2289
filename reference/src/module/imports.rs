//! The modules that a module imports, and walks through them.
//!
//! They are looked at without a lock, and changed under one. Under the lock a module's array grows in place, unless somebody
//! else holds it: an array that has been handed out stays as it is.

use std::{
    ffi::c_void,
    marker::PhantomData,
    mem::ManuallyDrop,
    sync::{
        MutexGuard,
        atomic::{AtomicPtr, Ordering},
    },
};

use super::{
    handle::Module,
    lookup::{self, LOOKED_UP},
};
use crate::{
    border::error::{Error, Result},
    container::{array, sequence::Array},
    object::{ObjectRef, TypedRef},
    system::{fork::Exclusive, readers},
    value::any::Any,
    walk::addresses::ByAddress,
};

/// Held while the imports of any module are changed here. No foreign code runs meanwhile.
pub static IMPORTS: Exclusive<()> = Exclusive::new(());

impl Module {
    /// Adds a module to the end of the imports.
    ///
    /// # Errors
    /// `RuntimeError` when that module imports this one already, be it through others.
    pub fn import(&self, other: &Module) -> Result<()> {
        if other.is(self) {
            return Err(circle());
        }
        let module = Any::from(other.clone());
        let grows = |imports: &Array| imports.is_unique() && array::has_room(imports);
        loop {
            // What is made before the lock is dropped after it: allocators are the client's, and a module that ends may run
            // code of its own.
            let full = imports(self.place(), |imports| (!grows(imports)).then(|| array::len(imports)));
            let longer = full.map(array::longer_than).transpose()?;
            let mut walk = Walk::new(other);
            let changing = IMPORTS.lock();
            while let Some(module) = walk.next_locked(&changing) {
                if module.is(self) {
                    return Err(circle());
                }
            }
            if read(self.place(), grows) {
                // SAFETY: the lock is held, so that nobody here changes the imports, nor comes to hold them.
                read(self.place(), |imports| unsafe { array::append(imports, module) });
                return Ok(());
            }
            if let Some(longer) = longer
                // SAFETY: as above. The longer array is new.
                && read(self.place(), |imports| unsafe { array::fill_longer(&longer, imports, &module) })
            {
                let old = self.replace_imports(longer);
                drop(changing);
                readers::give_up(old);
                return Ok(());
            }
            // Others have been imported meanwhile, or somebody holds the imports.
        }
    }

    /// Forgets all imports, and what was found in them.
    pub fn forget_imports(&self) -> Result<()> {
        // As above.
        let (none, mut functions) = (array::new(vec![])?, lookup::no_functions()?);
        let changing = IMPORTS.lock();
        // Who looks something up meanwhile keeps it before both, or knows that the imports are others.
        let looked_up = LOOKED_UP.lock();
        self.forget_names(&mut functions, &looked_up)?;
        let old = self.replace_imports(none);
        drop(looked_up);
        drop(changing);
        readers::give_up(old);
        Ok(())
    }

    /// The imports as they are now.
    pub(super) fn imports(&self) -> Array {
        held(self.place())
    }

    /// Whether the imports are still those that somebody holds.
    pub(super) fn still_imports(&self, imports: &Array) -> bool {
        self.place().load(Ordering::Acquire) == imports.handle()
    }

    /// Answers what was there before. The caller holds [`IMPORTS`].
    fn replace_imports(&self, imports: Array) -> Option<ObjectRef> {
        // SAFETY: the old array was the module's, which has another one now.
        unsafe { ObjectRef::from_owned(self.place().swap(imports.into_handle(), Ordering::AcqRel)) }
    }

    fn place(&self) -> &AtomicPtr<c_void> {
        // SAFETY: the handle of the array lies there, aligned.
        unsafe { AtomicPtr::from_ptr(self.fields().imports.get().cast()) }
    }
}

/// The error of an import by which a module would come to import itself.
#[cold]
pub(super) fn circle() -> Error {
    Error::new("RuntimeError", "Cyclic dependency detected during import")
}

/// The imports that lie at a place, which stay as they are from now on.
pub(super) fn held(place: &AtomicPtr<c_void>) -> Array {
    let _lock = IMPORTS.lock();
    read(place, Array::clone)
}

/// Looks at the imports that lie at a place, which are not given up meanwhile. Looking neither waits nor panics.
fn imports<T>(place: &AtomicPtr<c_void>, look: impl Fn(&Array) -> T) -> T {
    readers::reading(|| read(place, &look)).unwrap_or_else(|| {
        let _lock = IMPORTS.lock();
        read(place, look)
    })
}

/// As [`imports`], where the caller holds [`IMPORTS`] or says otherwise that it reads.
fn read<T>(place: &AtomicPtr<c_void>, look: impl FnOnce(&Array) -> T) -> T {
    // SAFETY: the imports of a module are an array, never NULL, which is only given up when nobody looks at it. The
    // reference stays the module's.
    look(&ManuallyDrop::new(unsafe {
        ObjectRef::from_owned(place.load(Ordering::Acquire)).unwrap_unchecked().cast_unchecked()
    }))
}

/// Goes through what a module imports, be it through others: each once, depth first, in the order of the imports. What
/// comes next is read when it is asked for, as looking at a module may make it import others.
pub(super) struct Walk<'r> {
    /// Where the walk begins and all that it has met, the last one last.
    met: Vec<Met>,
    /// The one whose imports come next.
    at: usize,
    /// The addresses of all that it has met, once there are so many that looking at each takes longer.
    addresses: ByAddress<usize, ()>,
    /// Imports of modules that have others by now.
    former: Vec<Array>,
    /// Whoever walks has the root.
    root: PhantomData<&'r Module>,
}

struct Met {
    /// The module, which whoever walks has, or the imports that it is one of.
    module: ManuallyDrop<Module>,
    /// Which one imports it.
    importer: usize,
    /// Its imports, once one has been met. They are held, lest another module gets the address of one that has ended.
    imports: Option<Array>,
    /// How many of them have been met.
    passed: usize,
}

/// How many modules are looked at one by one.
const FEW: usize = 8;

impl<'r> Walk<'r> {
    pub(super) fn new(root: &'r Module) -> Self {
        let mut met = Vec::with_capacity(FEW);
        met.push(Met::new(lent(root), 0));
        Self { met, at: 0, addresses: ByAddress::default(), former: Vec::new(), root: PhantomData }
    }

    /// The next module.
    pub(super) fn next(&mut self) -> Option<&Module> {
        self.step(|importer, passed| imports(importer.place(), |imports| longer(imports, passed)))
    }

    /// As [`next`](Self::next), where the caller holds [`IMPORTS`]: a thread that does not read without a lock would wait for itself.
    fn next_locked(&mut self, _changing: &MutexGuard<'_, ()>) -> Option<&Module> {
        self.step(|importer, passed| read(importer.place(), |imports| longer(imports, passed)))
    }

    fn step(&mut self, hold: impl Fn(&Module, usize) -> Option<Array>) -> Option<&Module> {
        loop {
            let importer = &mut self.met[self.at];
            let Some(module) = importer.next(&hold, &mut self.former) else {
                if self.at == 0 {
                    return None;
                }
                self.at = importer.importer;
                continue;
            };
            if !self.has_met(&module) {
                self.met.push(Met::new(module, self.at));
                self.at = self.met.len() - 1;
                return Some(&self.met[self.at].module);
            }
        }
    }

    fn has_met(&mut self, module: &Module) -> bool {
        if self.met.len() <= FEW {
            return self.met.iter().any(|met| met.module.is(module));
        }
        let not_noted = &self.met[self.addresses.len()..];
        self.addresses.extend(not_noted.iter().map(|met| (met.module.address(), ())));
        self.addresses.contains_key(&module.address())
    }
}

impl Met {
    fn new(module: ManuallyDrop<Module>, importer: usize) -> Self {
        Self { module, importer, imports: None, passed: 0 }
    }

    /// The module that it imports next. `hold` answers what it imports now, if that is more than so many.
    fn next(
        &mut self,
        hold: impl Fn(&Module, usize) -> Option<Array>,
        former: &mut Vec<Array>,
    ) -> Option<ManuallyDrop<Module>> {
        if !self.imports.as_ref().is_some_and(|imports| self.module.still_imports(imports)) {
            former.extend(self.imports.replace(hold(&self.module, self.passed)?));
        }
        // SAFETY: nothing but what comes behind the last one ever changes in the array of a module.
        let left = unsafe { array::elements(self.imports.as_ref()?) }.iter().enumerate().skip(self.passed);
        let (index, module) = left.filter_map(|(index, import)| Some((index, import.cast_ref()?))).next()?;
        self.passed = index + 1;
        Some(lent(module))
    }
}

/// The imports, if there are more than so many.
fn longer(imports: &Array, passed: usize) -> Option<Array> {
    (array::len(imports) > passed).then(|| imports.clone())
}

/// A module that somebody else holds.
fn lent(module: &Module) -> ManuallyDrop<Module> {
    // SAFETY: the handle is that of a module, and the reference is not dropped.
    ManuallyDrop::new(unsafe { ObjectRef::from_owned(module.handle()).unwrap_unchecked().cast_unchecked() })
}
