//! An installed allocator that fails: what was to be made is not, and nothing else has changed.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::{CONTEXT, body, free_body};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, keep_self, return_none},
        globals,
        homemade::Homemade,
        own_error::error_cell,
        samples::Place,
        tensor::FLOAT32,
        view,
    },
    trial::Trial,
};

/// When the installed allocator fails, the function that was to make an object fails with the allocator's error, also where the allocator has put
/// another one or the built-in one in force before it fails.
#[check(ALC_0013)]
fn failing(t: &Trial) -> Verdict {
    t.serve_callbacks();
    // Made before, since there is no room for it then.
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let text = TVMFFIByteArray::new(b"longer than seven bytes");
    let (long, list) = (view::byte_array(&text), t.call_global("ffi.Array", &[view::int(1), view::float(2.5)])?);
    let tensor = t.tensor_of_four(FLOAT32, &[4], [0; 4])?;
    let prototype: DLTensor = t.cell("tensor", tensor.handle())?;
    let pair = [long, list.any()];
    let json = [view::c_str(c"{\"a key that is long\": [1, \"a text that is long\"]}")];
    let makers = [
        ("ffi.Array", &pair[..]),
        ("ffi.List", &pair[..]),
        ("ffi.Map", &pair[..]),
        ("ffi.Dict", &pair[..]),
        ("ffi.Map", &[]),
        ("ffi.Dict", &[]),
        ("ffi.Shape", &[view::int(2), view::int(3)]),
        ("ffi.String", &[view::c_str(c"longer than seven bytes")]),
        ("ffi.Bytes", &pair[..1]),
        ("ffi.json.Parse", &json),
        ("ffi.json.Stringify", &[list.any(), TVMFFIAny::NONE]),
        ("ffi.ReprPrint", &[list.any()]),
        ("ffi.DeepCopy", &[list.any()]),
        ("ffi.ToJSONGraphString", &[list.any(), TVMFFIAny::NONE]),
    ];
    let makers = makers.map(|(name, args)| Ok((name, globals::find(t, name)?, args)));
    let makers = makers.into_iter().collect::<Verdict<Vec<_>>>()?;
    let makers: Vec<_> = makers.into_iter().filter_map(|(name, make, args)| Some((name, make?, args))).collect();
    let allocator = TVMFFICustomAllocator { allocate: Some(failing_allocate), context: error.handle() };
    let allocator = Box::into_raw(Box::new(allocator));
    let install = || t.ok(t.api.TVMFFISetCustomAllocator(allocator));
    let owned = |lent: TVMFFIAny| t.api.TVMFFIAnyViewToOwnedAny(&lent, &mut { TVMFFIAny::NONE });
    let calls: [(&str, &dyn Fn() -> c_int); 6] = [
        ("TVMFFIAnyViewToOwnedAny of a C string", &|| owned(view::c_str(c"longer than seven bytes"))),
        ("TVMFFIAnyViewToOwnedAny of a byte array", &|| owned(view::byte_array(&text))),
        ("TVMFFIStringFromByteArray", &|| t.api.TVMFFIStringFromByteArray(&text, &mut { TVMFFIAny::NONE })),
        ("TVMFFIBytesFromByteArray", &|| t.api.TVMFFIBytesFromByteArray(&text, &mut { TVMFFIAny::NONE })),
        ("TVMFFIFunctionCreate", &|| {
            t.api.TVMFFIFunctionCreate(null_mut(), Some(return_none), None, &mut { null_mut() })
        }),
        ("TVMFFIObjectCreateOpaque", &|| {
            t.api.TVMFFIObjectCreateOpaque(CONTEXT, kTVMFFIOpaquePyObject, Some(keep_self), &mut { null_mut() })
        }),
    ];
    let words = TVMFFIByteArray::new(&[0x5a; 24]);
    let vectors = DLDataType { code: kDLFloat, bits: 32, lanes: 1024 };
    // As for the global functions below, which objects these need is for other clauses to say.
    let others: [(&str, &dyn Fn() -> c_int); 5] = [
        ("TVMFFIBigIntFromByteArray", &|| t.api.TVMFFIBigIntFromByteArray(&words, &mut { TVMFFIAny::NONE })),
        ("TVMFFIDataTypeToString", &|| t.api.TVMFFIDataTypeToString(&vectors, &mut { TVMFFIAny::NONE })),
        ("TVMFFITensorCreateUnsafeView", &|| {
            t.api.TVMFFITensorCreateUnsafeView(tensor.handle(), &prototype, &mut { null_mut() })
        }),
        ("TVMFFITensorFromDLPack", &|| {
            let managed = DLManagedTensor { dl_tensor: prototype, manager_ctx: null_mut(), deleter: None };
            t.api.TVMFFITensorFromDLPack(Box::leak(Box::new(managed)), 0, 0, &mut { null_mut() })
        }),
        ("TVMFFITensorFromDLPackVersioned", &|| {
            let version = DLPackVersion { major: 1, minor: 1 };
            let (manager_ctx, deleter, dl_tensor) = (null_mut(), None, prototype);
            let managed = DLManagedTensorVersioned { version, manager_ctx, deleter, flags: 0, dl_tensor };
            t.api.TVMFFITensorFromDLPackVersioned(Box::leak(Box::new(managed)), 0, 0, &mut { null_mut() })
        }),
    ];
    for (gives_way, successor) in successors(error.handle()) {
        give_way(successor);
        let fails_with = |name: &str| -> Verdict {
            let raised = t.api.take_raised();
            let what = format!("the raised error after {name}, where the allocator {gives_way}");
            t.eq(what, raised, error.handle())?;
            t.api.release(raised);
            Ok(())
        };
        for (name, call) in calls {
            install()?;
            t.ne(format_args!("status of {name}, where the allocator {gives_way}"), call(), 0)?;
            fails_with(name)?;
        }
        for (function, call) in others {
            install()?;
            if t.api.has(function) && call() != 0 {
                fails_with(function)?;
            }
        }
        // Which objects of these are the allocator's is for other clauses to say: a call that succeeds has needed none.
        for (name, make, args) in &makers {
            install()?;
            let mut made = TVMFFIAny::NONE;
            if t.try_call(make, args, &mut made) == 0 {
                drop(t.own(made));
            } else {
                fails_with(name)?;
            }
        }
    }
    t.eq("references to the allocator's error", t.counts(error.handle())?, (1, 1))?;
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
    t.string(b"longer than seven bytes").map(drop)
}

/// When the installed allocator fails, what was to be in the new object stays its owner's: it is neither ended nor kept.
#[check(ALC_0014, TEN_0016)]
fn failing_takes_nothing(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let (one, other) = (Homemade::new(kTVMFFIError, error_cell()), Homemade::new(kTVMFFIObject, ()));
    let source = t.tensor_of_four(FLOAT32, &[4], [0; 4])?;
    let prototype: DLTensor = t.cell("tensor", source.handle())?;
    let (mut plain, mut versioned) = (
        DLManagedTensor { dl_tensor: prototype, manager_ctx: null_mut(), deleter: Some(count_plain) },
        DLManagedTensorVersioned {
            version: DLPackVersion { major: 1, minor: 1 },
            manager_ctx: null_mut(),
            deleter: Some(count_versioned),
            flags: 0,
            dl_tensor: prototype,
        },
    );
    let containers = ["ffi.Array", "ffi.Map", "ffi.List", "ffi.Dict"];
    let containers = containers.map(|name| Ok((name, globals::find(t, name)?)));
    let containers = containers.into_iter().collect::<Verdict<Vec<_>>>()?;
    let allocator = TVMFFICustomAllocator { allocate: Some(failing_allocate), context: error.handle() };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))?;
    // Which objects are the allocator's is for other clauses to say: a call that succeeds has needed none.
    let fails = |what: &str, code: c_int, made: TVMFFIAny| -> Verdict {
        if code == 0 {
            drop(t.own(made));
            GIVEN_BACK.store(0, Ordering::Relaxed);
            return Ok(());
        }
        t.api.release_raised();
        t.eq(format_args!("counts of objects that {what} was given"), [one.counts(), other.counts()], [(1, 1); 2])?;
        t.eq(format_args!("counts of a tensor that {what} was given"), t.counts(source.handle())?, (1, 1))?;
        t.clause(id::TEN_0016);
        t.eq(format_args!("calls of a tensor's deleter after {what}"), GIVEN_BACK.load(Ordering::Relaxed), 0)?;
        t.clause(id::ALC_0014);
        Ok(())
    };
    let object = |out: TVMFFIObjectHandle| TVMFFIAny::new(kTVMFFITensor, out as u64);
    let mut out = null_mut();
    let code = t.api.TVMFFITensorFromDLPack(&mut plain, 0, 0, &mut out);
    fails("TVMFFITensorFromDLPack", code, object(out))?;
    let code = t.api.TVMFFITensorFromDLPackVersioned(&mut versioned, 0, 0, &mut out);
    fails("TVMFFITensorFromDLPackVersioned", code, object(out))?;
    let code = t.api.TVMFFITensorCreateUnsafeView(source.handle(), &prototype, &mut out);
    fails("a view", code, object(out))?;
    let text = TVMFFIByteArray::new(b"longer than seven bytes");
    let (cause, context) = (one.handle(), other.handle());
    let code = t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&text, &text, &text, cause, context, &mut out);
    fails("an error with a cause", code, object(out))?;
    for (name, make) in containers {
        let (Some(make), mut made) = (make, TVMFFIAny::NONE) else { continue };
        fails(name, t.try_call(&make, &[one.view(), other.view()], &mut made), made)?;
        // What was to be moved is still there, or has come to its end: it is not lost.
        let objects = [(); 2].map(|()| Homemade::new(kTVMFFIObject, ()));
        let mut slots = objects.each_ref().map(Homemade::handle);
        let args = slots.each_mut().map(|slot| TVMFFIAny::new(kTVMFFIObjectRValueRef, slot as *mut _ as u64));
        if t.try_call(&make, &args, &mut made) == 0 {
            drop(t.own(made));
            continue;
        }
        t.api.release_raised();
        for (object, slot) in objects.iter().zip(slots) {
            let (what, ends) = (format!("ends of an object that was moved to {name}"), object.ends().len());
            t.eq(what, ends, usize::from(slot.is_null()))?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}

/// When the installed allocator fails, what a new object was to end with itself is not ended: there is no such object.
#[check(ALC_0014)]
fn failing_ends_nothing(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let allocator = TVMFFICustomAllocator { allocate: Some(failing_allocate), context: error.handle() };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))?;
    let opaque = kTVMFFIOpaquePyObject;
    type Maker<'a> = (&'a str, &'a dyn Fn(&mut TVMFFIObjectHandle) -> c_int);
    for handle in [CONTEXT, null_mut()] {
        let makers: [Maker<'_>; 2] = [
            ("TVMFFIFunctionCreate", &|out| {
                t.api.TVMFFIFunctionCreate(handle, Some(return_none), Some(callback::count_end), out)
            }),
            ("TVMFFIObjectCreateOpaque", &|out| {
                t.api.TVMFFIObjectCreateOpaque(handle, opaque, Some(callback::count_end), out)
            }),
        ];
        for (name, make) in makers {
            let (before, mut out) = (callback::ends(), null_mut());
            if make(&mut out) == 0 {
                // It has needed none of the allocator's bodies.
                drop(t.own_object("the new object", out)?);
                continue;
            }
            t.api.release_raised();
            let what = format!("calls of the deleter of {handle:p} that {name} was given");
            t.eq(what, callback::ends() - before, 0)?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}

static GIVEN_BACK: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count_plain(_: *mut DLManagedTensor) {
    GIVEN_BACK.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn count_versioned(_: *mut DLManagedTensorVersioned) {
    GIVEN_BACK.fetch_add(1, Ordering::Relaxed);
}

/// A List or a Dict that was to be given a value when the installed allocator failed has what it had.
#[check(ALC_0014)]
fn failing_changes_nothing(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let (ending, text) = (TVMFFIByteArray::new(b"a value that is not short"), c"another value that is not short");
    let (ending, text) = (view::byte_array(&ending), view::c_str(text));
    for (door, keyed) in
        [("ffi.DictSetItem", true), ("ffi.ListSetItem", true), ("ffi.ListInsert", true), ("ffi.ListAppend", false)]
    {
        let Some(function) = globals::find(t, door)? else { continue };
        let place = if door.starts_with("ffi.Dict") { Place::DictValue } else { Place::InList };
        let key = if place == Place::InList { view::int(0) } else { TVMFFIAny::NONE };
        for (others, value) in [0, 3, 9].into_iter().flat_map(|others| [(others, ending), (others, text)]) {
            let container = place.put_before(t, &error.any(), others)?;
            let (before, held) = (content(t, place, &container)?, t.counts(error.handle())?);
            let allocator = TVMFFICustomAllocator { allocate: Some(failing_allocate), context: error.handle() };
            t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))?;
            let (all, mut result) = ([container.any(), key, value], TVMFFIAny::NONE);
            let args = if keyed { &all[..] } else { &[all[0], all[2]] };
            let code = t.try_call(&function, args, &mut result);
            t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
            if code == 0 {
                // It has needed none of the allocator's bodies.
                continue;
            }
            t.api.release_raised();
            t.eq(
                format_args!("what the container has after {door} has failed"),
                content(t, place, &container)?,
                before,
            )?;
            t.eq(format_args!("counts of what {door} was to replace"), t.counts(error.handle())?, held)?;
        }
    }
    Ok(())
}

/// When the installed allocator fails in the middle of a call, every body that it has returned in that call is given back.
#[check(ALC_0014)]
fn failing_half_way_keeps_no_body(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let [one, two, three] =
        [c"the first text, which is not short", c"the second text, which is not short", c"the third of the texts"]
            .map(view::c_str);
    let bytes = TVMFFIByteArray::new(b"bytes that are not few");
    let bytes = view::byte_array(&bytes);
    let int = view::int;
    let doors: [(&str, Option<&str>, &[TVMFFIAny]); 11] = [
        ("ffi.Array", None, &[one, two, bytes, three]),
        ("ffi.List", None, &[one, two, bytes, three]),
        ("ffi.Map", None, &[one, two, three, bytes]),
        ("ffi.Dict", None, &[one, two, three, bytes]),
        ("ffi.DictSetItem", Some("ffi.Dict"), &[one, two]),
        ("ffi.DictSetItem", Some("ffi.Dict"), &[int(1), two]),
        ("ffi.DictSetItem", Some("ffi.Dict"), &[bytes, one]),
        ("ffi.ListInsert", Some("ffi.List"), &[int(0), one]),
        ("ffi.ListAppend", Some("ffi.List"), &[bytes]),
        ("ffi.ListSetItem", Some("ffi.List"), &[int(0), two]),
        ("ffi.ToJSONGraphString", None, &[one, two]),
    ];
    let allocator = TVMFFICustomAllocator { allocate: Some(allocate_while_there_is_room), context: error.handle() };
    let allocator = Box::into_raw(Box::new(allocator));
    for (door, make, args) in doors {
        let Some(function) = globals::find(t, door)? else { continue };
        let container = || make.map(|make| t.call_global(make, &[int(1), int(2)])).transpose();
        let with = |container: &Option<Owned>| [container.as_ref().map(Owned::any).as_slice(), args].concat();
        // What is made once and kept is made without the allocator.
        let first = container()?;
        t.call(&function, &with(&first))?;
        for room in (0..6).rev() {
            let container = container()?;
            let args = with(&container);
            let (mut result, before) = (TVMFFIAny::NONE, BODIES.load(Ordering::SeqCst));
            ROOM.store(room, Ordering::SeqCst);
            t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
            let code = t.try_call(&function, &args, &mut result);
            t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
            if code == 0 {
                drop((t.own(result), container));
                continue;
            }
            t.api.release_raised();
            let left = BODIES.load(Ordering::SeqCst) - before;
            t.eq(format_args!("bodies in use after {door} has failed for want of one more than {room}"), left, 0)?;
        }
    }
    t.eq("references to the allocator's error", t.counts(error.handle())?, (1, 1))
}

/// For how many bodies [`allocate_while_there_is_room`] has room.
pub(super) static ROOM: AtomicUsize = AtomicUsize::new(0);
/// How many of its bodies are in use.
static BODIES: AtomicUsize = AtomicUsize::new(0);
/// How often an allocator of these has refused.
pub(super) static REFUSALS: AtomicUsize = AtomicUsize::new(0);

/// An allocator that runs out of memory: it raises the error that is its context.
pub(super) unsafe extern "C" fn allocate_while_there_is_room(
    size: usize,
    alignment: usize,
    type_index: i32,
    error: *mut c_void,
) -> *mut c_void {
    unsafe extern "C" fn delete_space(body: *mut c_void) {
        BODIES.fetch_sub(1, Ordering::SeqCst);
        // SAFETY: what `body` answered, once.
        unsafe { free_body(body) };
    }
    if ROOM.load(Ordering::SeqCst) == 0 || alignment > 16 {
        // SAFETY: as that function is called.
        return unsafe { failing_allocate(size, alignment, type_index, error) };
    }
    ROOM.fetch_sub(1, Ordering::SeqCst);
    BODIES.fetch_add(1, Ordering::SeqCst);
    body(size, delete_space)
}

/// What a List or a Dict has: the sixteen bytes of each key and value.
fn content(t: &Trial, place: Place, container: &Owned) -> Verdict<Vec<[u8; 16]>> {
    Ok(match place {
        Place::InList => t.sequence(container.handle())?.items.iter().map(|item| item.to_bytes()).collect(),
        _ => t
            .map(container.handle())?
            .entries
            .iter()
            .flat_map(|(key, value)| [key.to_bytes(), value.to_bytes()])
            .collect(),
    })
}

/// Whether [`failing_allocate`] is no longer in force when it fails, and which allocator is: NULL for the built-in one.
static GIVES_WAY: AtomicBool = AtomicBool::new(false);
static SUCCESSOR: AtomicPtr<TVMFFICustomAllocator> = AtomicPtr::new(null_mut());

/// Has [`failing_allocate`] put that one in force before it fails, if any.
pub(super) fn give_way(successor: Option<*mut TVMFFICustomAllocator>) {
    SUCCESSOR.store(successor.unwrap_or(null_mut()), Ordering::SeqCst);
    GIVES_WAY.store(successor.is_some(), Ordering::SeqCst);
}

/// What [`failing_allocate`] may put in force before it fails, and what it does then, for messages. They raise that error where they fail.
pub(super) fn successors(error: TVMFFIObjectHandle) -> [(&'static str, Option<*mut TVMFFICustomAllocator>); 3] {
    unsafe extern "C" fn allocate(size: usize, alignment: usize, type_index: i32, error: *mut c_void) -> *mut c_void {
        if alignment > 16 {
            // SAFETY: as that function is called.
            return unsafe { failing_allocate(size, alignment, type_index, error) };
        }
        body(size, free_body)
    }
    let another = TVMFFICustomAllocator { allocate: Some(allocate), context: error };
    [
        ("stays in force", None),
        ("has put the built-in one in force", Some(null_mut())),
        ("has put another one in force", Some(Box::into_raw(Box::new(another)))),
    ]
}

/// An allocator that is out of memory: it raises the error that is its context.
unsafe extern "C" fn failing_allocate(_: usize, _: usize, _: i32, error: *mut c_void) -> *mut c_void {
    REFUSALS.fetch_add(1, Ordering::SeqCst);
    // Without a breadcrumb: the latest call is the one that needs the memory.
    let Some(functions) = callback::api().map(|api| api.table()) else { return null_mut() };
    if let Some(install) = functions.TVMFFISetCustomAllocator.filter(|_| GIVES_WAY.load(Ordering::SeqCst)) {
        // SAFETY: the built-in allocator, or one that lives as long as the process.
        unsafe { install(SUCCESSOR.load(Ordering::SeqCst)) };
    }
    if let Some(raise) = functions.TVMFFIErrorSetRaised {
        // SAFETY: an Error that outlives the allocator.
        unsafe { raise(error) };
    }
    null_mut()
}
