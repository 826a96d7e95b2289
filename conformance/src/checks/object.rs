//! Objects: the header, reference counts, deleters, and opaque objects.
//!
//! Two sorts of objects are looked at. Those that the library makes show that it keeps to the header's rules in what it
//! hands out. Homemade ones, which remember each call of their deleter, show that it keeps to them in what it is given.

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
    ptr::null_mut,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::prelude::*;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        homemade::{self, Homemade},
    },
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// A new object holds one reference of each kind.
#[check(OBJ_0001)]
fn new_counts(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| t.eq(format!("strong and weak count of a new {kind}"), t.counts(object)?, (1, 1)))
}

/// The header tells the object's type.
#[check(OBJ_0002)]
fn type_index(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        t.eq(format!("type index in the header of a new {kind}"), t.header(object)?.type_index, kind.type_index)
    })?;
    let string = t.string(TEXT)?;
    t.eq(
        "type index in the header of the value's object",
        t.header(string.handle())?.type_index,
        string.any().type_index,
    )
}

/// The header's padding is zero.
#[check(OBJ_0003)]
fn padding(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| t.eq(format!("padding of a new {kind}"), t.header(object)?.__padding, 0))
}

/// Objects are aligned.
#[check(OBJ_0004)]
fn alignment(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| t.eq(format!("address of a new {kind} modulo 8"), object as usize % 8, 0))
}

/// What belongs to the type follows the header.
#[check(OBJ_0005)]
fn cell(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| match kind.type_index {
        kTVMFFIStr | kTVMFFIBytes => {
            let content = t.read_array(format!("content of the {kind}"), t.cell("its byte array", object)?)?;
            t.eq(format!("content of the {kind}"), content, TEXT.to_vec())
        }
        kTVMFFIError => {
            let [kind, message, backtrace]: [TVMFFIByteArray; 3] = t.cell("the error cell", object)?;
            t.eq("kind of the Error", t.read_array("kind", kind)?, b"ValueError".to_vec())?;
            t.eq("message of the Error", t.read_array("message", message)?, TEXT.to_vec())?;
            t.eq("backtrace of the Error", t.read_array("backtrace", backtrace)?, b"".to_vec())
        }
        kTVMFFIFunction => {
            let cell: TVMFFIFunctionCell = t.cell("the function cell", object)?;
            t.that("safe_call of the Function", cell.safe_call.is_some(), "a function", "NULL")
        }
        kTVMFFITensor => {
            let tensor: DLTensor = t.cell("the DLTensor", object)?;
            t.eq("data of the Tensor", tensor.data as usize, TENSOR_DATA)?;
            t.eq("ndim and byte_offset of the Tensor", (tensor.ndim, tensor.byte_offset), (2, 0))
        }
        _ => {
            let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", object)?;
            t.eq("handle of the opaque object", cell.handle as usize, HANDLE)
        }
    })
}

/// IncRef adds one strong reference.
#[check(OBJ_0006)]
fn inc(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for (strong, weak) in [(1, 1), (1, 2), (41, 1), (41, 17)] {
        object.set_counts(strong, weak);
        t.eq("return value", t.api.TVMFFIObjectIncRef(object.handle()), 0)?;
        t.eq("strong and weak count", object.counts(), (strong + 1, weak))?;
    }
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// IncRef adds one to the library's objects.
#[check(OBJ_0006)]
fn inc_made(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        t.eq("return value", t.api.TVMFFIObjectIncRef(object), 0)?;
        let counts = t.counts(object)?;
        // Given back inline: what DecRef does is another clause.
        homemade::release(object);
        t.eq(format!("strong and weak count of the {kind}"), counts, (2, 1))
    })
}

/// DecRef takes one strong reference.
#[check(OBJ_0007)]
fn dec(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for (strong, weak) in [(2, 1), (2, 2), (42, 1), (42, 17)] {
        object.set_counts(strong, weak);
        t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
        t.eq("strong and weak count", object.counts(), (strong - 1, weak))?;
    }
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// DecRef takes one from the library's objects.
#[check(OBJ_0007)]
fn dec_made(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        homemade::retain(object);
        t.eq("return value", t.api.TVMFFIObjectDecRef(object), 0)?;
        t.eq(format!("strong and weak count of the {kind}"), t.counts(object)?, (1, 1))
    })
}

/// DecRef of NULL does nothing.
#[check(OBJ_0008)]
fn dec_null(t: &Trial) -> Verdict {
    t.eq("return value", t.api.TVMFFIObjectDecRef(null_mut()), 0)
}

/// The last reference ends content and memory.
#[check(OBJ_0009)]
fn last(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
    t.eq("flags of each call of the object's deleter", object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
    t.eq("calls of the deleter with any address", homemade::all_ends(), 1)
}

/// The last strong reference ends the content.
#[check(OBJ_0010)]
fn last_strong(t: &Trial) -> Verdict {
    for weak in [2, 3, 1000] {
        let object = Homemade::new(kTVMFFIObject, ());
        object.set_counts(1, weak);
        t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
        t.eq("flags of each call of the deleter", object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskStrong])?;
        t.eq("strong and weak count afterwards", object.counts(), (0, weak - 1))?;
        t.that("promotion of a weak reference", !homemade::promote(object.handle()), "to fail", "a strong reference")?;
    }
    Ok(())
}

/// Content ends before memory may.
#[check(OBJ_0011)]
fn end_in_order(t: &Trial) -> Verdict {
    static COMBINED_COUNT: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn look_at_counts(handle: TVMFFIObjectHandle, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
            let count = crate::client::memory::read(handle.cast::<u64>()).unwrap_or(u64::MAX);
            COMBINED_COUNT.store(count as usize, Ordering::Relaxed);
        }
    }
    let object = Homemade::with_deleter(kTVMFFIObject, (), Some(look_at_counts));
    object.set_counts(1, 3);
    t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
    let seen = COMBINED_COUNT.load(Ordering::Relaxed);
    t.eq("strong and weak count while the deleter runs", (seen as u32, (seen >> 32) as u32), (0, 3))
}

/// The memory ends when nobody is left.
#[check(OBJ_0012)]
fn last_weak(t: &Trial) -> Verdict {
    /// Ends the content, which holds the only weak reference to its own object, as a tree's child to its parent.
    unsafe extern "C" fn give_up_weak(handle: TVMFFIObjectHandle, flags: c_int) {
        // SAFETY: only remembers the call.
        unsafe { homemade::remember_end(handle, flags) };
        if flags == kTVMFFIObjectDeleterFlagBitMaskStrong {
            homemade::release_weak(handle);
        }
    }
    let object = Homemade::with_deleter(kTVMFFIObject, (), Some(give_up_weak));
    homemade::retain_weak(object.handle());
    t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
    let expected = vec![kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak];
    t.eq("flags of each call of the deleter", object.ends(), expected)
}

/// An object without a deleter may end.
#[check(OBJ_0013)]
fn no_deleter(t: &Trial) -> Verdict {
    for weak in [1, 2] {
        let object = Homemade::with_deleter(kTVMFFIObject, (), None);
        object.set_counts(1, weak);
        t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
        t.eq("strong count afterwards", object.counts().0, 0)?;
    }
    Ok(())
}

/// A weak reference sees that the object is gone.
#[check(OBJ_0014)]
fn weak_looks(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    let object = function.handle();
    homemade::retain_weak(object);
    homemade::retain_weak(object);
    drop(function);
    t.eq("ends of the function's closure", CLOSED.load(Ordering::Relaxed), 1)?;
    t.eq("strong and weak count", t.counts(object)?, (0, 2))?;
    t.that("promotion of a weak reference", !homemade::promote(object), "to fail", "a strong reference")?;
    homemade::release_weak(object);
    t.eq("strong and weak count after one weak reference is given up", t.counts(object)?, (0, 1))
}

/// Content ends once, with its memory.
#[check(OBJ_0015)]
fn content_once(t: &Trial) -> Verdict {
    for rounds in 1..=10 {
        let function = counted_function(t)?;
        t.eq("ends of closures while the function lives", CLOSED.load(Ordering::Relaxed), rounds - 1)?;
        // Ended inline, so that it is the deleter alone that is judged.
        t.api.noted("deleter of a function, flags 3", || {
            homemade::release(function.into_any().payload() as *mut c_void)
        });
        t.eq("ends of closures", CLOSED.load(Ordering::Relaxed), rounds)?;
    }
    Ok(())
}

/// Content ends once, before its memory.
#[check(OBJ_0015)]
fn content_once_weak(t: &Trial) -> Verdict {
    for rounds in 1..=10 {
        let object = counted_function(t)?.into_any().payload() as *mut c_void;
        homemade::retain_weak(object);
        t.api.noted("deleter of a function, flags 1", || homemade::release(object));
        t.eq("ends of closures", CLOSED.load(Ordering::Relaxed), rounds)?;
        t.api.noted("deleter of a function, flags 2", || homemade::release_weak(object));
        t.eq("ends of closures after the memory is freed", CLOSED.load(Ordering::Relaxed), rounds)?;
    }
    Ok(())
}

/// The last weak reference frees the memory.
#[check(OBJ_0016, patient = 2)]
fn weak_memory(t: &Trial) -> Verdict {
    for make in [make_string, make_function] {
        t.no_growth("memory of objects that weak references outlive", || {
            let object = make(t);
            if !object.is_null() {
                homemade::retain_weak(object);
                homemade::release(object);
                homemade::release_weak(object);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// A promoted reference keeps the object.
#[check(OBJ_0017)]
fn promoted(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    homemade::retain_weak(object.handle());
    t.that("promotion of a weak reference", homemade::promote(object.handle()), "to succeed", "no reference")?;
    t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
    t.eq("calls of the deleter while a promoted reference is held", object.ends().len(), 0)?;
    t.eq("strong and weak count", object.counts(), (1, 2))?;
    t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
    t.eq("calls of the deleter after the promoted reference is given up", object.ends().len(), 1)
}

/// Counts and ends follow the rules.
#[check(OBJ_0006, OBJ_0007, OBJ_0009, OBJ_0010)]
fn model(t: &Trial) -> Verdict {
    t.property(prop::collection::vec(operation(), 0..24), |operations: &Vec<Operation>| {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut model = Model::new();
        for operation in operations.iter().copied().chain(Model::ENDING) {
            if !model.allows(operation) {
                continue;
            }
            model.apply(operation);
            t.clause(match (operation, model.strong, model.weak) {
                (Operation::IncRef, ..) => id::OBJ_0006,
                (_, 0, 0) => id::OBJ_0009,
                (_, 0, _) => id::OBJ_0010,
                _ => id::OBJ_0007,
            });
            operation.perform(t, object.handle(), &model)?;
            t.eq(format!("flags of each call of the deleter after {operation:?}"), object.ends(), model.ends.clone())?;
            if model.alive() {
                t.eq(format!("strong and weak count after {operation:?}"), object.counts(), model.counts())?;
            }
        }
        Ok(())
    })
}

/// The library's objects follow the rules.
#[check(OBJ_0014, OBJ_0015)]
fn model_made(t: &Trial) -> Verdict {
    t.property(prop::collection::vec(operation(), 0..24), |operations: &Vec<Operation>| {
        let object = counted_function(t)?.into_any().payload() as *mut c_void;
        let closed_before = CLOSED.load(Ordering::Relaxed);
        let mut model = Model::new();
        for operation in operations.iter().copied().chain(Model::ENDING) {
            if !model.allows(operation) {
                continue;
            }
            model.apply(operation);
            t.clause(id::OBJ_0015);
            operation.perform(t, object, &model)?;
            let closed = CLOSED.load(Ordering::Relaxed) - closed_before;
            t.eq(format!("ends of the closure after {operation:?}"), closed, usize::from(model.strong == 0))?;
            if model.alive() {
                t.clause(id::OBJ_0014);
                t.eq(format!("strong and weak count after {operation:?}"), t.counts(object)?, model.counts())?;
            }
        }
        Ok(())
    })
}

/// Counts are exact on many threads.
#[check(OBJ_0018, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    const KEPT: u32 = 1000;
    let object = Homemade::new(kTVMFFIObject, ());
    let (inc, dec) = counting_functions(t)?;
    t.api.note("TVMFFIObjectIncRef and TVMFFIObjectDecRef on 4 threads");
    t.threads(4, |_, _| {
        for round in 0..10 * KEPT {
            inc(object.handle());
            if round % 10 != 0 {
                dec(object.handle());
            }
        }
        Ok(())
    })?;
    t.eq("strong and weak count", object.counts(), (1 + 4 * KEPT, 1))?;
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// Library and clients count together.
#[check(OBJ_0018, patient = 2)]
fn threads_inline(t: &Trial) -> Verdict {
    const ROUNDS: u32 = 5000;
    let object = t.opaque(HANDLE as *mut c_void, None)?;
    let handle = object.handle() as usize;
    let (inc, dec) = counting_functions(t)?;
    t.api.note("TVMFFIObjectIncRef and TVMFFIObjectDecRef on 2 threads, inline counting on 2 others");
    t.threads(4, |_, number| {
        let handle = handle as *mut c_void;
        for _ in 0..ROUNDS {
            match number % 2 {
                0 => {
                    inc(handle);
                    inc(handle);
                    dec(handle);
                }
                _ => {
                    homemade::retain(handle);
                    homemade::retain_weak(handle);
                    homemade::release(handle);
                }
            }
        }
        Ok(())
    })?;
    t.eq("strong and weak count", t.counts(object.handle())?, (1 + 2 * ROUNDS, 1 + 2 * ROUNDS))
}

/// One of many threads ends the object.
#[check(OBJ_0019, patient = 2)]
fn threads_last(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    let objects: Vec<Homemade> = (0..1000).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
    objects.iter().for_each(|object| object.set_counts(THREADS as u32, 1));
    let (_, dec) = counting_functions(t)?;
    t.api.note("TVMFFIObjectDecRef of one object after another on 4 threads");
    t.threads(THREADS, |_, _| {
        for object in &objects {
            dec(object.handle());
        }
        Ok(())
    })?;
    t.eq("calls of 1000 deleters", homemade::all_ends(), objects.len())?;
    t.eq("flags of the calls of the first", objects[0].ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])
}

/// Strings, Bytes and Errors give memory back.
#[check(OBJ_0020, patient = 2)]
fn no_leak_text(t: &Trial) -> Verdict {
    kinds_give_memory_back(t, &KINDS[..3])
}

/// Other objects give memory back.
#[check(OBJ_0020, patient = 2)]
fn no_leak_other(t: &Trial) -> Verdict {
    kinds_give_memory_back(t, &KINDS[3..])
}

fn kinds_give_memory_back(t: &Trial, kinds: &[Kind]) -> Verdict {
    for kind in kinds {
        t.no_growth(format!("memory of objects of the kind {kind}"), || {
            t.api.TVMFFIObjectDecRef((kind.make)(t));
            Ok(())
        })?;
    }
    Ok(())
}

/// A client's function object can be called.
#[check(OBJ_0021)]
fn client_function(t: &Trial) -> Verdict {
    static SELF: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn remember_self(
        this: *mut c_void,
        args: *const TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        SELF.store(this as usize, Ordering::Relaxed);
        if num_args == 1 {
            // SAFETY: the caller passes one argument, a plain value, and a place for the result.
            unsafe { *result = *args };
        }
        0
    }
    let function =
        Homemade::new(kTVMFFIFunction, TVMFFIFunctionCell { safe_call: Some(remember_self), cpp_call: null_mut() });
    let mut argument = crate::client::view::int(42);
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(function.handle(), &mut argument, 1, &mut result))?;
    t.eq("handle that safe_call received", SELF.load(Ordering::Relaxed), function.handle() as usize)?;
    t.any_eq("result", &result, &argument)?;
    t.eq("strong and weak count of the function", function.counts(), (1, 1))
}

/// A global function is held and let go.
#[check(OBJ_0022)]
fn client_global(t: &Trial) -> Verdict {
    let cell = TVMFFIFunctionCell { safe_call: Some(do_nothing), cpp_call: null_mut() };
    let [first, second] = [cell, cell].map(|cell| Homemade::new(kTVMFFIFunction, cell));
    let name = TVMFFIByteArray::new(b"suite.client_global_is_held");
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, first.handle(), 0))?;
    t.eq("strong and weak count of a registered function", first.counts(), (2, 1))?;

    let mut found = null_mut();
    t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut found))?;
    t.eq("the function found by name", found, first.handle())?;
    t.eq("strong and weak count of a function that was found", first.counts(), (3, 1))?;

    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, second.handle(), 1))?;
    t.eq("strong and weak count of a function that was replaced", first.counts(), (2, 1))?;
    t.eq("strong and weak count of the function in its place", second.counts(), (2, 1))
}

/// A raised error is held and let go.
#[check(OBJ_0022)]
fn client_error(t: &Trial) -> Verdict {
    let [first, second] = [(), ()].map(|()| Homemade::new(kTVMFFIError, error_cell()));
    t.api.TVMFFIErrorSetRaised(first.handle());
    t.eq("strong and weak count of a raised error", first.counts(), (2, 1))?;

    t.api.TVMFFIErrorSetRaised(second.handle());
    t.eq("strong and weak count of an error that another one replaced", first.counts(), (1, 1))?;

    let mut moved = null_mut();
    t.api.TVMFFIErrorMoveFromRaised(&mut moved);
    t.eq("the error that was moved", moved, second.handle())?;
    t.eq("strong and weak count of the error that was moved", second.counts(), (2, 1))?;
    t.eq("calls of the deleters", homemade::all_ends(), 0)
}

/// An exported tensor is held and let go.
#[check(OBJ_0022)]
fn client_tensor(t: &Trial) -> Verdict {
    let (mut shape, mut strides) = ([2, 3], [3, 1]);
    let object = Homemade::new(kTVMFFITensor, tensor(&mut shape, &mut strides));
    let mut exported = null_mut();
    t.ok(t.api.TVMFFITensorToDLPack(object.handle(), &mut exported))?;
    t.eq("strong and weak count of an exported tensor", object.counts(), (2, 1))?;

    let managed = t.read("exported tensor", exported)?;
    t.eq("data of the exported tensor", managed.dl_tensor.data as usize, TENSOR_DATA)?;
    let Some(deleter) = managed.deleter else {
        return Err(t.failure("deleter of the exported tensor", "a function", "NULL"));
    };
    // SAFETY: the exported tensor's own deleter, called once.
    t.api.noted("deleter of an exported tensor", || unsafe { deleter(exported) });
    t.eq("strong and weak count after the export is given up", object.counts(), (1, 1))
}

/// A call leaves the counts of its arguments.
#[check(OBJ_0023)]
fn arguments(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let function = t.function(null_mut(), do_nothing, None)?;
    t.call(&function, &[object.view(), object.view(), object.view()])?;
    t.eq("strong and weak count of an argument after the call", object.counts(), (1, 1))
}

/// A call leaves the counts of its result.
#[check(OBJ_0023)]
fn result(t: &Trial) -> Verdict {
    /// Gives its argument back, with a reference for the caller.
    unsafe extern "C" fn give_back(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller passes one object and a place for the result.
        unsafe {
            homemade::retain((*args).payload() as *mut c_void);
            *result = *args;
        }
        0
    }
    let object = Homemade::new(kTVMFFIObject, ());
    let function = t.function(null_mut(), give_back, None)?;
    let result = t.call(&function, &[object.view()])?.into_any();
    t.any_eq("result", &result, &object.view())?;
    t.eq("strong and weak count of the result", object.counts(), (2, 1))
}

/// An opaque object carries its handle.
#[check(OBJ_0024)]
fn opaque(t: &Trial) -> Verdict {
    for handle in [HANDLE, 1, usize::MAX] {
        let opaque = t.opaque(handle as *mut c_void, None)?;
        t.eq("type index", opaque.any().type_index, kTVMFFIOpaquePyObject)?;
        let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", opaque.handle())?;
        t.eq("handle at byte 24", cell.handle as usize, handle)?;
    }
    Ok(())
}

/// An opaque object's deleter runs once.
#[check(OBJ_0025)]
fn opaque_deleter(t: &Trial) -> Verdict {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    static LAST_HANDLE: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn delete(handle: *mut c_void) {
        CALLS.fetch_add(1, Ordering::Relaxed);
        LAST_HANDLE.store(handle as usize, Ordering::Relaxed);
    }
    for round in 1..=10 {
        let handle = HANDLE + round;
        let opaque = t.opaque(handle as *mut c_void, Some(delete))?;
        homemade::retain(opaque.handle());
        homemade::release(opaque.handle());
        t.eq("calls of deleters while the object lives", CALLS.load(Ordering::Relaxed), round - 1)?;
        drop(opaque);
        t.eq("calls of deleters", CALLS.load(Ordering::Relaxed), round)?;
        t.eq("handle that the deleter received", LAST_HANDLE.load(Ordering::Relaxed), handle)?;
    }
    Ok(())
}

/// An opaque object needs no deleter.
#[check(OBJ_0026)]
fn opaque_bare(t: &Trial) -> Verdict {
    for handle in [0, HANDLE] {
        let opaque = t.opaque(handle as *mut c_void, None)?;
        let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", opaque.handle())?;
        t.eq("handle at byte 24", cell.handle as usize, handle)?;
        t.ok(t.api.TVMFFIObjectDecRef(opaque.into_any().payload() as *mut c_void))?;
    }
    Ok(())
}

/// An opaque object cannot pass for another.
#[check(OBJ_0027)]
fn opaque_index(t: &Trial) -> Verdict {
    for type_index in [kTVMFFINone, kTVMFFIInt, kTVMFFIStr, kTVMFFIFunction, kTVMFFITensor] {
        let mut out = null_mut();
        let code = t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, type_index, Some(close), &mut out);
        t.raises(code, &[])?;
        t.eq("calls of the deleter", CLOSED.load(Ordering::Relaxed), 0)?;
    }
    Ok(())
}

/// A deleter may call the library.
#[check(OBJ_0028)]
fn deleter_calls(t: &Trial) -> Verdict {
    const DEPTH: usize = 100;
    static API: OnceLock<Api> = OnceLock::new();
    static MADE: AtomicUsize = AtomicUsize::new(0);
    /// Ends the next object of the chain, and makes and ends one of its own.
    unsafe extern "C" fn end_next(next: *mut c_void) {
        let Some(api) = API.get() else { return };
        let mut out = TVMFFIAny::NONE;
        if api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out) == 0 {
            MADE.fetch_add(1, Ordering::Relaxed);
            api.TVMFFIObjectDecRef(out.payload() as *mut c_void);
        }
        api.TVMFFIObjectDecRef(next);
    }
    API.get_or_init(|| t.api);
    let mut chain = t.opaque(HANDLE as *mut c_void, None)?;
    for _ in 0..DEPTH {
        chain = t.opaque(chain.into_any().payload() as *mut c_void, Some(end_next))?;
    }
    drop(chain);
    t.eq("deleters that called the library", MADE.load(Ordering::Relaxed), DEPTH)
}

/// Counting leaves the raised error alone.
#[check(OBJ_0029)]
fn raised_stays(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"kept".as_ptr());
    t.api.TVMFFIObjectIncRef(object.handle());
    t.api.TVMFFIObjectDecRef(object.handle());
    t.api.TVMFFIObjectDecRef(object.handle());
    let raised = t.take_raised().map(|raised| (raised.kind, raised.message));
    t.eq("the raised error", raised, Some(("ValueError".to_owned(), "kept".to_owned())))
}

/// Large counts stay in their halves.
#[check(OBJ_0030)]
fn large_counts(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for strong in [0xff, 0xffff, 0x00ff_ffff, 0x7fff_fffd] {
        for weak in [1, 0xffff, 0x7fff_ffff] {
            object.set_counts(strong, weak);
            t.eq("return value", t.api.TVMFFIObjectIncRef(object.handle()), 0)?;
            t.eq("strong and weak count after IncRef", object.counts(), (strong + 1, weak))?;
            t.eq("return value", t.api.TVMFFIObjectDecRef(object.handle()), 0)?;
            t.eq("strong and weak count after DecRef", object.counts(), (strong, weak))?;
        }
    }
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// IncRef of NULL is refused.
#[check(OBJ_0031)]
fn inc_null(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIObjectIncRef(null_mut()), &[]).map(drop)
}

/// An opaque object without a place is refused.
#[check(OBJ_0031)]
fn opaque_null(t: &Trial) -> Verdict {
    let code = t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, kTVMFFIOpaquePyObject, None, null_mut());
    t.raises(code, &[]).map(drop)
}

/// A kind of object that the C functions make.
struct Kind {
    name: &'static str,
    type_index: i32,
    /// A new object, or NULL: whether it can be made is for other clauses to say.
    make: fn(&Trial) -> TVMFFIObjectHandle,
}

impl Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const KINDS: &[Kind] = &[
    Kind { name: "String", type_index: kTVMFFIStr, make: make_string },
    Kind { name: "Bytes", type_index: kTVMFFIBytes, make: make_bytes },
    Kind { name: "Error", type_index: kTVMFFIError, make: make_error },
    Kind { name: "Function", type_index: kTVMFFIFunction, make: make_function },
    Kind { name: "Tensor", type_index: kTVMFFITensor, make: make_tensor },
    Kind { name: "opaque object", type_index: kTVMFFIOpaquePyObject, make: make_opaque },
];

/// Looks at a new object of each kind that can be made, and releases it.
fn each_kind(t: &Trial, look: impl Fn(&Kind, TVMFFIObjectHandle) -> Verdict) -> Verdict {
    let mut made = 0;
    for kind in KINDS {
        let handle = (kind.make)(t);
        if !handle.is_null() {
            made += 1;
            let object = t.own(TVMFFIAny::new(kind.type_index, handle as u64));
            look(kind, object.handle())?;
        }
    }
    t.that("kinds of objects that can be made", made > 0, "at least one", made)
}

const TEXT: &[u8] = b"longer than seven bytes";
const HANDLE: usize = 0x1122_3344_5566_7788;
const TENSOR_DATA: usize = 0x1000;

fn make_string(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = TVMFFIAny::NONE;
    t.api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out);
    out.payload() as *mut c_void
}

fn make_bytes(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = TVMFFIAny::NONE;
    t.api.TVMFFIBytesFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out);
    out.payload() as *mut c_void
}

fn make_error(t: &Trial) -> TVMFFIObjectHandle {
    let [kind, message, backtrace] = [b"ValueError", TEXT, b""].map(TVMFFIByteArray::new);
    let mut out = null_mut();
    t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut out);
    out
}

fn make_function(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = null_mut();
    t.api.TVMFFIFunctionCreate(HANDLE as *mut c_void, Some(do_nothing), None, &mut out);
    out
}

fn make_tensor(t: &Trial) -> TVMFFIObjectHandle {
    /// Frees the managed tensor with the extents that lie behind it.
    unsafe extern "C" fn free(managed: *mut DLManagedTensor) {
        // SAFETY: the box that make_tensor gave away, given back once.
        drop(unsafe { Box::from_raw(managed.cast::<(DLManagedTensor, [i64; 4])>()) });
    }
    let mut whole = Box::new((
        DLManagedTensor { dl_tensor: tensor(&mut [0; 2], &mut [0; 2]), manager_ctx: null_mut(), deleter: Some(free) },
        [2, 3, 3, 1],
    ));
    let (shape, strides) = whole.1.split_at_mut(2);
    (whole.0.dl_tensor.shape, whole.0.dl_tensor.strides) = (shape.as_mut_ptr(), strides.as_mut_ptr());
    let mut out = null_mut();
    t.api.TVMFFITensorFromDLPack(Box::into_raw(whole).cast(), 0, 0, &mut out);
    out
}

fn make_opaque(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = null_mut();
    t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, kTVMFFIOpaquePyObject, None, &mut out);
    out
}

/// A 2 by 3 tensor whose data nobody follows; valid as long as shape and strides are.
fn tensor(shape: &mut [i64; 2], strides: &mut [i64; 2]) -> DLTensor {
    DLTensor {
        data: TENSOR_DATA as *mut c_void,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    }
}

fn error_cell() -> TVMFFIErrorCell {
    unsafe extern "C" fn keep_backtrace(_: TVMFFIObjectHandle, _: *const TVMFFIByteArray, _: i32) {}
    TVMFFIErrorCell {
        kind: TVMFFIByteArray::new(b"ValueError"),
        message: TVMFFIByteArray::new(b"made by a client"),
        backtrace: TVMFFIByteArray::new(b""),
        update_backtrace: Some(keep_backtrace),
        cause_chain: null_mut(),
        extra_context: null_mut(),
    }
}

/// A function that returns None.
unsafe extern "C" fn do_nothing(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

/// How often [`close`] was called.
static CLOSED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn close(_: *mut c_void) {
    CLOSED.fetch_add(1, Ordering::Relaxed);
}

/// A function of the library's whose closure ends in [`close`].
fn counted_function(t: &Trial) -> Verdict<Owned> {
    t.function(HANDLE as *mut c_void, do_nothing, Some(close))
}

type Counting = Box<dyn Fn(TVMFFIObjectHandle) -> c_int + Sync>;

/// IncRef and DecRef without breadcrumbs, for tight loops.
fn counting_functions(t: &Trial) -> Verdict<(Counting, Counting)> {
    let table = t.api.table();
    let (Some(inc), Some(dec)) = (table.TVMFFIObjectIncRef, table.TVMFFIObjectDecRef) else {
        return Err(t.failure("TVMFFIObjectIncRef and TVMFFIObjectDecRef", "exported by the target", "missing"));
    };
    // SAFETY: callers pass live objects; the rest is the target's affair.
    let bare = |f: unsafe extern "C" fn(TVMFFIObjectHandle) -> c_int| move |object| unsafe { f(object) };
    Ok((Box::new(bare(inc)), Box::new(bare(dec))))
}

/// Something that a holder of references may do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// Through the library.
    IncRef,
    DecRef,
    /// Inline.
    Retain,
    Release,
    RetainWeak,
    ReleaseWeak,
    Promote,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop::sample::select(vec![IncRef, DecRef, Retain, Release, RetainWeak, ReleaseWeak, Promote])
}

impl Operation {
    fn gives_up_strong(self) -> bool {
        matches!(self, Operation::DecRef | Operation::Release)
    }

    /// Does it to an object; `after` is what the model says that it leads to.
    fn perform(self, t: &Trial, object: TVMFFIObjectHandle, after: &Model) -> Verdict {
        match self {
            Operation::IncRef => t.eq("return value", t.api.TVMFFIObjectIncRef(object), 0)?,
            Operation::DecRef => t.eq("return value", t.api.TVMFFIObjectDecRef(object), 0)?,
            Operation::Retain => homemade::retain(object),
            Operation::Release => t.api.noted("an inline release", || homemade::release(object)),
            Operation::RetainWeak => homemade::retain_weak(object),
            Operation::ReleaseWeak => t.api.noted("an inline weak release", || homemade::release_weak(object)),
            Operation::Promote => {
                t.eq("whether the object can be promoted", homemade::promote(object), after.strong > 0)?;
            }
        }
        Ok(())
    }
}

/// What the rules of the header say of one object.
#[derive(Debug)]
struct Model {
    strong: u32,
    /// Weak references that somebody holds, beside the one that the strong ones share.
    weak: u32,
    /// The flags of the deleter's calls.
    ends: Vec<c_int>,
}

impl Model {
    /// More than enough to give up every reference.
    const ENDING: [Operation; 50] = {
        let mut ending = [Operation::DecRef; 50];
        let mut place = 25;
        while place < 50 {
            ending[place] = Operation::ReleaseWeak;
            place += 1;
        }
        ending
    };

    fn new() -> Self {
        Self { strong: 1, weak: 0, ends: Vec::new() }
    }

    fn alive(&self) -> bool {
        self.strong + self.weak > 0
    }

    fn counts(&self) -> (u32, u32) {
        (self.strong, self.weak + u32::from(self.strong > 0))
    }

    /// Only who holds a reference may take another or give it up.
    fn allows(&self, operation: Operation) -> bool {
        match operation {
            Operation::IncRef | Operation::Retain | Operation::DecRef | Operation::Release => self.strong > 0,
            Operation::RetainWeak => self.alive(),
            Operation::ReleaseWeak | Operation::Promote => self.weak > 0,
        }
    }

    fn apply(&mut self, operation: Operation) {
        match operation {
            Operation::IncRef | Operation::Retain => self.strong += 1,
            Operation::DecRef | Operation::Release => self.strong -= 1,
            Operation::RetainWeak => self.weak += 1,
            Operation::ReleaseWeak => self.weak -= 1,
            Operation::Promote => self.strong += u32::from(self.strong > 0),
        }
        if operation.gives_up_strong() && self.strong == 0 {
            self.ends.push(match self.weak {
                0 => kTVMFFIObjectDeleterFlagBitMaskBoth,
                _ => kTVMFFIObjectDeleterFlagBitMaskStrong,
            });
        }
        if operation == Operation::ReleaseWeak && !self.alive() {
            self.ends.push(kTVMFFIObjectDeleterFlagBitMaskWeak);
        }
    }
}
