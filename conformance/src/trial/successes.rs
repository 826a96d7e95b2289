//! Calls that succeed, one of each kind that there is: what a check says of any call, it says of each of these.

use std::{ffi::c_int, ptr::null_mut};

use tvm_ffi_spec::*;

use super::Trial;
use crate::client::{
    Verdict,
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
        let function = self.function(null_mut(), return_none, Some(keep_self))?;
        let tensor = self.tensor_of_four(FLOAT32, &[4], [0; 4])?;
        let (name, text) = (TVMFFIByteArray::new(b"verify.outlasts"), TVMFFIByteArray::new(b"longer than seven bytes"));
        let info = types::method_info(name, function.any());
        let dtype = DLDataType { code: kDLFloat, bits: 32, lanes: 4 };
        let any = || TVMFFIAny::NONE;
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
            ("TVMFFIErrorCreate", &|| self.new_error("TypeError", "not raised", "").map(|_| 0)),
            ("TVMFFIFunctionCreate", &|| self.function(null_mut(), return_none, None).map(|_| 0)),
            ("TVMFFIObjectCreateOpaque", &|| self.opaque(null_mut(), Some(keep_self)).map(|_| 0)),
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
            ("TVMFFIEnvCheckSignals", &|| Ok(self.api.TVMFFIEnvCheckSignals())),
            ("TVMFFIEnvSetDLPackManagedTensorAllocator", &|| {
                Ok(self.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, 0, null_mut()))
            }),
            ("TVMFFIEnvModRegisterContextSymbol", &|| {
                Ok(self.api.TVMFFIEnvModRegisterContextSymbol(c"verify_outlasts".as_ptr(), null_mut()))
            }),
        ];
        // What takes one, or may raise an error of its own inside and take it back.
        let others: &[Call] = &[
            ("ffi.FunctionRemoveGlobal", &|| {
                self.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.outlasts")]).map(|_| 0)
            }),
            ("ffi.FunctionRemoveGlobal for a free name", &|| {
                self.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.outlasts")]).map(|_| 0)
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
            ("TVMFFIBacktrace", &|| {
                self.api.TVMFFIBacktrace(c"kernel.c".as_ptr(), 45, c"launch".as_ptr(), 1);
                Ok(0)
            }),
            ("importing and ending a tensor", &|| self.tensor_of_four(FLOAT32, &[2, 2], [0; 4]).map(|_| 0)),
            ("exporting a tensor and giving it back", &|| {
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
        quiet.iter().chain(others.iter().filter(|_| !only_quiet)).try_for_each(|(name, call)| test(name, call))
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
