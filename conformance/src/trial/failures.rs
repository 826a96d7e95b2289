//! Calls that fail, one of each kind that there is: what a check says of any failure, it says of each of these.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::Trial;
use crate::client::{Owned, Verdict, tensor::FLOAT32, types, view};

/// A type index that no type has.
const NOBODYS: i32 = 1 << 30;

impl Trial<'_> {
    /// Hands calls of the global functions that look into values to a test, as far as they fail; each leaves no error raised.
    pub fn each_global_failure(&self, test: impl Fn(&str, &dyn Fn() -> Verdict<c_int>) -> Verdict) -> Verdict {
        let remove = self.global("ffi.FunctionRemoveGlobal")?;
        let broken = [c"[1, {\"two\": 2.5}", c"[2.5,]", c"2.5e", c"\"\\ud800\"", c""].map(view::c_str);
        self.global_calls(false, &[&broken[..], &[remove.any()]].concat(), test)
    }

    /// Hands a call of each function of the C API that can be made to fail to a test, which makes it as often as it likes.
    pub fn each_failure(&self, test: impl Fn(&str, &dyn Fn() -> c_int) -> Verdict) -> Verdict {
        let unknown = TVMFFIByteArray::new(b"verify.no_such_thing");
        let taken = TVMFFIByteArray::new(b"ffi.FunctionRemoveGlobal");
        let remove = self.global("ffi.FunctionRemoveGlobal")?;
        let lister = self.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
        let system = self.call_global("ffi.SystemLib", &[])?;
        let info = types::method_info(taken, remove.any());
        let word = TVMFFIByteArray::new(b"seven_b");
        let dtype = || DLDataType { code: 0, bits: 0, lanes: 0 };
        let mut extents = [2_i64, 3, 1, 2];
        let (shape, strides) = extents.split_at_mut(2);
        let dl_tensor = DLTensor {
            data: 0x1001 as *mut c_void,
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 2,
            dtype: FLOAT32,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let (manager_ctx, version) = (null_mut(), DLPackVersion { major: 1, minor: 1 });
        let plain = &raw mut *Box::leak(Box::new(DLManagedTensor { dl_tensor, manager_ctx, deleter: None }));
        let versioned = |major| {
            let version = DLPackVersion { major, ..version };
            &raw mut *Box::leak(Box::new(DLManagedTensorVersioned {
                version,
                manager_ctx,
                deleter: None,
                flags: 0,
                dl_tensor,
            }))
        };
        let (versioned, newer) = (versioned(1), versioned(2));
        // Whether it has to fail is another clause: what is made all the same is released.
        let making = |call: &dyn Fn(*mut TVMFFIObjectHandle) -> c_int| {
            let mut out = null_mut();
            let status = call(&mut out);
            if status == 0 && !out.is_null() {
                self.api.release(out);
            }
            status
        };
        let field = types::field(b"x", kTVMFFIInt, 8, 24);
        let attribute = TVMFFIByteArray::new(b"verify.taken");
        let attributed = self.api.has("TVMFFITypeRegisterAttr").then(|| types::new(self, "verify.Attributed"));
        if let Some(index) = attributed {
            self.ok(self.api.TVMFFITypeRegisterAttr(index, &attribute, &view::int(1)))?;
        }
        let fails = |function: &Owned, args: &[TVMFFIAny]| self.try_call(function, args, &mut { TVMFFIAny::NONE });
        let calls: &[(&str, &dyn Fn() -> c_int)] = &[
            ("TVMFFITypeKeyToIndex", &|| self.api.TVMFFITypeKeyToIndex(&unknown, &mut 0)),
            ("TVMFFIFunctionSetGlobal", &|| self.api.TVMFFIFunctionSetGlobal(&taken, remove.handle(), 0)),
            ("TVMFFIFunctionSetGlobalFromMethodInfo", &|| self.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0)),
            ("TVMFFIFunctionCall with a wrong argument", &|| fails(&remove, &[view::int(5)])),
            ("TVMFFIFunctionCall with too few arguments", &|| fails(&remove, &[])),
            ("TVMFFIFunctionCall of a function that lists names", &|| fails(&lister, &[view::int(i64::MAX)])),
            ("TVMFFIDataTypeFromString", &|| self.api.TVMFFIDataTypeFromString(&unknown, &mut dtype())),
            ("TVMFFIEnvRegisterCAPI", &|| self.api.TVMFFIEnvRegisterCAPI(c"verify_no_such_thing".as_ptr(), null_mut())),
            ("TVMFFIEnvTensorAlloc", &|| making(&|out| self.api.TVMFFIEnvTensorAlloc(&mut { dl_tensor }, out))),
            ("TVMFFIEnvModLookupFromImports", &|| {
                let context = system.handle().wrapping_byte_sub(size_of::<*const c_void>());
                self.api.TVMFFIEnvModLookupFromImports(context, c"verify_no_such_thing".as_ptr(), &mut { null_mut() })
            }),
            ("TVMFFITensorFromDLPack without alignment", &|| {
                making(&|out| self.api.TVMFFITensorFromDLPack(plain, 64, 0, out))
            }),
            ("TVMFFITensorFromDLPack without contiguity", &|| {
                making(&|out| self.api.TVMFFITensorFromDLPack(plain, 0, 1, out))
            }),
            ("TVMFFITensorFromDLPackVersioned without alignment", &|| {
                making(&|out| self.api.TVMFFITensorFromDLPackVersioned(versioned, 64, 0, out))
            }),
            ("TVMFFITensorFromDLPackVersioned without contiguity", &|| {
                making(&|out| self.api.TVMFFITensorFromDLPackVersioned(versioned, 0, 1, out))
            }),
            ("TVMFFITensorFromDLPackVersioned of another version", &|| {
                making(&|out| self.api.TVMFFITensorFromDLPackVersioned(newer, 64, 1, out))
            }),
            ("TVMFFIObjectCreateOpaque", &|| {
                making(&|out| self.api.TVMFFIObjectCreateOpaque(null_mut(), kTVMFFIInt, None, out))
            }),
            ("TVMFFIBigIntFromByteArray", &|| {
                let there = self.api.has("TVMFFIBigIntFromByteArray");
                if there { self.api.TVMFFIBigIntFromByteArray(&word, &mut { TVMFFIAny::NONE }) } else { 0 }
            }),
            ("TVMFFITypeRegisterField", &|| self.api.TVMFFITypeRegisterField(NOBODYS, &field)),
            ("TVMFFITypeRegisterMethod", &|| self.api.TVMFFITypeRegisterMethod(NOBODYS, &info)),
            ("TVMFFITypeRegisterMetadata", &|| self.api.TVMFFITypeRegisterMetadata(NOBODYS, &types::metadata(24))),
            ("TVMFFITypeRegisterAttr of an entry that is taken", &|| {
                attributed.map_or(0, |index| self.api.TVMFFITypeRegisterAttr(index, &attribute, &view::int(2)))
            }),
        ];
        calls.iter().try_for_each(|(name, call)| test(name, call))
    }
}
