//! The exported functions as verbs: how each is called on a machine, and the same call in C, where
//! [`prelude.c`](super::c_text) has what more than one call needs.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::{
    machine::{import, import_versioned},
    pool::{ATTRIBUTES, BIG_INTS, INTS, NAMES, TEXTS, TYPE_KEYS},
    verb::{Run, Verb, Want},
};

/// Every exported function.
pub fn all() -> impl Iterator<Item = Verb> {
    [values(), functions(), errors(), tensors(), types(), environment()].into_iter().flatten()
}

fn row(name: &'static str, wants: &[Want], text: &'static str, run: Run) -> Verb {
    Verb { name, wants: wants.to_vec(), more: None, function: Some((run, text)), lasting: false }
}

/// A row of a function whose effect stays.
fn lasting(row: Verb) -> Verb {
    Verb { lasting: true, ..row }
}

const TEXT: Want = Want::Bytes(TEXTS);
const NAME: Want = Want::Bytes(NAMES);
const TYPE_KEY: Want = Want::Bytes(TYPE_KEYS);
const ATTRIBUTE: Want = Want::Bytes(ATTRIBUTES);
const FLAG: Want = Want::Number(&[0, 1]);
const OBJECT: Want = Want::Object("ffi.Object");
const FUNCTION: Want = Want::Object("ffi.Function");
const TENSOR: Want = Want::Object("ffi.Tensor");
const ERROR: Want = Want::Object("ffi.Error");
const DEVICE_TYPE: Want = Want::Number(&[1, 2, 99]);
const DEVICE_ID: Want = Want::Number(&[0, 1, 7]);

fn bytes(arg: TVMFFIAny) -> *const TVMFFIByteArray {
    arg.payload() as *const TVMFFIByteArray
}

fn c_str(arg: TVMFFIAny) -> *const c_char {
    arg.payload() as *const c_char
}

fn object(arg: TVMFFIAny) -> TVMFFIObjectHandle {
    arg.payload() as TVMFFIObjectHandle
}

fn int(arg: TVMFFIAny) -> c_int {
    arg.payload() as c_int
}

fn dtype(arg: TVMFFIAny) -> DLDataType {
    let [code, bits, low, high, ..] = arg.payload().to_ne_bytes();
    DLDataType { code, bits, lanes: u16::from_ne_bytes([low, high]) }
}

fn integer(value: impl Into<i64>) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIInt, value.into() as u64)
}

fn boolean(value: bool) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIBool, value.into())
}

fn values() -> Vec<Verb> {
    let any = Want::Value("Any".to_owned());
    vec![
        row("TVMFFIGetVersion", &[], "get_version({out})", |m, _, out| {
            let mut version = TVMFFIVersion::default();
            m.api.TVMFFIGetVersion(&mut version);
            *out = integer(version.major << 16 | version.minor << 8 | version.patch);
            0
        }),
        row("TVMFFIObjectIncRef", &[OBJECT], "retain({0}, {out})", |m, args, out| {
            let code = m.api.TVMFFIObjectIncRef(object(args[0]));
            *out = args[0];
            code
        }),
        row("TVMFFIObjectDecRef", &[OBJECT], "give_up({0}, v, sizeof(v) / sizeof(v[0]))", |m, args, _| {
            let held = m.values.iter_mut().rfind(|value| value.to_bytes() == args[0].to_bytes());
            held.map_or(0, |held| {
                *held = TVMFFIAny::NONE;
                m.api.TVMFFIObjectDecRef(object(args[0]))
            })
        }),
        row(
            "TVMFFIObjectCreateOpaque",
            &[Want::Number(&[74, 0, 64, 71, 128])],
            "OBJECT({out}, TVMFFIObjectCreateOpaque(NULL, {0}, NULL, &made))",
            |m, args, out| m.object(out, |m, out| m.api.TVMFFIObjectCreateOpaque(null_mut(), int(args[0]), None, out)),
        ),
        row("TVMFFIGetCustomAllocator", &[], "boolean(TVMFFIGetCustomAllocator() != NULL, {out})", |m, _, out| {
            *out = boolean(!m.api.TVMFFIGetCustomAllocator().is_null());
            0
        }),
        row("TVMFFISetCustomAllocator", &[], "TVMFFISetCustomAllocator(TVMFFIGetCustomAllocator())", |m, _, _| {
            m.api.TVMFFISetCustomAllocator(m.api.TVMFFIGetCustomAllocator())
        }),
        row("TVMFFIAnyViewToOwnedAny", &[any], "TVMFFIAnyViewToOwnedAny((TVMFFIAny[]){{0}}, {out})", |m, args, out| {
            m.api.TVMFFIAnyViewToOwnedAny(&args[0], out)
        }),
        row("TVMFFIStringFromByteArray", &[TEXT], "TVMFFIStringFromByteArray({0}, {out})", |m, args, out| {
            m.api.TVMFFIStringFromByteArray(bytes(args[0]), out)
        }),
        row("TVMFFIBytesFromByteArray", &[TEXT], "TVMFFIBytesFromByteArray({0}, {out})", |m, args, out| {
            m.api.TVMFFIBytesFromByteArray(bytes(args[0]), out)
        }),
        row(
            "TVMFFIBigIntFromByteArray",
            &[Want::Bytes(BIG_INTS)],
            "TVMFFIBigIntFromByteArray({0}, {out})",
            |m, args, out| m.api.TVMFFIBigIntFromByteArray(bytes(args[0]), out),
        ),
        row(
            "TVMFFIBigIntGetContentByteArray",
            &[Want::Object("ffi.BigInt")],
            "get_content(&v[{0}], {out})",
            |m, args, out| {
                let content = m.api.TVMFFIBigIntGetContentByteArray(&args[0]);
                m.api.TVMFFIBytesFromByteArray(&content, out)
            },
        ),
        row("TVMFFIDataTypeFromString", &[TEXT], "parse_dtype({0}, {out})", |m, args, out| {
            let mut parsed = DLDataType::default();
            let code = m.api.TVMFFIDataTypeFromString(bytes(args[0]), &mut parsed);
            let [low, high] = parsed.lanes.to_ne_bytes();
            let payload = [parsed.code, parsed.bits, low, high, 0, 0, 0, 0];
            if code == 0 {
                *out = TVMFFIAny::new(kTVMFFIDataType, u64::from_ne_bytes(payload));
            }
            code
        }),
        row("TVMFFIDataTypeToString", &[Want::Dtype], "TVMFFIDataTypeToString(&{0}, {out})", |m, args, out| {
            m.api.TVMFFIDataTypeToString(&dtype(args[0]), out)
        }),
    ]
}

fn functions() -> Vec<Verb> {
    let mut call = row(
        "TVMFFIFunctionCall",
        &[FUNCTION],
        "TVMFFIFunctionCall({0}, (TVMFFIAny[]){{*}}, {n}, {out})",
        |m, args, out| {
            m.api.TVMFFIFunctionCall(object(args[0]), args[1..].as_ptr().cast_mut(), args.len() as i32 - 1, out)
        },
    );
    call.more = Some(Want::Value("Any".to_owned()));
    vec![
        call,
        row(
            "TVMFFIFunctionCreate",
            &[Want::Callee],
            "OBJECT({out}, TVMFFIFunctionCreate(&made, {0}, NULL, &made))",
            |m, args, out| {
                let this = m.this();
                m.object(out, |m, out| m.api.TVMFFIFunctionCreate(this, m.callee(&args[0]), None, out))
            },
        ),
        row(
            "TVMFFIFunctionGetGlobal",
            &[NAME],
            "OBJECT({out}, TVMFFIFunctionGetGlobal({0}, &made))",
            |m, args, out| m.object(out, |m, out| m.api.TVMFFIFunctionGetGlobal(bytes(args[0]), out)),
        ),
        row(
            "TVMFFIFunctionSetGlobal",
            &[Want::Bytes(super::pool::OWN_NAMES), FUNCTION, FLAG],
            "TVMFFIFunctionSetGlobal({0}, {1}, {2})",
            |m, args, _| m.api.TVMFFIFunctionSetGlobal(bytes(args[0]), object(args[1]), int(args[2])),
        ),
        row(
            "TVMFFIFunctionSetGlobalFromMethodInfo",
            &[Want::Bytes(super::pool::OWN_NAMES), FUNCTION, FLAG],
            "set_global_from_method_info({0}, {1}, {2})",
            |m, args, _| {
                // SAFETY: arguments of this kind are byte arrays that live through the call.
                let info = method_info(unsafe { *bytes(args[0]) }, args[1]);
                m.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, int(args[2]))
            },
        ),
        row("TVMFFIHandleInitOnce", &[FLAG], "TVMFFIHandleInitOnce(&handle, {0} ? fill : refuse)", |m, args, _| {
            m.api.TVMFFIHandleInitOnce(&mut m.once, Some(if int(args[0]) == 0 { refuse } else { fill }))
        }),
        row("TVMFFIHandleDeinitOnce", &[], "TVMFFIHandleDeinitOnce(&handle, empty)", |m, _, _| {
            m.api.TVMFFIHandleDeinitOnce(&mut m.once, Some(empty))
        }),
    ]
}

fn method_info(name: TVMFFIByteArray, method: TVMFFIAny) -> TVMFFIMethodInfo {
    let [doc, metadata] = [TVMFFIByteArray::new(b"a method"), TVMFFIByteArray::new(b"{}")];
    TVMFFIMethodInfo { name, doc, metadata, flags: kTVMFFIFieldFlagBitMaskIsStaticMethod, method }
}

unsafe extern "C" fn fill(result: *mut *mut c_void) -> c_int {
    // SAFETY: the library passes where the handle goes.
    unsafe { result.write(std::ptr::dangling_mut::<u64>().cast()) };
    0
}

unsafe extern "C" fn refuse(_: *mut *mut c_void) -> c_int {
    -1
}

unsafe extern "C" fn empty(_: *mut c_void) -> c_int {
    0
}

fn errors() -> Vec<Verb> {
    vec![
        row("TVMFFIErrorMoveFromRaised", &[], "OBJECT({out}, (TVMFFIErrorMoveFromRaised(&made), 0))", |m, _, out| {
            m.object(out, |m, out| {
                m.api.TVMFFIErrorMoveFromRaised(out);
                0
            })
        }),
        row("TVMFFIErrorSetRaised", &[ERROR], "(TVMFFIErrorSetRaised({0}), 0)", |m, args, _| {
            m.api.TVMFFIErrorSetRaised(object(args[0]));
            0
        }),
        row(
            "TVMFFIErrorSetRaisedFromCStr",
            &[Want::CStr, Want::CStr],
            "(TVMFFIErrorSetRaisedFromCStr({0}, {1}), 0)",
            |m, args, _| {
                m.api.TVMFFIErrorSetRaisedFromCStr(c_str(args[0]), c_str(args[1]));
                0
            },
        ),
        row(
            "TVMFFIErrorSetRaisedFromCStrParts",
            &[Want::CStr, Want::CStr, Want::CStr],
            "(TVMFFIErrorSetRaisedFromCStrParts({0}, (const char*[]){{1}, {2}}, 2), 0)",
            |m, args, _| {
                let mut parts = [c_str(args[1]), c_str(args[2])];
                m.api.TVMFFIErrorSetRaisedFromCStrParts(c_str(args[0]), parts.as_mut_ptr(), 2);
                0
            },
        ),
        row(
            "TVMFFIErrorCreate",
            &[TEXT, TEXT, TEXT],
            "OBJECT({out}, TVMFFIErrorCreate({0}, {1}, {2}, &made))",
            |m, args, out| {
                m.object(out, |m, out| m.api.TVMFFIErrorCreate(bytes(args[0]), bytes(args[1]), bytes(args[2]), out))
            },
        ),
        row(
            "TVMFFIErrorCreateWithCauseAndExtraContext",
            &[TEXT, TEXT, ERROR, OBJECT],
            "OBJECT({out}, TVMFFIErrorCreateWithCauseAndExtraContext({0}, {1}, BYTES(\"\"), {2}, {3}, &made))",
            |m, args, out| {
                let backtrace = TVMFFIByteArray::new(b"");
                m.object(out, |m, out| {
                    m.api.TVMFFIErrorCreateWithCauseAndExtraContext(
                        bytes(args[0]),
                        bytes(args[1]),
                        &backtrace,
                        object(args[2]),
                        object(args[3]),
                        out,
                    )
                })
            },
        ),
        row("TVMFFIBacktrace", &[Want::CStr, FLAG], "get_backtrace({0}, {1}, {out})", |m, args, out| {
            *out = boolean(!m.api.TVMFFIBacktrace(c_str(args[0]), 7, c"here".as_ptr(), int(args[1])).is_null());
            0
        }),
    ]
}

fn tensors() -> Vec<Verb> {
    const ALIGNMENT: Want = Want::Number(&[0, 1, 16, 64]);
    vec![
        row(
            "TVMFFITensorFromDLPack",
            &[Want::Shape, Want::Dtype, ALIGNMENT, FLAG],
            "OBJECT({out}, import({0}, {1}, {2}, {3}, &made))",
            |m, args, out| {
                m.object(out, |m, out| {
                    m.api.TVMFFITensorFromDLPack(import(args[0], dtype(args[1])), int(args[2]), int(args[3]), out)
                })
            },
        ),
        row(
            "TVMFFITensorFromDLPackVersioned",
            &[Want::Shape, Want::Dtype, Want::Number(&[0, 1, 2]), FLAG],
            "OBJECT({out}, import_versioned({0}, {1}, {2}, {3}, &made))",
            |m, args, out| {
                let managed = import_versioned(args[0], dtype(args[1]), args[2].payload());
                m.object(out, |m, out| m.api.TVMFFITensorFromDLPackVersioned(managed, 0, int(args[3]), out))
            },
        ),
        row("TVMFFITensorToDLPack", &[TENSOR], "OBJECT({out}, round_trip({0}, &made))", |m, args, out| {
            let mut exported = null_mut();
            match m.api.TVMFFITensorToDLPack(object(args[0]), &mut exported) {
                0 => m.object(out, |m, out| m.api.TVMFFITensorFromDLPack(exported, 0, 0, out)),
                code => code,
            }
        }),
        row(
            "TVMFFITensorToDLPackVersioned",
            &[TENSOR],
            "OBJECT({out}, round_trip_versioned({0}, &made))",
            |m, args, out| {
                let mut exported = null_mut();
                match m.api.TVMFFITensorToDLPackVersioned(object(args[0]), &mut exported) {
                    0 => m.object(out, |m, out| m.api.TVMFFITensorFromDLPackVersioned(exported, 0, 0, out)),
                    code => code,
                }
            },
        ),
        row(
            "TVMFFITensorCreateUnsafeView",
            &[TENSOR, Want::Shape, Want::Dtype],
            "OBJECT({out}, view({0}, {1}, {2}, &made))",
            |m, args, out| {
                let prototype = m.prototype(args[1], dtype(args[2]));
                m.object(out, |m, out| m.api.TVMFFITensorCreateUnsafeView(object(args[0]), &prototype, out))
            },
        ),
        row(
            "TVMFFIEnvTensorAlloc",
            &[Want::Shape, Want::Dtype],
            "OBJECT({out}, allocate({0}, {1}, &made))",
            |m, args, out| {
                let mut prototype = m.prototype(args[0], dtype(args[1]));
                m.object(out, |m, out| m.api.TVMFFIEnvTensorAlloc(&mut prototype, out))
            },
        ),
        row(
            "TVMFFIEnvSetDLPackManagedTensorAllocator",
            &[FLAG],
            "TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, {0}, NULL)",
            |m, args, _| m.api.TVMFFIEnvSetDLPackManagedTensorAllocator(None, int(args[0]), null_mut()),
        ),
        row(
            "TVMFFIEnvGetDLPackManagedTensorAllocator",
            &[],
            "boolean(TVMFFIEnvGetDLPackManagedTensorAllocator() != NULL, {out})",
            |m, _, out| {
                *out = boolean(m.api.TVMFFIEnvGetDLPackManagedTensorAllocator().is_some());
                0
            },
        ),
    ]
}

fn types() -> Vec<Verb> {
    const OWN_TYPE: Want = Want::Bytes(&[b"fuzz.A", b"fuzz.B"]);
    vec![
        row("TVMFFITypeKeyToIndex", &[TYPE_KEY], "key_to_index({0}, {out})", |m, args, out| {
            let mut index = -1;
            let code = m.api.TVMFFITypeKeyToIndex(bytes(args[0]), &mut index);
            *out = integer(if code == 0 { index } else { 0 });
            code
        }),
        row("TVMFFIGetTypeInfo", &[TYPE_KEY], "describe({0}, {out})", |m, args, out| {
            let mut index = -1;
            let code = m.api.TVMFFITypeKeyToIndex(bytes(args[0]), &mut index);
            if code != 0 {
                return code;
            }
            let info = m.api.TVMFFIGetTypeInfo(index);
            // SAFETY: the record of a registered type.
            let (depth, fields, methods) = unsafe { ((*info).type_depth, (*info).num_fields, (*info).num_methods) };
            *out = integer(depth << 20 | fields << 10 | methods);
            0
        }),
        lasting(row(
            "TVMFFITypeGetOrAllocIndex",
            &[OWN_TYPE],
            "integer_out(TVMFFITypeGetOrAllocIndex({0}, -1, 1, 0, 1, kTVMFFIObject), {out})",
            |m, args, out| {
                *out = integer(m.own_type(bytes(args[0])));
                0
            },
        )),
        lasting(row(
            "TVMFFITypeRegisterField",
            &[OWN_TYPE, TEXT, Want::Number(INTS)],
            "TVMFFITypeRegisterField(own_type({0}), field({1}, {2}))",
            |m, args, _| {
                // SAFETY: arguments of this kind are byte arrays that live through the call.
                let name = unsafe { *bytes(args[1]) };
                let field = TVMFFIFieldInfo {
                    name,
                    doc: TVMFFIByteArray::EMPTY,
                    metadata: TVMFFIByteArray::EMPTY,
                    flags: kTVMFFIFieldFlagBitMaskHasDefault,
                    size: 8,
                    alignment: 8,
                    offset: size_of::<TVMFFIObject>() as i64,
                    getter: None,
                    setter: null_mut(),
                    default_value_or_factory: args[2],
                    field_static_type_index: kTVMFFIInt,
                };
                m.api.TVMFFITypeRegisterField(m.own_type(bytes(args[0])), &field)
            },
        )),
        lasting(row(
            "TVMFFITypeRegisterMethod",
            &[OWN_TYPE, TEXT, FUNCTION],
            "TVMFFITypeRegisterMethod(own_type({0}), method({1}, {2}))",
            |m, args, _| {
                // SAFETY: arguments of this kind are byte arrays that live through the call.
                let info = method_info(unsafe { *bytes(args[1]) }, args[2]);
                m.api.TVMFFITypeRegisterMethod(m.own_type(bytes(args[0])), &info)
            },
        )),
        lasting(row(
            "TVMFFITypeRegisterMetadata",
            &[OWN_TYPE, Want::Number(&[0, 1, 2, 3, 4, 5])],
            "TVMFFITypeRegisterMetadata(own_type({0}), metadata({1}))",
            |m, args, _| {
                let metadata = TVMFFITypeMetadata {
                    doc: TVMFFIByteArray::EMPTY,
                    creator: None,
                    total_size: size_of::<TVMFFIObject>() as i32,
                    structural_eq_hash_kind: int(args[1]),
                };
                m.api.TVMFFITypeRegisterMetadata(m.own_type(bytes(args[0])), &metadata)
            },
        )),
        lasting(row(
            "TVMFFITypeRegisterAttr",
            &[OWN_TYPE, Want::Bytes(&[b"fuzz.attribute"]), Want::Value("Any".to_owned())],
            "TVMFFITypeRegisterAttr(own_type({0}), {1}, (TVMFFIAny[]){{2}})",
            |m, args, _| m.api.TVMFFITypeRegisterAttr(m.own_type(bytes(args[0])), bytes(args[1]), &args[2]),
        )),
        row(
            "TVMFFIGetTypeAttrColumn",
            &[ATTRIBUTE],
            "boolean(TVMFFIGetTypeAttrColumn({0}) != NULL, {out})",
            |m, args, out| {
                *out = boolean(!m.api.TVMFFIGetTypeAttrColumn(bytes(args[0])).is_null());
                0
            },
        ),
    ]
}

fn environment() -> Vec<Verb> {
    const MODULE: Want = Want::Object("ffi.Module");
    vec![
        row(
            "TVMFFIEnvSetStream",
            &[DEVICE_TYPE, DEVICE_ID, Want::Number(&[0, 1, 2])],
            "set_stream({0}, {1}, {2}, {out})",
            |m, args, out| {
                let (stream, mut before) = (args[2].payload() as TVMFFIStreamHandle, null_mut());
                let code = m.api.TVMFFIEnvSetStream(int(args[0]), int(args[1]), stream, &mut before);
                *out = integer(before as i64);
                code
            },
        ),
        row(
            "TVMFFIEnvGetStream",
            &[DEVICE_TYPE, DEVICE_ID],
            "integer_out((intptr_t)TVMFFIEnvGetStream({0}, {1}), {out})",
            |m, args, out| {
                *out = integer(m.api.TVMFFIEnvGetStream(int(args[0]), int(args[1])) as i64);
                0
            },
        ),
        row("TVMFFIEnvCheckSignals", &[], "TVMFFIEnvCheckSignals()", |m, _, _| m.api.TVMFFIEnvCheckSignals()),
        row("TVMFFIEnvRegisterCAPI", &[Want::CStr], "TVMFFIEnvRegisterCAPI({0}, NULL)", |m, args, _| {
            m.api.TVMFFIEnvRegisterCAPI(c_str(args[0]), null_mut())
        }),
        row(
            "TVMFFIEnvModLookupFromImports",
            &[MODULE, Want::CStr],
            "OBJECT({out}, look_up({0}, {1}, &made))",
            |m, args, out| {
                let mut borrowed = null_mut();
                match m.api.TVMFFIEnvModLookupFromImports(object(args[0]), c_str(args[1]), &mut borrowed) {
                    0 if !borrowed.is_null() => m.object(out, |m, out| {
                        *out = borrowed;
                        m.api.TVMFFIObjectIncRef(borrowed)
                    }),
                    code => code,
                }
            },
        ),
        lasting(row(
            "TVMFFIEnvModRegisterContextSymbol",
            &[Want::Callee],
            "TVMFFIEnvModRegisterContextSymbol(\"fuzz.context\", (void*){0})",
            |m, args, _| {
                m.api.TVMFFIEnvModRegisterContextSymbol(c"fuzz.context".as_ptr(), args[0].payload() as *mut c_void)
            },
        )),
        lasting(row(
            "TVMFFIEnvModRegisterSystemLibSymbol",
            &[Want::Callee],
            "TVMFFIEnvModRegisterSystemLibSymbol(\"__tvm_ffi_fuzz_symbol\", (void*){0})",
            |m, args, _| {
                let name = c"__tvm_ffi_fuzz_symbol";
                m.api.TVMFFIEnvModRegisterSystemLibSymbol(name.as_ptr(), args[0].payload() as *mut c_void)
            },
        )),
    ]
}
