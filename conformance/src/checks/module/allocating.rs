//! An allocator of the client's that uses modules while the library works for a module.

use std::{
    ffi::{CStr, CString, c_void},
    ptr::null_mut,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{answer_count, context_of};
use crate::{
    checks::check,
    client::{Client, Owned, Verdict, modules::GET_FUNCTION, set_failed, view},
    trial::Trial,
};

/// Whatever the library does for a module, an installed allocator that it asks for memory meanwhile may use modules, on its own thread and on another
/// one that it waits for: both come back, and come to what they would otherwise.
#[check(HOK_0021, FUN_0026, patient = 2)]
fn allocator_uses_modules(t: &Trial) -> Verdict {
    let importer = t.load("imports.so")?;
    t.import(&importer, &t.load("provider_one.so")?)?;
    let call = t.function_of(&importer, c"call_import")?;
    CALL_IMPORT.store(call.handle() as usize, Ordering::SeqCst);
    let symbol = c"__tvm_ffi_verify_in_an_allocator";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_count as *mut c_void))?;
    let global = t.function(null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(GLOBAL.to_bytes()), global.handle(), 0))?;
    USER.get_or_init(|| t.client);
    let allocator = TVMFFICustomAllocator { allocate: Some(use_modules_first), context: null_mut() };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))?;
    for (door, work) in DOORS {
        for (clause, on, way) in
            [(id::HOK_0021, "its thread", ON_ITS_THREAD), (id::FUN_0026, "another thread", ON_ANOTHER)]
        {
            t.clause(clause);
            let (module, provider) = (t.load("library_ctx.so")?, t.load("provider_two.so")?);
            let context = context_of(t, &module)?.payload();
            MODULE.store(module.handle() as usize, Ordering::SeqCst);
            let given = [module.any(), provider.any()];
            let what = format!("{door}, with an allocator that uses modules on {on}");
            let done = t.comes_back(&what, move |client| {
                WAY.store(way, Ordering::SeqCst);
                let done = work(client, &Given { module: given[0], provider: given[1], context });
                WAY.store(NONE, Ordering::SeqCst);
                done
            })?;
            done.map_err(|failure| failure.noting(what.clone()))?;
            t.eq(format_args!("uses of modules that went wrong during {what}"), WRONG.load(Ordering::SeqCst), 0)?;
            t.clear_imports(&module)?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}

/// A module without imports, whose context this is, and one that has `only_two`.
struct Given {
    module: TVMFFIAny,
    provider: TVMFFIAny,
    context: u64,
}

type Door = fn(&Client, &Given) -> Verdict;

/// What the library does for a module.
const DOORS: [(&str, Door); 9] = [
    ("importing a module and giving it up again and again", |client, given| {
        (0..3).try_for_each(|_| {
            import(client, given)?;
            client.call_global("ffi.ModuleClearImports", &[given.module]).map(drop)
        })
    }),
    ("finding a function of an import", |client, given| {
        import(client, given)?;
        let found = client.call_global(GET_FUNCTION, &[given.module, view::c_str(c"only_two"), view::bool(true)])?;
        client.answers("result of only_two", &found, &[], 12)
    }),
    ("asking for a function of an import", |client, given| {
        import(client, given)?;
        for (name, expected) in [(c"only_two", true), (c"nobody of a longer name", false)] {
            let args = [given.module, view::c_str(name), view::bool(true)];
            let answer = client.call_global("ffi.ModuleImplementsFunction", &args)?;
            client.any_eq(format_args!("whether {name:?} is there"), &answer.any(), &view::bool(expected))?;
        }
        Ok(())
    }),
    ("looking functions up from imports", |client, given| {
        import(client, given)?;
        for _ in 0..2 {
            client.eq("result of only_two, looked up", looked_up(client, given.context, c"only_two")?, 12)?;
            client.eq("result of a global, looked up", looked_up(client, given.context, GLOBAL)?, 0)?;
        }
        Ok(())
    }),
    ("looking up what nobody has", |client, given| {
        let mut found = null_mut();
        let (context, name) = (given.context as *mut c_void, c"nobody of a longer name");
        let code = client.api.TVMFFIEnvModLookupFromImports(context, name.as_ptr(), &mut found);
        client.raises(code, &[]).map(drop)
    }),
    ("giving up imports, looked up ones among them", |client, given| {
        import(client, given)?;
        looked_up(client, given.context, c"only_two")?;
        client.call_global("ffi.ModuleClearImports", &[given.module])?;
        let found = client.call_global(GET_FUNCTION, &[given.module, view::c_str(c"only_two"), view::bool(true)])?;
        client.any_eq("only_two without imports", &found.any(), &TVMFFIAny::NONE)
    }),
    ("asking for the system library and a function of it", |client, _| {
        let prefix = view::c_str(c"verify_of_a_door_");
        let system = client.call_global("ffi.SystemLib", &[prefix])?;
        client.answers("result", &client.function_of(&system, c"verify_in_an_allocator")?, &[], 0)
    }),
    ("registering a function of the system library", |client, _| {
        // A library may refuse a symbol that is registered.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let symbol = CString::new(format!("__tvm_ffi_verify_of_a_door{number}")).unwrap_or_default();
        client.ok(client.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_count as *mut c_void))
    }),
    ("describing a module, and keeping it", |client, given| {
        client.call_global("ffi.ModuleGetKind", &[given.module])?;
        client.call_global("ffi.ModuleGetWriteFormats", &[given.module])?;
        client.call_global("ffi.ModuleInspectSource", &[given.module, view::c_str(c"")])?;
        client.call_global("ffi.ModuleGlobalsAdd", &[given.module]).map(drop)
    }),
];

fn import(client: &Client, given: &Given) -> Verdict {
    client.call_global("ffi.ModuleImportModule", &[given.module, given.provider]).map(drop)
}

/// What a function answers that is looked up by a context, which is expected to find it.
fn looked_up(client: &Client, context: u64, name: &CStr) -> Verdict<u64> {
    let (mut found, mut result) = (null_mut(), TVMFFIAny::NONE);
    client.ok(client.api.TVMFFIEnvModLookupFromImports(context as *mut c_void, name.as_ptr(), &mut found))?;
    client.ok(client.api.TVMFFIFunctionCall(found, null_mut(), 0, &mut result))?;
    Ok(result.payload())
}

/// A global function, which answers the number of its arguments.
const GLOBAL: &CStr = c"verify.in_an_allocator";

/// The client that the allocator is of.
static USER: OnceLock<Client> = OnceLock::new();
/// The function `call_import` of a module that no door is about, and the module that a door is about.
static CALL_IMPORT: AtomicUsize = AtomicUsize::new(0);
static MODULE: AtomicUsize = AtomicUsize::new(0);
/// How the allocator uses modules.
static WAY: AtomicUsize = AtomicUsize::new(NONE);
const NONE: usize = 0;
const ON_ITS_THREAD: usize = 1;
const ON_ANOTHER: usize = 2;
/// Whether it does so right now: it only answers then.
static AT_WORK: AtomicBool = AtomicBool::new(false);
static WRONG: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn use_modules_first(size: usize, _: usize, _: i32, _: *mut c_void) -> *mut c_void {
    let way = WAY.load(Ordering::SeqCst);
    if let (true, Some(client)) = (way != NONE, USER.get())
        && !AT_WORK.swap(true, Ordering::SeqCst)
    {
        let used = if way == ON_ANOTHER {
            thread::spawn(|| note(use_modules(client))).join().is_ok()
        } else {
            // The module that the library works for is looked into, too.
            note(look_into_module(client).and_then(|()| use_modules(client)));
            true
        };
        if !used {
            WRONG.fetch_add(1, Ordering::SeqCst);
        }
        AT_WORK.store(false, Ordering::SeqCst);
    }
    body(size)
}

fn note(used: Verdict) {
    if used.is_err() {
        set_failed(false);
        WRONG.fetch_add(1, Ordering::SeqCst);
    }
}

/// What is found depends on how far the library has got.
fn look_into_module(client: &Client) -> Verdict {
    let module = TVMFFIAny::new(kTVMFFIModule, MODULE.load(Ordering::SeqCst) as u64);
    client.call_global(GET_FUNCTION, &[module, view::c_str(c"only_two"), view::bool(true)]).map(drop)
}

/// Uses modules that no door is about.
fn use_modules(client: &Client) -> Verdict {
    let plain = client.call_global("ffi.SystemLib", &[])?;
    let system = client.call_global("ffi.SystemLib", &[view::c_str(c"verify_in_an_allocator_")])?;
    client.import(&system, &plain)?;
    client.answers("result", &client.imported_function(&system, c"verify_in_an_allocator")?, &[view::int(1)], 1)?;
    client.clear_imports(&system)?;
    let call = CALL_IMPORT.load(Ordering::SeqCst) as TVMFFIObjectHandle;
    for (name, expected) in [(c"only_one", 11), (GLOBAL, 0)] {
        let answer: Owned = client
            .answer_of(call, &[view::c_str(name)])?
            .map_err(|raised| client.failure("a look-up within an allocator", "an answer", raised.kind))?;
        client.any_eq(format_args!("result of {name:?}"), &answer.any(), &view::int(expected))?;
    }
    Ok(())
}

/// How many bytes lie before a body.
const BEFORE: usize = 16;

/// A body of that size, as an allocator of the simplest kind answers it.
fn body(size: usize) -> *mut c_void {
    // SAFETY: there is room for a header and the body.
    unsafe {
        let body = libc::malloc(BEFORE + size).byte_add(BEFORE);
        body.cast::<TVMFFIObjectAllocHeader>().sub(1).write(TVMFFIObjectAllocHeader { delete_space: Some(free_body) });
        body
    }
}

unsafe extern "C" fn free_body(body: *mut c_void) {
    // SAFETY: the block that the body was cut from.
    unsafe { libc::free(body.wrapping_byte_sub(BEFORE)) };
}
