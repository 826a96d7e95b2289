//! What other threads do while the library runs a function of the client's: they use the library, too.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use tvm_ffi_spec::*;

use super::{Trial, deadline};
use crate::client::{
    Client, Verdict,
    callback::{client, keep_self, return_none},
    set_failed,
    tensor::FLOAT32,
    types, view,
};

/// Set until the function of the client's has been run.
static ARMED: AtomicBool = AtomicBool::new(false);
/// What became of the other thread's work: nothing yet, done, or the part of it that has not come back.
static OUTCOME: Mutex<Option<Result<(), &str>>> = Mutex::new(None);

impl Trial<'_> {
    /// Makes a call in which the library runs a function of the client's that has [`others_work`], and expects the work of
    /// the other thread to have been done meanwhile.
    pub fn others_meanwhile(&self, door: &str, call: impl FnOnce() -> Verdict) -> Verdict {
        self.serve_callbacks();
        *OUTCOME.lock().unwrap_or_else(PoisonError::into_inner) = None;
        ARMED.store(true, Ordering::SeqCst);
        call()?;
        ARMED.store(false, Ordering::SeqCst);
        let outcome = OUTCOME.lock().unwrap_or_else(PoisonError::into_inner).take();
        match outcome {
            // Whether the function is run is for other clauses to say.
            None | Some(Ok(())) => Ok(()),
            Some(Err(latest)) => {
                Err(self.late(format!("another thread's calls while {door} runs, of which the latest is {latest}")))
            }
        }
    }
}

/// Has another thread work with the library and waits until it is done, once for each [`Trial::others_meanwhile`].
///
/// It does not wait for ever, so that the check says what it found.
pub fn others_work() {
    let Some(client) = client() else { return };
    if !ARMED.swap(false, Ordering::SeqCst) {
        return;
    }
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        for (what, work) in WORK {
            // Nobody listens any more when it took too long.
            let _ = tell.send(what);
            // A call that fails has come back, too: whether it has to succeed is for other clauses to say.
            if work(client).is_err() {
                set_failed(false);
            }
        }
    });
    let mut latest = "a new thread";
    let outcome = loop {
        match deadline::receive(&told) {
            Ok(what) => latest = what,
            Err(mpsc::RecvTimeoutError::Disconnected) => break Ok(()),
            Err(mpsc::RecvTimeoutError::Timeout) => break Err(latest),
        }
    };
    *OUTCOME.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
}

type Work = (&'static str, fn(&Client) -> Verdict);

/// What a thread does with the library: something of everything that threads share.
const WORK: [Work; 28] = [
    ("making and ending a String", |c| c.string(b"longer than seven bytes").map(drop)),
    ("making, calling and ending a Function", |c| {
        let function = c.function(1 as _, return_none, Some(keep_self))?;
        c.call(&function, &[view::int(1)]).map(drop)
    }),
    ("making and ending an opaque object", |c| c.opaque(1 as _, keep_self).map(drop)),
    ("raising and taking an error", |c| {
        c.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of another thread".as_ptr());
        c.own_object("the raised error", c.api.take_raised()).map(drop)
    }),
    ("registering, replacing, finding and removing a global function", |c| {
        let function = c.function(1 as _, return_none, Some(keep_self))?;
        let name = TVMFFIByteArray::new(b"verify.meanwhile");
        c.ok(c.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
        c.ok(c.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
        drop(c.global("verify.meanwhile")?);
        c.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.meanwhile")]).map(drop)
    }),
    ("listing the global functions", |c| c.call_global("ffi.FunctionListGlobalNamesFunctor", &[]).map(drop)),
    ("registering and finding a type", |c| {
        let index = types::new(c, "verify.Meanwhile");
        c.that("the type's record", !c.api.TVMFFIGetTypeInfo(index).is_null(), "a record", "NULL")?;
        c.ok(c.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.Meanwhile"), &mut 0))
    }),
    ("looking an attribute up", |c| {
        c.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(b"__ffi_repr__"));
        Ok(())
    }),
    ("making and ending an Array", |c| c.call_global("ffi.Array", &[view::int(1), view::c_str(c"two")]).map(drop)),
    ("reading and writing a data type", |c| {
        let (mut dtype, mut text) = (DLDataType { code: 0, bits: 0, lanes: 0 }, TVMFFIAny::NONE);
        c.ok(c.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(b"float32x4"), &mut dtype))?;
        c.ok(c.api.TVMFFIDataTypeToString(&dtype, &mut text))?;
        drop(c.own(text));
        Ok(())
    }),
    ("setting a stream", |c| c.ok(c.api.TVMFFIEnvSetStream(kDLCUDA, 1, 1 as _, std::ptr::null_mut()))),
    ("asking for a stream", |c| {
        c.api.TVMFFIEnvGetStream(kDLCUDA, 1);
        Ok(())
    }),
    ("allocating and ending a tensor", |c| {
        let (mut extents, mut out) = ([2], std::ptr::null_mut());
        let mut prototype = DLTensor {
            data: std::ptr::null_mut(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 1,
            dtype: FLOAT32,
            shape: extents.as_mut_ptr(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        c.ok(c.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out))?;
        c.own_object("the tensor", out).map(drop)
    }),
    ("setting an allocator of tensors for a thread", |c| {
        let mut former = None;
        c.ok(c.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, 0, &mut former))
    }),
    ("asking for the allocator of tensors", |c| {
        c.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
        Ok(())
    }),
    ("looking for signals", |c| c.ok(c.api.TVMFFIEnvCheckSignals())),
    ("importing, exporting and ending a tensor", |c| {
        let (tensor, mut export) = (c.tensor_of_four(FLOAT32, &[4], [0; 4])?, std::ptr::null_mut());
        c.ok(c.api.TVMFFITensorToDLPack(tensor.handle(), &mut export))?;
        let managed = c.read("the export", export)?;
        if let Some(deleter) = managed.deleter {
            // SAFETY: the deleter of an export that is nobody else's, called once.
            unsafe { deleter(export) };
        }
        Ok(())
    }),
    ("making and ending an error", |c| c.new_error("ValueError", "of another thread", "").map(drop)),
    ("raising and taking an error of parts", |c| {
        let mut parts = [c"of another".as_ptr(), c" thread".as_ptr()];
        c.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), parts.as_mut_ptr(), 2);
        c.own_object("the raised error", c.api.take_raised()).map(drop)
    }),
    ("taking a backtrace", |c| {
        c.api.TVMFFIBacktrace(std::ptr::null(), 0, std::ptr::null(), 0);
        Ok(())
    }),
    ("registering a field, a method and an attribute", |c| {
        let index = types::new(c, "verify.Meanwhile.Members");
        c.ok(c.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(b"verify.meanwhile"), &view::int(1)))?;
        let (name, doc, metadata) = (TVMFFIByteArray::new(b"m"), TVMFFIByteArray::EMPTY, TVMFFIByteArray::EMPTY);
        let method = TVMFFIMethodInfo { name, doc, metadata, flags: 0, method: TVMFFIAny::NONE };
        c.ok(c.api.TVMFFITypeRegisterMethod(index, &method))?;
        c.ok(c.api.TVMFFITypeRegisterMetadata(index, &types::metadata(24)))?;
        c.ok(c.api.TVMFFITypeRegisterField(index, &types::field(b"f", kTVMFFIInt, 8, 24)))
    }),
    ("making, hashing, comparing, copying and printing a Map", |c| {
        let map = c.call_global("ffi.Map", &[view::int(1), view::int(2)])?;
        c.call_global("ffi.StructuralHash", &[map.any(), view::bool(false), view::bool(false)])?;
        c.call_global("ffi.RecursiveEq", &[map.any(), map.any()])?;
        c.call_global("ffi.DeepCopy", &[map.any()])?;
        c.call_global("ffi.ReprPrint", &[map.any()]).map(drop)
    }),
    ("looking into containers", |c| {
        let (one, four) = (view::int(1), view::int(4));
        for (make, doors) in [
            ("ffi.Array", &["ffi.ArrayGetItem", "ffi.ArrayContains"][..]),
            ("ffi.List", &["ffi.ListGetItem", "ffi.ListContains"]),
            ("ffi.Map", &["ffi.MapGetItem", "ffi.MapCount", "ffi.MapGetItemOrMissing"]),
            ("ffi.Dict", &["ffi.DictGetItem", "ffi.DictCount", "ffi.DictGetItemOrMissing"]),
        ] {
            let container = c.call_global(make, &[one, four])?;
            doors.iter().try_for_each(|door| c.answer(door, &[container.any(), one]).map(drop))?;
        }
        Ok(())
    }),
    ("changing containers", |c| {
        let (zero, one) = (view::int(0), view::int(1));
        let (list, dict) = (c.call_global("ffi.List", &[one, one])?, c.call_global("ffi.Dict", &[one, one])?);
        c.call_global("ffi.ListSetItem", &[list.any(), zero, zero])?;
        c.call_global("ffi.ListAppend", &[list.any(), one])?;
        c.call_global("ffi.ListErase", &[list.any(), zero])?;
        c.call_global("ffi.DictSetItem", &[dict.any(), zero, one])?;
        c.call_global("ffi.DictErase", &[dict.any(), one]).map(drop)
    }),
    ("reading and writing JSON and graphs", |c| {
        let (text, none) = (view::c_str(c"[1, {\"a\": 2}]"), TVMFFIAny::NONE);
        let value = c.call_global("ffi.json.Parse", &[text])?;
        c.call_global("ffi.json.Stringify", &[value.any(), none])?;
        let graph = c.call_global("ffi.ToJSONGraph", &[value.any(), none])?;
        c.call_global("ffi.FromJSONGraph", &[graph.any()]).map(drop)
    }),
    ("registering a function of the system library", |c| {
        let name = c"__tvm_ffi_verify_of_another_thread";
        c.ok(c.api.TVMFFIEnvModRegisterSystemLibSymbol(name.as_ptr(), return_none as *mut _))
    }),
    ("filling and emptying a handle", |c| {
        unsafe extern "C" fn make(result: *mut *mut c_void) -> c_int {
            // SAFETY: the caller passes a place for the result.
            unsafe { result.write(1 as _) };
            0
        }
        unsafe extern "C" fn end(_: *mut c_void) -> c_int {
            0
        }
        let mut handle = std::ptr::null_mut();
        // Older releases have neither of the two.
        if c.api.table().TVMFFIHandleInitOnce.is_none() || c.api.table().TVMFFIHandleDeinitOnce.is_none() {
            return Ok(());
        }
        c.ok(c.api.TVMFFIHandleInitOnce(&mut handle, Some(make)))?;
        c.ok(c.api.TVMFFIHandleDeinitOnce(&mut handle, Some(end)))
    }),
    ("asking the system library for a function", |c| {
        let module = c.call_global("ffi.SystemLib", &[])?;
        c.find_function(&module, c"verify_of_nobody", false).map(drop)
    }),
];
