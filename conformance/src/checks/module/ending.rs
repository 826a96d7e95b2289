//! Modules whose end runs code of the client's, which uses modules.

use std::{
    ffi::c_int,
    sync::{
        OnceLock,
        atomic::{AtomicI32, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::answer_count;
use crate::{
    checks::check,
    client::{Client, Owned, Verdict, globals, view},
    trial::Trial,
};

/// A module whose end keeps, forgets, imports and asks modules may end wherever its last reference is given up: by whoever holds it, by
/// ffi.ModuleGlobalsRemove, and with the imports of another module.
#[check(OBJ_0028, MOD_0052, MOD_0070)]
fn end_uses_modules(t: &Trial) -> Verdict {
    USER.get_or_init(|| t.client);
    let symbol = c"__tvm_ffi_verify_at_an_end";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_count as *mut _))?;
    for (number, (door, give_up)) in DOORS.into_iter().enumerate() {
        let (module, other) = (module_with_an_end(t)?.into_any(), t.load("empty.so")?.into_any());
        t.clause(id::OBJ_0028);
        let what = format!("{door}, which is the end of a module that uses modules then");
        let gave_up = t.comes_back(&what, move |client| give_up(client, client.own(module), client.own(other)))?;
        gave_up?;
        t.clause(if door.contains(FORGET) { id::MOD_0052 } else { id::MOD_0070 });
        t.eq(format_args!("ends of modules after {door}"), ENDS.load(Ordering::SeqCst), number + 1)?;
        t.clause(id::OBJ_0028);
        let uses = USES.load(Ordering::SeqCst);
        t.eq(format_args!("ends in which modules could be used, after {door}"), uses, number + 1)?;
    }
    Ok(())
}

/// Gives a module up, which is the last reference to it, and another module.
type GiveUp = fn(&Client, Owned, Owned) -> Verdict;

/// Where a module ends.
const DOORS: [(&str, GiveUp); 6] = [
    ("giving up a module", |_, module, _| {
        drop(module);
        Ok(())
    }),
    ("ffi.ModuleGlobalsRemove", |client, module, _| forget(client, module)),
    ("ffi.ModuleGlobalsRemove of what imports a module", |client, module, other| {
        client.import(&other, &module)?;
        drop(module);
        forget(client, other)
    }),
    ("ffi.ModuleClearImports", |client, module, other| {
        client.import(&other, &module)?;
        drop(module);
        client.clear_imports(&other)
    }),
    ("giving up what imports a module", |client, module, other| {
        client.import(&other, &module)?;
        drop(module);
        drop(other);
        Ok(())
    }),
    ("ffi.ModuleClearImports of the system library", |client, module, _| {
        let system = client.call_global("ffi.SystemLib", &[view::c_str(c"verify_importing_")])?;
        client.import(&system, &module)?;
        drop(module);
        client.clear_imports(&system)
    }),
];

/// Has a module be kept, gives it up, and has it be forgotten.
fn forget(client: &Client, module: Owned) -> Verdict {
    let kept = module.any();
    client.call_global(KEEP, &[kept])?;
    drop(module);
    client.call_global(FORGET, &[kept]).map(drop)
}

const KEEP: &str = "ffi.ModuleGlobalsAdd";
const FORGET: &str = "ffi.ModuleGlobalsRemove";

/// The client that the end of a module uses.
static USER: OnceLock<Client> = OnceLock::new();
/// How many modules have ended, and how many could use modules meanwhile.
static ENDS: AtomicUsize = AtomicUsize::new(0);
static USES: AtomicUsize = AtomicUsize::new(0);
/// How many the class of modules has counted itself.
static COUNTED: AtomicI32 = AtomicI32::new(0);
/// The deleter of that class.
static DELETER: OnceLock<TVMFFIObjectDeleter> = OnceLock::new();

/// A module of a class of the client's, whose end uses modules.
fn module_with_an_end(t: &Trial) -> Verdict<Owned> {
    type New = unsafe extern "C" fn(*mut i32) -> TVMFFIObjectHandle;
    let address = t.fixture_symbol("module_class.so", "verify_new_module")?;
    // SAFETY: the fixture defines it so.
    let new = unsafe { std::mem::transmute::<*const std::ffi::c_void, New>(address) };
    // SAFETY: the number is there for good.
    let module = t.own_object("the client's module", unsafe { new(COUNTED.as_ptr()) })?;
    let header = module.handle().cast::<TVMFFIObject>();
    // SAFETY: the header of a new object of the client's own, which nobody else has seen.
    let deleter = unsafe {
        let place = &raw mut (*header).deleter;
        let deleter = place.read();
        place.write(Some(end_with_use));
        deleter
    };
    let deleter = deleter.ok_or_else(|| t.error("the deleter of the client's module", "it has none"))?;
    DELETER.get_or_init(|| deleter);
    Ok(module)
}

/// The end of a module: uses modules, and does what the deleter of the class does.
unsafe extern "C" fn end_with_use(module: TVMFFIObjectHandle, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        ENDS.fetch_add(1, Ordering::SeqCst);
        if USER.get().is_some_and(|client| use_modules(client).is_ok()) {
            USES.fetch_add(1, Ordering::SeqCst);
        }
    }
    if let Some(deleter) = DELETER.get() {
        // SAFETY: a module of the class, and what its deleter was called with.
        unsafe { deleter(module, flags) };
    }
}

/// Uses modules that are none of those that are about to end.
fn use_modules(client: &Client) -> Verdict {
    let plain = client.call_global("ffi.SystemLib", &[])?;
    let system = client.call_global("ffi.SystemLib", &[view::c_str(c"verify_at_an_end_")])?;
    if globals::find(client, FORGET)?.is_some() {
        client.call_global(KEEP, &[system.any()])?;
        client.call_global(FORGET, &[system.any()])?;
    }
    client.import(&system, &plain)?;
    client.answers("result", &client.imported_function(&system, c"verify_at_an_end")?, &[view::int(1)], 1)?;
    client.clear_imports(&system)
}
