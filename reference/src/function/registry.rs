//! Global functions: a table of names, in the order of their registration.

use std::{
    collections::BTreeMap,
    ffi::c_int,
    sync::{
        OnceLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, Ordering},
    },
};

use tvm_ffi_spec::TVMFFIMethodInfo;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
        log::log,
    },
    function::Function,
    object::storage,
    system::{fork::Shared, memory},
    types::schema::Type,
    value::any::AnyView,
};

/// A registered function.
#[derive(Clone, Debug)]
pub struct Global {
    /// The function.
    pub function: Function,
    /// Structured metadata, as JSON; empty for functions that were registered without.
    pub metadata: Box<[u8]>,
}

impl Global {
    /// The function that a method info describes, with copies of its texts.
    ///
    /// # Safety
    /// The texts are readable, and the function is alive.
    pub unsafe fn from_method_info(info: &TVMFFIMethodInfo) -> Result<Self> {
        // SAFETY: the caller vouches for the value and the texts.
        unsafe {
            let method = AnyView::from_raw(&info.method);
            let function = method.cast();
            let function = function.ok_or_else(|| Type::object("ffi.Function").refuse(&method))?;
            // Nobody can ask for the documentation, so it is not kept.
            c_pointers::span(info.doc, "method_info->doc")?;
            let metadata = c_pointers::span(info.metadata, "method_info->metadata")?;
            let metadata =
                memory::kept_copy(&[metadata]).ok_or_else(|| Error::out_of_memory("the metadata of a function"))?;
            Ok(Self { function, metadata })
        }
    }
}

/// The global functions.
pub struct Table {
    /// Each function with the number of its registration, which gives the order.
    globals: BTreeMap<Box<[u8]>, (u64, Global)>,
    registrations: u64,
}

/// The built-in functions in the order of their registration, made without looking any up.
type Fill = fn() -> Vec<(&'static str, Global)>;

static FILL: OnceLock<Fill> = OnceLock::new();

/// Says what the table holds when it is first used. Only the first call counts.
pub fn fill_with(builtin: Fill) {
    let _ = FILL.set(builtin);
}

/// Never destroyed: functions may belong to a language runtime that is gone by the time the process exits.
pub static TABLE: Shared<Table> = Shared::new(Table { globals: BTreeMap::new(), registrations: 0 });

static IS_FILLED: AtomicBool = AtomicBool::new(false);

fn read() -> RwLockReadGuard<'static, Table> {
    if !IS_FILLED.load(Ordering::Acquire) {
        drop(write());
    }
    TABLE.read()
}

fn write() -> RwLockWriteGuard<'static, Table> {
    let mut table = TABLE.write();
    if !IS_FILLED.load(Ordering::Acquire) {
        let builtin = FILL.get().expect("the library names its built-in functions when it is loaded");
        for (name, global) in storage::without_allocator(builtin) {
            table.insert(name.as_bytes().into(), global);
        }
        IS_FILLED.store(true, Ordering::Release);
    }
    table
}

impl Table {
    /// Registers a function, behind all others, and answers the one whose place it takes.
    fn insert(&mut self, name: Box<[u8]>, global: Global) -> Option<Global> {
        self.registrations += 1;
        self.globals.insert(name, (self.registrations, global)).map(|(_, old)| old)
    }
}

/// Whether a registration may replace an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// It is an error if the name is taken.
    Refuse,
    /// The newer function takes the name over.
    Allow,
}

impl Override {
    /// What the flag of the C functions means.
    pub fn from_c(allow_override: c_int) -> Self {
        if allow_override == 0 { Self::Refuse } else { Self::Allow }
    }
}

/// Registers a function. Fails if the name is taken and `allow` does not say otherwise.
pub fn register(name: &[u8], global: Global, allow: Override) -> Result<()> {
    let kept = memory::kept_copy(&[name]).ok_or_else(|| Error::out_of_memory("the name of a function"))?;
    let mut table = write();
    if allow == Override::Refuse && table.globals.contains_key(name) {
        let name = String::from_utf8_lossy(name);
        return Err(Error::new("RuntimeError", format!("Global Function `{name}` is already registered")));
    }
    let old = table.insert(kept, global);
    drop(table);
    // Ending a function may run foreign code that uses the table, so it waits for the lock to be released.
    drop(old);
    Ok(())
}

/// As [`register`], for what libraries register while they load: there a returned error is easily lost, so that it is
/// written to stderr, too.
pub fn register_method(name: &[u8], global: Global, allow: Override) -> Result<()> {
    register(name, global, allow).map_err(|_| {
        let message = format!(
            "Global Function `{}` is already registered, possible causes:\n\
             - Two GlobalDef().def registrations for the same function \n\
             Please remove the duplicate registration.",
            String::from_utf8_lossy(name)
        );
        log(format_args!("RuntimeError: {message}"));
        Error::new("RuntimeError", message)
    })
}

/// A new reference to a function.
pub fn get(name: &[u8]) -> Option<Function> {
    read().globals.get(name).map(|(_, global)| global.function.clone())
}

/// The metadata of a function; empty if it was registered without.
pub fn metadata(name: &[u8]) -> Option<Box<[u8]>> {
    read().globals.get(name).map(|(_, global)| global.metadata.clone())
}

/// Removes a function; `false` if there is none of that name.
pub fn remove(name: &[u8]) -> bool {
    let removed = write().globals.remove(name);
    removed.is_some()
}

/// The names of all functions in the order of registration.
pub fn names() -> Vec<Box<[u8]>> {
    let table = read();
    let mut names: Vec<_> = table.globals.iter().map(|(name, (number, _))| (*number, name.clone())).collect();
    drop(table);
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{function, value::any::Any};

    fn answering(value: i64) -> Global {
        let function = function::from_closure(move |_| Ok(Any::from(value)));
        Global { function, metadata: (*b"meta").into() }
    }

    fn answer(name: &[u8]) -> Option<i64> {
        function::call(&get(name)?, &[]).ok()?.view().as_int()
    }

    #[test]
    fn a_name_is_taken_until_it_is_given_up_or_overridden() {
        register(b"test.a", answering(1), Override::Refuse).unwrap();
        register(b"test.b", answering(2), Override::Refuse).unwrap();
        assert!(register(b"test.a", answering(3), Override::Refuse).is_err());
        assert_eq!(answer(b"test.a"), Some(1));

        let held = get(b"test.a").unwrap();
        register(b"test.a", answering(4), Override::Allow).unwrap();
        assert_eq!(answer(b"test.a"), Some(4));
        assert!(held.is_unique());

        let names = names();
        let position = |name: &[u8]| names.iter().position(|other| **other == *name);
        assert!(position(b"test.b") < position(b"test.a"));
        assert_eq!(metadata(b"test.a").as_deref(), Some(b"meta".as_slice()));

        assert!(remove(b"test.a") && !remove(b"test.a"));
        assert!(get(b"test.a").is_none() && metadata(b"test.a").is_none());
    }

    #[test]
    fn readers_and_writers_do_not_disturb_each_other() {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200 {
                        let name = format!("test.thread.{thread}.{}", round % 7);
                        register(name.as_bytes(), answering(round), Override::Allow).unwrap();
                        assert_eq!(answer(name.as_bytes()), Some(round));
                        assert!(answer(b"ffi.GetInvalidObject").is_none());
                        assert!(names().len() > 10);
                    }
                });
            }
        });
    }
}
