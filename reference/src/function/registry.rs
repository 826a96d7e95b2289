//! Global functions: a table of names, in the order of their registration.
//!
//! They are found without a lock, and changed under one.

use std::{
    ffi::c_int,
    sync::{
        MutexGuard, OnceLock,
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
    system::{
        fork::Exclusive,
        memory::{self, RoomFor},
        readers,
    },
    types::schema::Type,
    value::{
        any::AnyView,
        names::{Named, Names, Outgrown},
    },
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

/// The built-in functions in the order of their registration, made without looking any up.
type Fill = fn() -> Vec<(&'static str, Global)>;

static FILL: OnceLock<Fill> = OnceLock::new();

/// Says what the table holds when it is first used. Only the first call counts.
pub fn fill_with(builtin: Fill) {
    let _ = FILL.set(builtin);
}

/// A function with the number of its registration, which gives the order.
struct Registered {
    number: u64,
    global: Global,
}

/// All functions. Never destroyed: they may belong to a language runtime that is gone by the time the process exits.
static GLOBALS: Names<Registered> = Names::new();

/// What it takes to change them, which is whoever has the lock on this.
pub struct Table {
    registrations: u64,
}

/// The lock of all functions.
pub static TABLE: Exclusive<Table> = Exclusive::new(Table { registrations: 0 });

/// Why there is no failure while the table is filled.
const IS_SURE: &str = "there is memory for what is built in";

static IS_FILLED: AtomicBool = AtomicBool::new(false);

/// Locks the table, which has been filled.
fn lock() -> MutexGuard<'static, Table> {
    let mut table = TABLE.lock();
    if !IS_FILLED.load(Ordering::Acquire) {
        let builtin = FILL.get().expect("the library names its built-in functions when it is loaded");
        memory::surely(|| {
            for (name, global) in storage::without_allocator(builtin) {
                let replaced = table.insert(name.as_bytes().into(), global);
                // Nobody looks anything up before the table is filled.
                drop(replaced.expect(IS_SURE));
            }
        });
        IS_FILLED.store(true, Ordering::Release);
    }
    table
}

/// What leaves the table of functions: an old function, and an old table.
type Replaced = (Option<Box<Named<Registered>>>, Option<Outgrown<Registered>>);

impl Table {
    /// Registers a function, behind all others, and answers what it takes the place of.
    fn insert(&mut self, name: Box<[u8]>, global: Global) -> Result<Replaced> {
        // SAFETY: the lock is held, and whoever gets what is replaced gives it up when nobody looks at it.
        unsafe {
            let outgrown = GLOBALS.make_room().ok_or_else(|| Error::out_of_memory("the table of functions"))?;
            self.registrations += 1;
            Ok((GLOBALS.put(name, Registered { number: self.registrations, global }), outgrown))
        }
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
    register_unless(name, global, allow, |name| format!("Global Function `{name}` is already registered"))
}

/// As [`register`], with what is to be said if the name is taken.
fn register_unless(name: &[u8], global: Global, allow: Override, is_taken: fn(&str) -> String) -> Result<()> {
    let kept = memory::kept_copy(&[name]).ok_or_else(|| Error::out_of_memory("the name of a function"))?;
    let mut table = lock();
    if allow == Override::Refuse && GLOBALS.get(name).is_some() {
        drop(table);
        return Err(Error::new("RuntimeError", is_taken(&String::from_utf8_lossy(name))));
    }
    let replaced = table.insert(kept, global)?;
    drop(table);
    // Ending a function may run foreign code that uses the table, so it waits for the lock to be released.
    if !matches!(replaced, (None, None)) {
        readers::give_up(replaced);
    }
    Ok(())
}

/// As [`register`], for what libraries register while they load: there a returned error is easily lost, so that it is
/// written to stderr, too.
pub fn register_method(name: &[u8], global: Global, allow: Override) -> Result<()> {
    register_unless(name, global, allow, |name| {
        let message = format!(
            "Global Function `{name}` is already registered, possible causes:\n\
             - Two GlobalDef().def registrations for the same function \n\
             Please remove the duplicate registration."
        );
        log(format_args!("RuntimeError: {message}"));
        message
    })
}

/// A new reference to a function.
#[inline]
pub fn get(name: &[u8]) -> Option<Function> {
    let find = || GLOBALS.get(name).map(|registered| registered.global.function.clone());
    let found = if IS_FILLED.load(Ordering::Acquire) { readers::reading(find) } else { None };
    found.unwrap_or_else(|| locked(find))
}

/// Looks something up under the lock.
#[cold]
fn locked<T>(find: impl FnOnce() -> T) -> T {
    let _lock = lock();
    find()
}

/// The metadata of a function; empty if it was registered without.
pub fn metadata(name: &[u8]) -> Option<Box<[u8]>> {
    locked(|| GLOBALS.get(name).map(|registered| registered.global.metadata.clone()))
}

/// Removes a function; `false` if there is none of that name.
pub fn remove(name: &[u8]) -> bool {
    // SAFETY: the lock is held, and what is removed is given up when nobody looks at it.
    let removed = locked(|| unsafe { GLOBALS.remove(name) });
    let is_removed = removed.is_some();
    if is_removed {
        readers::give_up(removed);
    }
    is_removed
}

/// What `make` makes of the names of all functions, in the order of registration.
pub fn names<T>(make: impl Fn(&[u8]) -> Result<T>) -> Result<Vec<T>> {
    // No foreign code runs under the lock, and a name may go away after it: so they are copied, one behind the other.
    let (mut copies, mut numbered) = (Vec::new(), Vec::new());
    locked(|| -> Result<()> {
        numbered.room_for(GLOBALS.len())?;
        for (name, registered) in GLOBALS.iter() {
            let start = copies.len();
            copies.room_for(name.len())?;
            copies.extend_from_slice(name);
            numbered.push((registered.number, start..copies.len()));
        }
        Ok(())
    })?;
    numbered.sort_unstable_by_key(|(number, _)| *number);
    let mut made = memory::room(numbered.len())?;
    for (_, range) in numbered {
        made.push(make(&copies[range])?);
    }
    Ok(made)
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

        let names = names(|name| Ok(name.to_vec())).unwrap();
        let position = |name: &[u8]| names.iter().position(|other| *other == *name);
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
                        assert!(names(|_| Ok(())).unwrap().len() > 10);
                    }
                });
            }
        });
    }
}
