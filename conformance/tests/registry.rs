//! What is known of types, and what is done with it alone: the reference and a public release get the same calls in one
//! process, and what they answer is compared, errors with their messages.

#![allow(non_upper_case_globals, reason = "constants keep their C names")]

mod both;

use std::{
    ffi::{CString, c_int, c_void},
    slice,
};

use both::{Owned, Side, bytes, for_all, on_both};
use proptest::{collection::vec, prelude::*, sample::select};
use tvm_ffi_spec::{abi::abi, *};

// ---------------------------------------------------------------------------------------------------------------------
// Reading a library
// ---------------------------------------------------------------------------------------------------------------------

fn text(array: TVMFFIByteArray) -> String {
    // SAFETY: the texts of types and strings that the tests look at are alive.
    String::from_utf8_lossy(unsafe { bytes(&array) }).into_owned()
}

fn all<T>(data: *const T, count: i32) -> &'static [T] {
    // SAFETY: the arrays of the type table are never freed.
    if count == 0 { &[] } else { unsafe { slice::from_raw_parts(data, count as usize) } }
}

impl Side {
    fn info(&self, key: &str) -> &'static TVMFFITypeInfo {
        let mut index = 0;
        // SAFETY: a call as the header allows it; the records of types are never freed.
        unsafe {
            let key = TVMFFIByteArray::new(key.as_bytes());
            assert_eq!(self.table.TVMFFITypeKeyToIndex.unwrap()(&key, &mut index), 0);
            &*self.table.TVMFFIGetTypeInfo.unwrap()(index)
        }
    }

    fn key(&self, index: i32) -> String {
        // SAFETY: the types of values are registered, and their records are never freed.
        text(unsafe { (*self.table.TVMFFIGetTypeInfo.unwrap()(index)).type_key })
    }

    fn fields(&self, key: &str) -> &'static [TVMFFIFieldInfo] {
        let info = self.info(key);
        all(info.fields, info.num_fields)
    }

    fn column(&self, name: &str) -> &'static [TVMFFIAny] {
        // SAFETY: a call as the header allows it; columns are never freed.
        let TVMFFITypeAttrColumn { data, size, begin_index } =
            unsafe { *self.table.TVMFFIGetTypeAttrColumn.unwrap()(&TVMFFIByteArray::new(name.as_bytes())) };
        assert_eq!(begin_index, 0);
        all(data, size)
    }

    /// The function in a column.
    fn attribute(&self, name: &str, key: &str) -> Option<TVMFFIObjectHandle> {
        let value = self.column(name).get(self.info(key).type_index as usize)?;
        (value.type_index == kTVMFFIFunction).then(|| value.payload() as TVMFFIObjectHandle)
    }

    fn call_attribute(&self, name: &str, key: &str, args: &[TVMFFIAny]) -> Result<Owned<'_>, String> {
        // SAFETY: the values of columns are never given up.
        unsafe { self.call_function(self.attribute(name, key).unwrap(), args) }
    }

    /// A value without addresses.
    fn show(&self, value: &TVMFFIAny) -> String {
        let object = value.payload() as *const TVMFFIObject;
        // SAFETY: the values of the tests are alive; the cells of texts and sequences follow the header.
        unsafe {
            match value.type_index {
                kTVMFFIStr | kTVMFFIBytes => format!("{} {}", value.type_index, text(*object.add(1).cast())),
                kTVMFFIArray | kTVMFFIList => {
                    let TVMFFISeqCell { data, size, .. } = *object.add(1).cast();
                    let elements = all(data.cast::<TVMFFIAny>(), size as i32).iter().map(|value| self.show(value));
                    format!("{} [{}]", value.type_index, elements.collect::<Vec<_>>().join(", "))
                }
                kTVMFFIStaticObjectBegin.. => self.key(value.type_index),
                _ => format!("{value:?}"),
            }
        }
    }

    fn outcome(&self, answer: Result<Owned<'_>, String>) -> String {
        answer.map_or_else(|error| error, |owned| self.show(&owned.value))
    }

    /// What a field of an object holds.
    fn get(&self, object: &Owned<'_>, field: &TVMFFIFieldInfo) -> String {
        let mut value = TVMFFIAny::NONE;
        // SAFETY: the field belongs to the type of the object.
        let code = unsafe { field.getter.unwrap()(address(object, field), &mut value) };
        assert_eq!(code, 0, "{}", text(field.name));
        self.show(&Owned::new(self, value).value)
    }

    fn set(&self, object: &Owned<'_>, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> String {
        // SAFETY: the setter of a built-in type is a function, and the field belongs to the type of the object.
        let code = unsafe {
            std::mem::transmute::<*mut c_void, TVMFFIFieldSetter>(field.setter)(address(object, field), value)
        };
        if code == 0 { String::new() } else { self.raised() }
    }
}

fn address(object: &Owned<'_>, field: &TVMFFIFieldInfo) -> *mut c_void {
    (object.value.payload() as *mut c_void).wrapping_byte_offset(field.offset as isize)
}

fn int(value: i64) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIInt, value as u64)
}

fn raw(text: &CString) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64)
}

/// Values of many types; those of objects are owned by a library.
fn samples(side: &Side) -> Vec<Owned<'_>> {
    let call =
        |name, args: &[&Owned<'_>]| side.call(name, &args.iter().map(|arg| arg.value).collect::<Vec<_>>()).unwrap();
    let plain = |value| Owned::new(side, value);
    let (number, truth) = (plain(int(7)), plain(TVMFFIAny::new(kTVMFFIBool, 1)));
    let (short, long) = (c"abc".to_owned(), c"a longer text".to_owned());
    let (short, long) =
        (side.call("ffi.String", &[raw(&short)]).unwrap(), side.call("ffi.String", &[raw(&long)]).unwrap());
    let object = call("ffi.GetInvalidObject", &[]);
    let objects = call("ffi.List", &[&object]);
    let columns = call("ffi.Dict", &[&object, &number]);
    let mut all = vec![
        call("ffi.Array", &[]),
        call("ffi.Array", &[&number, &truth]),
        call("ffi.Array", &[&object]),
        call("ffi.List", &[&number]),
        call("ffi.List", &[&objects, &number]),
        call("ffi.Map", &[&short, &number]),
        call("ffi.Map", &[&short, &columns]),
        call("ffi.Dict", &[&short, &columns]),
        call("ffi.Dict", &[&number, &object]),
        call("ffi.Shape", &[&number]),
        call("ffi.MakeObjectFromPackedArgs", &[&plain(int(i64::from(side.info("ffi.VisitInterrupt").type_index)))]),
        plain(TVMFFIAny::NONE),
        plain(int(1 << 40)),
        plain(TVMFFIAny::new(kTVMFFIFloat, 2.5_f64.to_bits())),
        plain(TVMFFIAny::new(kTVMFFIOpaquePtr, 0x1000)),
        plain(TVMFFIAny::new(kTVMFFIDataType, 0x0001_2000)),
        plain(TVMFFIAny::new(kTVMFFIDevice, 0x1_0000_0002)),
        plain(TVMFFIAny::new(kTVMFFIUnchanged, 0)),
    ];
    for key in ["ffi.reflection.AccessStep", "ffi.reflection.AccessPath", "ffi.IntEnum"] {
        all.push(side.call_attribute("__ffi_new__", key, &[]).unwrap());
    }
    all.extend([number, truth, short, long, object, objects, columns]);
    all
}

// ---------------------------------------------------------------------------------------------------------------------
// What is registered
// ---------------------------------------------------------------------------------------------------------------------

/// All that is registered at load, one line each.
fn registry(side: &Side) -> Vec<String> {
    let mut lines = Vec::new();
    for ty in &abi().types {
        let info = side.info(&ty.key);
        // SAFETY: a type has as many ancestors as it is deep, and its metadata is never freed.
        let (ancestors, metadata) = unsafe {
            let ancestors = all(info.type_ancestors, info.type_depth).iter().map(|info| (**info).type_index);
            (ancestors.collect::<Vec<_>>(), info.metadata.as_ref())
        };
        let metadata = metadata.map(|metadata| {
            let (size, kind) = (metadata.total_size, metadata.structural_eq_hash_kind);
            (text(metadata.doc), metadata.creator.is_some(), size, kind)
        });
        lines.push(format!("{} {} {ancestors:?} {:x} {metadata:?}", ty.key, info.type_index, info.type_key_hash));
        for field in all(info.fields, info.num_fields) {
            let texts = [field.name, field.doc, field.metadata].map(text);
            let layout = (field.offset, field.size, field.alignment, field.flags, field.field_static_type_index);
            let functions = (field.getter.is_some(), !field.setter.is_null());
            lines.push(format!("  {texts:?} {layout:?} {functions:?} {:?}", field.default_value_or_factory));
        }
        for method in all(info.methods, info.num_methods) {
            let texts = [method.name, method.doc, method.metadata].map(text);
            lines.push(format!("  {texts:?} {} {}", method.flags, method.method.type_index));
        }
    }
    for attribute in &abi().attributes {
        let column = side.column(&attribute.name);
        let value = |value: &TVMFFIAny| match value.type_index {
            kTVMFFIOpaquePtr | kTVMFFIFunction => format!("{}", value.type_index),
            _ => format!("{value:?}"),
        };
        lines.push(format!("{} {:?}", attribute.name, column.iter().map(value).collect::<Vec<_>>()));
    }
    lines
}

#[test]
fn the_same_is_registered() {
    on_both(|[ours, theirs]| {
        for (ours, theirs) in registry(ours).iter().zip(registry(theirs)) {
            assert_eq!(*ours, theirs);
        }
        assert_eq!(registry(ours).len(), registry(theirs).len());
    });
}

/// Each function of the registry, called with more arguments than any takes, tells its signature.
#[test]
fn functions_have_the_same_signatures() {
    let signatures = |side: &Side| {
        let mut functions: Vec<&TVMFFIAny> = Vec::new();
        for attribute in &abi().attributes {
            functions.extend(side.column(&attribute.name));
        }
        for ty in &abi().types {
            let info = side.info(&ty.key);
            functions.extend(all(info.methods, info.num_methods).iter().map(|method| &method.method));
        }
        functions.retain(|function| function.type_index == kTVMFFIFunction);
        let call = |function: &&TVMFFIAny| {
            // SAFETY: the functions of the registry are never given up.
            side.outcome(unsafe { side.call_function(function.payload() as TVMFFIObjectHandle, &[int(0); 9]) })
        };
        functions.iter().map(call).collect::<Vec<_>>()
    };
    on_both(|[ours, theirs]| assert_eq!(signatures(ours), signatures(theirs)));
}

// ---------------------------------------------------------------------------------------------------------------------
// What is done with it
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn fields_take_the_same_values() {
    let outcomes = |side: &Side| {
        let mut lines = Vec::new();
        for ty in abi().types.iter().filter(|ty| side.attribute("__ffi_new__", &ty.key).is_some()) {
            for field in side.fields(&ty.key) {
                for value in samples(side) {
                    let object = side.call_attribute("__ffi_new__", &ty.key, &[]).unwrap();
                    let (set, got) = (side.set(&object, field, &value.value), side.get(&object, field));
                    lines.push(format!("{}.{} = {}: {set} {got}", ty.key, text(field.name), side.show(&value.value)));
                }
            }
        }
        lines
    };
    on_both(|[ours, theirs]| assert_eq!(outcomes(ours), outcomes(theirs)));
}

#[test]
fn values_are_converted_alike() {
    let outcomes = |side: &Side| {
        let mut lines = Vec::new();
        for ty in abi().types.iter().filter(|ty| side.attribute("__ffi_convert__", &ty.key).is_some()) {
            for value in samples(side) {
                let outcome = side.outcome(side.call_attribute("__ffi_convert__", &ty.key, &[value.value]));
                lines.push(format!("{} of {}: {outcome}", ty.key, side.show(&value.value)));
            }
        }
        lines
    };
    on_both(|[ours, theirs]| assert_eq!(outcomes(ours), outcomes(theirs)));
}

/// Integers, as keys and as numbers.
#[test]
fn integers_are_hashed_compared_and_written_alike() {
    on_both(|sides| {
        let words = || vec(prop_oneof![Just(0), Just(-1), any::<i64>()], 2..6);
        for_all((words(), words(), any::<bool>()), |(lhs, rhs, same)| {
            let rhs = if same { lhs.clone() } else { rhs };
            let [ours, theirs] = sides.each_ref().map(|side| {
                let integer = |words: &[i64]| {
                    let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let mut value = TVMFFIAny::NONE;
                    let convert = side.table.TVMFFIBigIntFromByteArray.unwrap();
                    // SAFETY: a call as the header allows it.
                    assert_eq!(unsafe { convert(&TVMFFIByteArray::new(&bytes), &mut value) }, 0);
                    Owned::new(side, value)
                };
                let (lhs, rhs) = (integer(&lhs), integer(&rhs));
                let call = |name, args: &[TVMFFIAny]| side.outcome(side.call_attribute(name, "ffi.BigInt", args));
                let callback = int_of(side);
                let map = side.call("ffi.Map", &[lhs.value, int(1)]).unwrap();
                [
                    call("__ffi_hash__", &[lhs.value, callback.value]),
                    call("__ffi_compare__", &[lhs.value, rhs.value, callback.value]),
                    call("__ffi_eq__", &[lhs.value, rhs.value, callback.value]),
                    call("__data_to_json__", &[lhs.value]),
                    side.outcome(side.call("ffi.MapCount", &[map.value, rhs.value])),
                ]
            });
            assert_eq!(ours, theirs);
        });
    });
}

/// Some function.
fn int_of(side: &Side) -> Owned<'_> {
    side.call("ffi.FunctionListGlobalNamesFunctor", &[]).unwrap()
}

/// What text is an integer.
#[test]
fn integers_are_read_alike() {
    on_both(|sides| {
        for_all("[+-]?[0-9]{0,60}[ x]?", |text| {
            let text = CString::new(text).unwrap();
            let [ours, theirs] = sides.each_ref().map(|side| {
                match side.call_attribute("__data_from_json__", "ffi.BigInt", &[string(side, &text).value]) {
                    Ok(integer) if integer.value.type_index == kTVMFFIBigInt => {
                        side.outcome(side.call_attribute("__data_to_json__", "ffi.BigInt", &[integer.value]))
                    }
                    other => side.outcome(other),
                }
            });
            assert_eq!(ours, theirs, "{text:?}");
        });
    });
}

fn string<'a>(side: &'a Side, text: &CString) -> Owned<'a> {
    side.call("ffi.String", &[raw(text)]).unwrap()
}

// ---------------------------------------------------------------------------------------------------------------------
// Classes of a frontend
// ---------------------------------------------------------------------------------------------------------------------

const CLASS: &str = "test.registry.Class";
const INIT_OFF: i64 = kTVMFFIFieldFlagBitMaskInitOff;
const KW_ONLY: i64 = kTVMFFIFieldFlagBitMaskKwOnly;
const DEFAULT: i64 = kTVMFFIFieldFlagBitMaskHasDefault;

/// Name, type index, offset, size, flags of each field.
const FIELDS: &[(&str, i32, i64, i64, i64)] = &[
    ("number", kTVMFFIInt, 24, 8, 0),
    ("factor", kTVMFFIFloat, 32, 8, DEFAULT),
    ("value", -1, 40, 16, 0),
    ("list", kTVMFFIList, 56, 8, DEFAULT),
    ("flag", kTVMFFIBool, 64, 1, KW_ONLY),
    ("device", kTVMFFIDevice, 72, 8, KW_ONLY | DEFAULT),
    ("hidden", -1, 80, 16, INIT_OFF),
];

/// Takes every value but Unchanged; the converter is the library's side.
unsafe extern "C" fn accept(side: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: setters hand over the side, a live value and a writable result.
    unsafe {
        let table = &(*side.cast::<Side>()).table;
        if (*value).type_index == kTVMFFIUnchanged {
            table.TVMFFIErrorSetRaisedFromCStr.unwrap()(c"ValueError".as_ptr(), c"not\nthis".as_ptr());
            return -1;
        }
        table.TVMFFIAnyViewToOwnedAny.unwrap()(value, result)
    }
}

/// Registers [`CLASS`].
fn define(side: &Side) {
    let key = TVMFFIByteArray::new(CLASS.as_bytes());
    // SAFETY: calls as the header allows them; what the class refers to lives as long as the test.
    unsafe {
        let index = side.table.TVMFFITypeGetOrAllocIndex.unwrap()(&key, -1, 1, 0, 1, kTVMFFIObject);
        for &(name, field_type, offset, size, flags) in FIELDS {
            let addresses = [&raw const *side as i64, accept as *const () as i64].map(int);
            let setter =
                side.call("ffi.MakeFieldSetter", &[int(field_type.into()), addresses[0], addresses[1]]).unwrap();
            let getter = side.call("ffi.MakeFieldGetter", &[int(field_type.into())]).unwrap().value.payload();
            let default = match field_type {
                kTVMFFIDevice => TVMFFIAny::new(kTVMFFIDevice, 1),
                kTVMFFIFloat => int(2),
                _ => TVMFFIAny::NONE,
            };
            let field = TVMFFIFieldInfo {
                name: TVMFFIByteArray::new(name.as_bytes()),
                doc: TVMFFIByteArray::EMPTY,
                metadata: TVMFFIByteArray::EMPTY,
                flags: flags | kTVMFFIFieldFlagBitSetterIsFunctionObj,
                size,
                alignment: size.min(8),
                offset,
                getter: std::mem::transmute::<u64, Option<TVMFFIFieldGetter>>(getter),
                setter: setter.value.payload() as *mut c_void,
                default_value_or_factory: default,
                field_static_type_index: field_type,
            };
            assert_eq!(side.table.TVMFFITypeRegisterField.unwrap()(index, &field), 0);
        }
        side.call("ffi._PyClassRegisterTypeAttrColumns", &[int(index.into()), int(96)]).unwrap();
    }
}

/// An argument of a constructor.
#[derive(Clone, Debug)]
enum Argument {
    Kwargs,
    Name(&'static str),
    Int(i64),
    Text(&'static str),
    List,
    None,
    Refused,
}

fn argument<'a>(side: &'a Side, argument: &Argument) -> Owned<'a> {
    match argument {
        Argument::Kwargs => side.call("ffi.GetKwargsObject", &[]).unwrap(),
        Argument::Name(text) | Argument::Text(text) => string(side, &CString::new(*text).unwrap()),
        Argument::Int(value) => Owned::new(side, int(*value)),
        Argument::List => side.call("ffi.List", &[int(1)]).unwrap(),
        Argument::None => Owned::new(side, TVMFFIAny::NONE),
        Argument::Refused => Owned::new(side, TVMFFIAny::new(kTVMFFIUnchanged, 0)),
    }
}

fn some_value() -> impl Strategy<Value = Argument> {
    prop_oneof![
        8 => (0_i64..3).prop_map(Argument::Int),
        2 => select(&["cuda:1", "a longer text"][..]).prop_map(Argument::Text),
        1 => select(vec![Argument::List, Argument::None, Argument::Refused, Argument::Kwargs]),
    ]
}

fn some_name() -> impl Strategy<Value = Argument> {
    let names: Vec<_> = FIELDS.iter().map(|field| field.0).chain(["nobody"]).collect();
    prop_oneof![20 => select(names).prop_map(Argument::Name), 1 => some_value()]
}

/// Values by position, then names with values, perhaps one too many.
fn some_arguments() -> impl Strategy<Value = Vec<Argument>> {
    let named = vec((some_name(), some_value()), 0..6);
    (vec(some_value(), 0..6), any::<bool>(), named, 0..20).prop_map(|(mut all, by_name, named, odd)| {
        if by_name {
            all.push(Argument::Kwargs);
            all.extend(named.into_iter().flat_map(|(name, value)| [name, value]));
            if odd == 0 {
                all.push(Argument::None);
            }
        }
        all
    })
}

/// What is made: the fields of the object and of its copy, or the error.
fn made(side: &Side, answer: Result<Owned<'_>, String>) -> Vec<String> {
    let object = match answer {
        Ok(object) => object,
        Err(error) => return vec![error],
    };
    let copy = side.call_attribute("__ffi_shallow_copy__", CLASS, &[object.value]).unwrap();
    let fields = side.fields(CLASS).iter();
    fields.flat_map(|field| [side.get(&object, field), side.get(&copy, field)]).collect()
}

#[test]
fn constructors_take_the_same_arguments() {
    on_both(|sides| {
        sides.iter().for_each(define);
        for_all(some_arguments(), |args| {
            let [ours, theirs] = sides.each_ref().map(|side| {
                let owned: Vec<_> = args.iter().map(|arg| argument(side, arg)).collect();
                let views: Vec<_> = owned.iter().map(|owned| owned.value).collect();
                made(side, side.call_attribute("__ffi_init__", CLASS, &views))
            });
            assert_eq!(ours, theirs, "{args:?}");
        });
    });
}

#[test]
fn objects_are_made_of_the_same_names_and_values() {
    on_both(|sides| {
        sides.iter().for_each(define);
        for_all(vec((some_name(), some_value()), 0..9), |named| {
            let [ours, theirs] = sides.each_ref().map(|side| {
                let args = named.iter().flat_map(|(name, value)| [argument(side, name), argument(side, value)]);
                let owned: Vec<_> = [string(side, &CString::new(CLASS).unwrap())].into_iter().chain(args).collect();
                let views: Vec<_> = owned.iter().map(|owned| owned.value).collect();
                made(side, side.call("ffi.MakeObjectFromPackedArgs", &views))
            });
            assert_eq!(ours, theirs, "{named:?}");
        });
    });
}
