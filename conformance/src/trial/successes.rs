//! Calls that succeed, one of each kind that there is: what a check says of any call, it says of each of these.
//!
//! Every exported function is among them, but those whose very work is the raised error; a test holds that.

use std::{
    collections::BTreeSet,
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::Trial;
use crate::client::{
    Owned, Verdict,
    callback::{keep_self, return_none},
    globals,
    tensor::FLOAT32,
    types, view,
};

/// Something that is done with the library, which answers a status.
type Call<'a> = (&'a str, &'a dyn Fn() -> Verdict<c_int>);

impl Trial<'_> {
    /// Hands each call to a test, which makes it as often as it likes.
    pub fn each_success(&self, test: impl Fn(&str, &dyn Fn() -> Verdict<c_int>) -> Verdict) -> Verdict {
        self.successes(false, test)
    }

    /// The same for calls that leave the thread's latest backtrace as it is.
    pub fn each_quiet_success(&self, test: impl Fn(&str, &dyn Fn() -> Verdict<c_int>) -> Verdict) -> Verdict {
        self.successes(true, test)
    }

    fn successes(&self, only_quiet: bool, test: impl Fn(&str, &dyn Fn() -> Verdict<c_int>) -> Verdict) -> Verdict {
        let own = |status: c_int, out: TVMFFIAny| {
            drop(self.own(out));
            Ok(status)
        };
        let made = |status: c_int, out: TVMFFIObjectHandle| {
            if !out.is_null() {
                self.api.release(out);
            }
            Ok(status)
        };
        let function = self.function(null_mut(), return_none, Some(keep_self))?;
        let tensor = self.tensor_of_four(FLOAT32, &[4], [0; 4])?;
        let (name, text) = (TVMFFIByteArray::new(b"verify.outlasts"), TVMFFIByteArray::new(b"longer than seven bytes"));
        let info = types::method_info(name, function.any());
        let cause = self.new_error("ValueError", "a cause", "")?;
        let dtype = DLDataType { code: kDLFloat, bits: 32, lanes: 4 };
        let words = TVMFFIByteArray::new(&[0x5a; 24]);
        // What takes no backtrace.
        let quiet: &[Call] = &[
            ("TVMFFIStringFromByteArray", &|| {
                let mut out = any();
                own(self.api.TVMFFIStringFromByteArray(&text, &mut out), out)
            }),
            ("TVMFFIBytesFromByteArray", &|| {
                let mut out = any();
                own(self.api.TVMFFIBytesFromByteArray(&text, &mut out), out)
            }),
            ("TVMFFIAnyViewToOwnedAny", &|| {
                let mut out = any();
                own(self.api.TVMFFIAnyViewToOwnedAny(&view::c_str(c"longer than seven bytes"), &mut out), out)
            }),
            ("TVMFFIAnyViewToOwnedAny of an object", &|| {
                let mut out = any();
                own(self.api.TVMFFIAnyViewToOwnedAny(&function.any(), &mut out), out)
            }),
            ("TVMFFIErrorCreateWithCauseAndExtraContext", &|| {
                let (cause, context, mut out) = (cause.handle(), function.handle(), null_mut());
                let create =
                    self.api.TVMFFIErrorCreateWithCauseAndExtraContext(&name, &text, &text, cause, context, &mut out);
                made(create, out)
            }),
            ("TVMFFISetCustomAllocator", &|| Ok(self.api.TVMFFISetCustomAllocator(null_mut()))),
            ("TVMFFIGetCustomAllocator", &|| {
                self.api.TVMFFIGetCustomAllocator();
                Ok(0)
            }),
            ("TVMFFIBigIntFromByteArray", &|| {
                let mut out = any();
                own(self.api.TVMFFIBigIntFromByteArray(&words, &mut out), out)
            }),
            ("TVMFFIBigIntGetContentByteArray", &|| {
                self.api.TVMFFIBigIntGetContentByteArray(&view::int(7));
                Ok(0)
            }),
            ("TVMFFIErrorCreate", &|| self.new_error("TypeError", "not raised", "a backtrace").map(|_| 0)),
            ("TVMFFIFunctionCreate", &|| self.function(null_mut(), return_none, None).map(|_| 0)),
            ("TVMFFIObjectCreateOpaque", &|| self.opaque(std::ptr::dangling_mut(), keep_self).map(|_| 0)),
            ("TVMFFIObjectIncRef", &|| Ok(self.api.TVMFFIObjectIncRef(function.handle()))),
            ("TVMFFIObjectDecRef", &|| Ok(self.api.TVMFFIObjectDecRef(function.handle()))),
            ("TVMFFIFunctionSetGlobal", &|| Ok(self.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))),
            ("TVMFFIFunctionSetGlobalFromMethodInfo", &|| Ok(self.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1))),
            ("TVMFFIFunctionGetGlobal", &|| self.global("verify.outlasts").map(|_| 0)),
            ("TVMFFIFunctionGetGlobal for a free name", &|| {
                Ok(self
                    .api
                    .TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"verify.no_such_function"), &mut { null_mut() }))
            }),
            ("TVMFFIFunctionCall", &|| self.call(&function, &[]).map(|_| 0)),
            ("TVMFFIDataTypeFromString", &|| {
                Ok(self.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(b"bool"), &mut { dtype }))
            }),
            ("TVMFFIDataTypeToString", &|| {
                let mut out = any();
                own(self.api.TVMFFIDataTypeToString(&dtype, &mut out), out)
            }),
            ("TVMFFITypeKeyToIndex", &|| {
                Ok(self.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"ffi.Array"), &mut 0))
            }),
            ("TVMFFITypeGetOrAllocIndex", &|| {
                types::new(self, "verify.RegisteredMeanwhile");
                Ok(0)
            }),
            ("TVMFFITypeRegisterField", &|| {
                let index = types::new(self, "verify.RegisteredMeanwhile");
                Ok(self.api.TVMFFITypeRegisterField(index, &types::field(b"field", kTVMFFIInt, 8, 24)))
            }),
            ("TVMFFITypeRegisterMethod", &|| {
                let index = types::new(self, "verify.RegisteredMeanwhile");
                Ok(self.api.TVMFFITypeRegisterMethod(index, &info))
            }),
            ("TVMFFITypeRegisterMetadata", &|| {
                let index = types::new(self, "verify.RegisteredMeanwhile");
                Ok(self.api.TVMFFITypeRegisterMetadata(index, &types::metadata(32)))
            }),
            ("TVMFFITypeRegisterAttr", &|| {
                let (index, column) =
                    (types::new(self, "verify.RegisteredMeanwhile"), TVMFFIByteArray::new(b"verify_column"));
                Ok(self.api.TVMFFITypeRegisterAttr(index, &column, &view::int(1)))
            }),
            ("TVMFFITypeGetOrAllocIndex, asked for what nobody has", &|| {
                types::query(self, b"verify.NobodyHasThis");
                Ok(0)
            }),
            ("TVMFFIGetTypeInfo", &|| {
                self.api.TVMFFIGetTypeInfo(kTVMFFIStr);
                Ok(0)
            }),
            ("TVMFFIGetTypeAttrColumn", &|| {
                self.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(b"verify_no_such_column"));
                Ok(0)
            }),
            ("TVMFFIGetVersion", &|| {
                self.api.TVMFFIGetVersion(&mut TVMFFIVersion { major: 0, minor: 0, patch: 0 });
                Ok(0)
            }),
            ("TVMFFIEnvSetStream", &|| Ok(self.api.TVMFFIEnvSetStream(kDLCUDA, 0, null_mut(), &mut { null_mut() }))),
            ("TVMFFIEnvGetStream", &|| {
                self.api.TVMFFIEnvGetStream(kDLCPU, 0);
                Ok(0)
            }),
            ("TVMFFIHandleInitOnce", &|| Ok(self.api.TVMFFIHandleInitOnce(&mut { null_mut() }, Some(make_handle)))),
            ("TVMFFIHandleInitOnce of a handle that is filled", &|| {
                Ok(self.api.TVMFFIHandleInitOnce(&mut { function.handle() }, Some(make_handle)))
            }),
            ("TVMFFIHandleDeinitOnce", &|| {
                Ok(self.api.TVMFFIHandleDeinitOnce(&mut { function.handle() }, Some(leave_handle)))
            }),
            ("TVMFFIHandleDeinitOnce of a handle that is NULL", &|| {
                Ok(self.api.TVMFFIHandleDeinitOnce(&mut { null_mut() }, Some(leave_handle)))
            }),
            ("TVMFFIEnvCheckSignals", &|| Ok(self.api.TVMFFIEnvCheckSignals())),
            ("TVMFFIEnvSetDLPackManagedTensorAllocator", &|| {
                Ok(self.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, 0, null_mut()))
            }),
            ("TVMFFIEnvGetDLPackManagedTensorAllocator", &|| {
                self.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
                Ok(0)
            }),
            ("TVMFFIEnvRegisterCAPI", &|| {
                Ok(self.api.TVMFFIEnvRegisterCAPI(c"PyErr_CheckSignals".as_ptr(), no_signals as *mut c_void))
            }),
            ("TVMFFIEnvModRegisterSystemLibSymbol", &|| {
                let symbol = c"__tvm_ffi_verify_outlasts".as_ptr();
                Ok(self.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol, return_none as *mut c_void))
            }),
            ("TVMFFIEnvModRegisterContextSymbol", &|| {
                Ok(self.api.TVMFFIEnvModRegisterContextSymbol(c"verify_outlasts".as_ptr(), null_mut()))
            }),
        ];
        // Whether removing what is not there succeeds is for another clause to say.
        let removes_nothing = self.answer("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.nothing")])?.is_ok();
        // What takes one, or may raise an error of its own inside and take it back.
        let others: &[Call] = &[
            ("ffi.FunctionRemoveGlobal", &|| {
                self.ok(self.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
                self.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.outlasts")]).map(|_| 0)
            }),
            ("ffi.FunctionRemoveGlobal for a free name", &|| match removes_nothing {
                true => self.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.outlasts")]).map(|_| 0),
                false => Ok(0),
            }),
            ("ffi.FunctionListGlobalNamesFunctor", &|| {
                let lister = self.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
                self.call(&lister, &[view::int(-1)])?;
                self.call(&lister, &[view::int(0)]).map(|_| 0)
            }),
            ("ffi.Array", &|| self.call_global("ffi.Array", &[view::int(1), tensor.any()]).map(|_| 0)),
            ("ffi.Map", &|| self.call_global("ffi.Map", &[view::int(1), tensor.any()]).map(|_| 0)),
            ("ffi.MapGetItemOrMissing, asked for what is missing", &|| {
                self.misses("ffi.Map", "ffi.MapGetItemOrMissing")
            }),
            ("ffi.DictGetItemOrMissing, asked for what is missing", &|| {
                self.misses("ffi.Dict", "ffi.DictGetItemOrMissing")
            }),
            ("ffi.MapCount of what is missing", &|| self.misses("ffi.Map", "ffi.MapCount")),
            ("ffi.DictCount of what is missing", &|| self.misses("ffi.Dict", "ffi.DictCount")),
            ("ffi.SystemLib, asked for what nobody has", &|| {
                let module = self.call_global("ffi.SystemLib", &[])?;
                self.find_function(&module, c"verify_no_such_function", true).map(|_| 0)
            }),
            ("loading a library", &|| self.load("functions.so").map(|_| 0)),
            ("TVMFFIEnvModLookupFromImports", &|| {
                let module = self.call_global("ffi.SystemLib", &[])?;
                let context = module.handle().wrapping_byte_sub(size_of::<*const c_void>());
                let global = c"ffi.FunctionRemoveGlobal".as_ptr();
                Ok(self.api.TVMFFIEnvModLookupFromImports(context, global, &mut { null_mut() }))
            }),
            ("TVMFFIBacktrace", &|| {
                self.api.TVMFFIBacktrace(c"kernel.c".as_ptr(), 45, c"launch".as_ptr(), 1);
                Ok(0)
            }),
            ("TVMFFITensorFromDLPack and the end of the tensor", &|| {
                self.tensor_of_four(FLOAT32, &[2, 2], [0; 4]).map(|_| 0)
            }),
            ("TVMFFITensorCreateUnsafeView", &|| {
                let (prototype, mut out): (DLTensor, _) = (self.cell("tensor", tensor.handle())?, null_mut());
                made(self.api.TVMFFITensorCreateUnsafeView(tensor.handle(), &prototype, &mut out), out)
            }),
            ("TVMFFIEnvTensorAlloc", &|| {
                self.ok(self.api.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(lend_one), 0, null_mut()))?;
                let (mut prototype, mut out): (DLTensor, _) = (self.cell("tensor", tensor.handle())?, null_mut());
                let status = self.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut out);
                self.ok(self.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, 0, null_mut()))?;
                made(status, out)
            }),
            ("TVMFFITensorToDLPackVersioned and TVMFFITensorFromDLPackVersioned", &|| {
                let (mut managed, mut out) = (null_mut(), null_mut());
                match self.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut managed) {
                    0 => made(self.api.TVMFFITensorFromDLPackVersioned(managed, 0, 0, &mut out), out),
                    status => Ok(status),
                }
            }),
            ("TVMFFITensorToDLPack and the deleter of the export", &|| {
                let mut managed = null_mut();
                let status = self.api.TVMFFITensorToDLPack(tensor.handle(), &mut managed);
                let managed = self.read("the export", managed.cast_const()).map(|read| (managed, read.deleter))?;
                if let (managed, Some(deleter)) = managed {
                    // SAFETY: the target's own deleter, called once, with what it belongs to.
                    self.api.noted("deleter of an exported DLManagedTensor", || unsafe { deleter(managed) });
                }
                Ok(status)
            }),
        ];
        for (name, call) in quiet.iter().chain(others.iter().filter(|_| !only_quiet)) {
            // What it calls is the first word; where that is a function that the target lacks, there is nothing to test.
            let function = name.split([' ', ',']).next().unwrap_or_default();
            if !function.starts_with("TVMFFI") || self.api.table().has(function) {
                test(name, call)?;
            }
        }
        if only_quiet { Ok(()) } else { self.global_calls(true, &[], test) }
    }

    /// Hands calls of the global functions that look into values to a test, each with a value of every kind that can be made and with
    /// those that are given, as far as they succeed, or as far as they fail: which have to is for other clauses to say.
    pub(super) fn global_calls(
        &self,
        succeeding: bool,
        others: &[TVMFFIAny],
        test: impl Fn(&str, &dyn Fn() -> Verdict<c_int>) -> Verdict,
    ) -> Verdict {
        let (none, no, key, text) =
            (any(), view::bool(false), view::c_str(c"a key"), view::c_str(c"[1, {\"two\": 2.5}]"));
        let tensor = self.tensor_of_four(FLOAT32, &[4], [0; 4])?;
        let mut values = [&[tensor.any(), view::float(2.5), text], others].concat();
        let makers = [
            ("ffi.Array", [key, view::int(1)]),
            ("ffi.List", [key, view::int(1)]),
            ("ffi.Map", [key, view::int(1)]),
            ("ffi.Dict", [key, view::int(1)]),
            ("ffi.json.Parse", [text, none]),
            ("ffi.ToJSONGraph", [text, none]),
        ];
        let made =
            makers.map(|(make, args)| self.succeeds(make, if make == "ffi.json.Parse" { &args[..1] } else { &args }));
        let made = made.into_iter().collect::<Verdict<Vec<_>>>()?;
        values.extend(made.iter().flatten().map(Owned::any));
        let mut failed = BTreeSet::new();
        for value in &values {
            let value = *value;
            let calls: [(&str, &[TVMFFIAny]); 26] = [
                ("ffi.StructuralEqual", &[value, value, no, no]),
                ("ffi.GetFirstStructuralMismatch", &[value, none, no, no]),
                ("ffi.StructuralHash", &[value, no, no]),
                ("ffi.StructuralKey", &[value]),
                ("ffi.RecursiveEq", &[value, value]),
                ("ffi.RecursiveLt", &[value, value]),
                ("ffi.RecursiveHash", &[value]),
                ("ffi.ReprPrint", &[value]),
                ("ffi.DeepCopy", &[value]),
                ("ffi.ToJSONGraph", &[value, none]),
                ("ffi.ToJSONGraphString", &[value, none]),
                ("ffi.FromJSONGraph", &[value]),
                ("ffi.json.Stringify", &[value, none]),
                ("ffi.json.Parse", &[value]),
                ("ffi.String", &[value]),
                ("ffi.Bytes", &[value]),
                ("ffi.ArraySize", &[value]),
                ("ffi.ArrayGetItem", &[value, view::int(0)]),
                ("ffi.ArrayContains", &[value, key]),
                ("ffi.ListContains", &[value, key]),
                ("ffi.ListAppend", &[value, key]),
                ("ffi.ListPop", &[value]),
                ("ffi.MapCount", &[value, key]),
                ("ffi.MapForwardIterFunctor", &[value]),
                ("ffi.DictSetItem", &[value, key, value]),
                ("ffi.DictErase", &[value, key]),
            ];
            // The last two undo what each other does, so that a value is not put into itself for long.
            for (name, args) in calls {
                let wanted = match self.tried(name, args)? {
                    Some(Ok(_)) => succeeding,
                    // A function may fail for a text in many places; for its arguments, in one for each kind of error.
                    Some(Err(kind)) => !succeeding && (name == "ffi.json.Parse" || failed.insert((name, kind))),
                    None => false,
                };
                if wanted {
                    test(name, &|| Ok(if self.succeeds(name, args)?.is_some() { 0 } else { -1 }))?;
                }
            }
        }
        Ok(())
    }

    /// What a global function answers, if there is one and it succeeds.
    fn succeeds(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<Option<Owned>> {
        Ok(self.tried(name, args)?.and_then(Result::ok))
    }

    /// What a global function answers, or the kind of its error, if there is one.
    fn tried(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<Option<Result<Owned, String>>> {
        let Some(function) = globals::find(self, name)? else { return Ok(None) };
        let mut result = any();
        Ok(Some(match self.try_call(&function, args, &mut result) {
            0 => Ok(self.own(result)),
            _ => Err(self.take_raised().map(|raised| raised.kind).unwrap_or_default()),
        }))
    }

    /// Asks a map of that kind for a key that it does not have, if the target has that door.
    fn misses(&self, kind: &str, door: &str) -> Verdict<c_int> {
        if globals::find(self, door)?.is_some() {
            let map = self.call_global(kind, &[view::int(1), view::int(2)])?;
            self.call_global(door, &[map.any(), view::int(9)])?;
        }
        Ok(0)
    }
}

/// A result before a call.
fn any() -> TVMFFIAny {
    TVMFFIAny::NONE
}

/// An initialiser of a handle.
unsafe extern "C" fn make_handle(result: *mut *mut c_void) -> c_int {
    // SAFETY: the caller passes a place for the result.
    unsafe { result.write(result.cast()) };
    0
}

/// A deinitialiser that leaves alone what the handle held.
unsafe extern "C" fn leave_handle(_: *mut c_void) -> c_int {
    0
}

/// A frontend that knows of no signal.
unsafe extern "C" fn no_signals() -> c_int {
    0
}

/// An allocator whose tensors are kept for the life of the process.
unsafe extern "C" fn lend_one(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    _: *mut c_void,
    _: Option<DLPackSetError>,
) -> c_int {
    // SAFETY: whoever asks gives a prototype and a place for the tensor.
    unsafe {
        let dl_tensor = DLTensor { data: [0_u8; 64].to_vec().leak().as_mut_ptr().cast(), ..prototype.read() };
        let version = DLPackVersion { major: 1, minor: 1 };
        let managed = DLManagedTensorVersioned { version, manager_ctx: null_mut(), deleter: None, flags: 0, dl_tensor };
        out.write(Box::into_raw(Box::new(managed)));
    }
    0
}
