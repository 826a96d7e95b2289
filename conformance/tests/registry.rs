//! What is known of types, and what is done with it alone: the reference and a public release get the same calls in one
//! process, and what they answer is compared, errors with their messages.

#![allow(non_upper_case_globals, reason = "constants keep their C names")]

mod both;

use std::ffi::{c_int, c_void};

use both::{for_all, told};
use proptest::{collection::vec, prelude::*, sample::select};
use tvm_ffi_spec::{abi::abi, *};
use tvm_ffi_verify::{
    client::{
        Answer, Client, Owned, Verdict,
        reflected::{self, attribute, fields, get, info, methods, type_index},
        view,
    },
    side_by_side::on_both,
};

// ---------------------------------------------------------------------------------------------------------------------
// Reading a library
// ---------------------------------------------------------------------------------------------------------------------

fn text(client: &Client, array: TVMFFIByteArray) -> Verdict<String> {
    reflected::text(client, "a text of the type table", array)
}

/// The function in a column.
fn function(client: &Client, column: &str, key: &str) -> Verdict<Option<TVMFFIObjectHandle>> {
    let value = attribute(client, column, type_index(client, key)?)?;
    Ok((value.type_index == kTVMFFIFunction).then(|| value.payload() as TVMFFIObjectHandle))
}

fn call_attribute(client: &Client, column: &str, key: &str, args: &[TVMFFIAny]) -> Verdict<Answer> {
    let function = function(client, column, key)?.unwrap_or_else(|| panic!("{key} has a function in {column}"));
    client.answer_of(function, args)
}

/// A value without addresses.
fn show(client: &Client, value: &TVMFFIAny) -> Verdict<String> {
    Ok(match value.type_index {
        kTVMFFIStr | kTVMFFIBytes => {
            format!("{} {}", value.type_index, String::from_utf8_lossy(&client.text(value)?))
        }
        kTVMFFIArray | kTVMFFIList => {
            let items = client.sequence(value.payload() as TVMFFIObjectHandle)?.items;
            let items = items.iter().map(|item| show(client, item)).collect::<Verdict<Vec<_>>>()?;
            format!("{} [{}]", value.type_index, items.join(", "))
        }
        kTVMFFIStaticObjectBegin.. => reflected::key(client, &info(client, value.type_index)?)?,
        _ => format!("{value:?}"),
    })
}

fn outcome(client: &Client, answer: Answer) -> Verdict<String> {
    match answer {
        Ok(owned) => show(client, &owned.any()),
        Err(raised) => Ok(told(&raised)),
    }
}

/// What a field of an object holds.
fn got(client: &Client, object: &Owned, field: &TVMFFIFieldInfo) -> Verdict<String> {
    show(client, &get(client, object.handle(), field)?.any())
}

fn set(client: &Client, object: &Owned, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> Verdict<String> {
    match reflected::set(client, object.handle(), field, value)? {
        0 => Ok(String::new()),
        code => Ok(told(&client.raises(code, &[])?)),
    }
}

/// Values of many types; those of objects are owned by a library.
fn samples(client: &Client) -> Verdict<Vec<Owned>> {
    let call = |name, args: &[&Owned]| client.call_global(name, &args.iter().map(|arg| arg.any()).collect::<Vec<_>>());
    let plain = |value| client.own(value);
    let (number, truth) = (plain(view::int(7)), plain(view::bool(true)));
    let (short, long) = (client.string(b"abc")?, client.string(b"a longer text")?);
    let object = call("ffi.GetInvalidObject", &[])?;
    let objects = call("ffi.List", &[&object])?;
    let columns = call("ffi.Dict", &[&object, &number])?;
    let interrupt = plain(view::int(type_index(client, "ffi.VisitInterrupt")?.into()));
    let mut all = vec![
        call("ffi.Array", &[])?,
        call("ffi.Array", &[&number, &truth])?,
        call("ffi.Array", &[&object])?,
        call("ffi.List", &[&number])?,
        call("ffi.List", &[&objects, &number])?,
        call("ffi.Map", &[&short, &number])?,
        call("ffi.Map", &[&short, &columns])?,
        call("ffi.Dict", &[&short, &columns])?,
        call("ffi.Dict", &[&number, &object])?,
        call("ffi.Shape", &[&number])?,
        call("ffi.MakeObjectFromPackedArgs", &[&interrupt])?,
        plain(TVMFFIAny::NONE),
        // What fits in 32 bits: the reference refuses what a release cuts (DIFFERENCES.md).
        plain(view::int(1 << 30)),
        plain(view::float(2.5)),
        plain(view::pointer(0x1000 as *mut c_void)),
        plain(TVMFFIAny::new(kTVMFFIDataType, 0x0001_2000)),
        plain(TVMFFIAny::new(kTVMFFIDevice, 0x1_0000_0002)),
        plain(TVMFFIAny::new(kTVMFFIUnchanged, 0)),
    ];
    for key in ["ffi.reflection.AccessStep", "ffi.reflection.AccessPath", "ffi.IntEnum"] {
        all.push(made(call_attribute(client, "__ffi_new__", key, &[])?));
    }
    all.extend([number, truth, short, long, object, objects, columns]);
    Ok(all)
}

/// What `lines` makes of both sides is the same, line by line.
fn same_lines(lines: impl Fn(&Client) -> Verdict<Vec<String>>) {
    on_both(|sides| {
        let [ours, theirs] = sides.each_ref().map(|side| lines(side).unwrap_or_else(|failure| panic!("{failure:?}")));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs);
        }
        assert_eq!(ours.len(), theirs.len());
    });
}

// ---------------------------------------------------------------------------------------------------------------------
// What is registered
// ---------------------------------------------------------------------------------------------------------------------

/// The values of a column, which begins at index 0.
fn column(client: &Client, name: &str) -> Verdict<Vec<TVMFFIAny>> {
    let TVMFFITypeAttrColumn { data, size, begin_index } = client.read(name, reflected::column(client, name))?;
    client.eq("begin_index", begin_index, 0)?;
    (0..size as usize).map(|place| client.read("an entry of a column", data.wrapping_add(place))).collect()
}

/// All that is registered at load, one line each.
fn registry(client: &Client) -> Verdict<Vec<String>> {
    let mut lines = Vec::new();
    for ty in &abi().types {
        let index = type_index(client, &ty.key)?;
        let record = info(client, index)?;
        let ancestors = reflected::ancestors(client, &record)?;
        let metadata = if record.metadata.is_null() {
            None
        } else {
            let metadata = reflected::metadata(client, index)?;
            let (size, kind) = (metadata.total_size, metadata.structural_eq_hash_kind);
            Some((text(client, metadata.doc)?, metadata.creator.is_some(), size, kind))
        };
        lines.push(format!("{} {index} {ancestors:?} {:x} {metadata:?}", ty.key, record.type_key_hash));
        for field in fields(client, index)? {
            let texts = [text(client, field.name)?, text(client, field.doc)?, text(client, field.metadata)?];
            let layout = (field.offset, field.size, field.alignment, field.flags, field.field_static_type_index);
            let functions = (field.getter.is_some(), !field.setter.is_null());
            lines.push(format!("  {texts:?} {layout:?} {functions:?} {:?}", field.default_value_or_factory));
        }
        for method in methods(client, index)? {
            let texts = [text(client, method.name)?, text(client, method.doc)?, text(client, method.metadata)?];
            lines.push(format!("  {texts:?} {} {}", method.flags, method.method.type_index));
        }
    }
    for attribute in &abi().attributes {
        let value = |value: &TVMFFIAny| match value.type_index {
            kTVMFFIOpaquePtr | kTVMFFIFunction => format!("{}", value.type_index),
            _ => format!("{value:?}"),
        };
        let values = column(client, &attribute.name)?;
        lines.push(format!("{} {:?}", attribute.name, values.iter().map(value).collect::<Vec<_>>()));
    }
    Ok(lines)
}

#[test]
fn the_same_is_registered() {
    same_lines(registry);
}

/// Each function of the registry, called with more arguments than any takes, tells its signature.
#[test]
fn functions_have_the_same_signatures() {
    same_lines(|client| {
        let mut functions = Vec::new();
        for attribute in &abi().attributes {
            functions.extend(column(client, &attribute.name)?);
        }
        for ty in &abi().types {
            functions.extend(methods(client, type_index(client, &ty.key)?)?.iter().map(|method| method.method));
        }
        functions.retain(|function| function.type_index == kTVMFFIFunction);
        let call = |function: TVMFFIAny| {
            outcome(client, client.answer_of(function.payload() as TVMFFIObjectHandle, &[view::int(0); 9])?)
        };
        functions.into_iter().map(call).collect()
    });
}

// ---------------------------------------------------------------------------------------------------------------------
// What is done with it
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn fields_take_the_same_values() {
    same_lines(|client| {
        let mut lines = Vec::new();
        for ty in &abi().types {
            if function(client, "__ffi_new__", &ty.key)?.is_none() {
                continue;
            }
            for field in fields(client, type_index(client, &ty.key)?)? {
                for value in samples(client)? {
                    let object = made(call_attribute(client, "__ffi_new__", &ty.key, &[])?);
                    let (set, got) = (set(client, &object, &field, &value.any())?, got(client, &object, &field)?);
                    let (name, value) = (text(client, field.name)?, show(client, &value.any())?);
                    lines.push(format!("{}.{name} = {value}: {set} {got}", ty.key));
                }
            }
        }
        Ok(lines)
    });
}

/// What a call answered that is expected to succeed.
fn made(answer: Answer) -> Owned {
    answer.unwrap_or_else(|raised| panic!("{}", told(&raised)))
}

#[test]
fn values_are_converted_alike() {
    same_lines(|client| {
        let mut lines = Vec::new();
        for ty in &abi().types {
            if function(client, "__ffi_convert__", &ty.key)?.is_none() {
                continue;
            }
            for value in samples(client)? {
                let answer = call_attribute(client, "__ffi_convert__", &ty.key, &[value.any()])?;
                lines.push(format!("{} of {}: {}", ty.key, show(client, &value.any())?, outcome(client, answer)?));
            }
        }
        Ok(lines)
    });
}

/// Integers, as keys and as numbers.
#[test]
fn integers_are_hashed_compared_and_written_alike() {
    let outcomes = |client: &Client, lhs: &[i64], rhs: &[i64]| -> Verdict<[String; 5]> {
        let integer = |words: &[i64]| -> Verdict<Owned> {
            let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut value = TVMFFIAny::NONE;
            client.ok(client.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes), &mut value))?;
            Ok(client.own(value))
        };
        let (lhs, rhs) = (integer(lhs)?, integer(rhs)?);
        let call = |name, args: &[&Owned]| {
            let args: Vec<_> = args.iter().map(|arg| arg.any()).collect();
            outcome(client, call_attribute(client, name, "ffi.BigInt", &args)?)
        };
        let some_function = client.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
        let map = client.call_global("ffi.Map", &[lhs.any(), view::int(1)])?;
        Ok([
            call("__ffi_hash__", &[&lhs, &some_function])?,
            call("__ffi_compare__", &[&lhs, &rhs, &some_function])?,
            call("__ffi_eq__", &[&lhs, &rhs, &some_function])?,
            call("__data_to_json__", &[&lhs])?,
            outcome(client, client.answer("ffi.MapCount", &[map.any(), rhs.any()])?)?,
        ])
    };
    on_both(|[ours, theirs]| {
        let words = || vec(prop_oneof![Just(0), Just(-1), any::<i64>()], 2..6);
        for_all((words(), words(), any::<bool>()), |(lhs, rhs, same)| {
            let rhs = if same { lhs.clone() } else { rhs };
            assert_eq!(outcomes(ours, &lhs, &rhs)?, outcomes(theirs, &lhs, &rhs)?);
            Ok(())
        });
    });
}

/// What text is an integer.
#[test]
fn integers_are_read_alike() {
    let reread = |client: &Client, text: &str| -> Verdict<String> {
        let text = client.string(text.as_bytes())?;
        let answer = call_attribute(client, "__data_from_json__", "ffi.BigInt", &[text.any()])?;
        outcome(
            client,
            match answer {
                Ok(integer) if integer.any().type_index == kTVMFFIBigInt => {
                    call_attribute(client, "__data_to_json__", "ffi.BigInt", &[integer.any()])?
                }
                other => other,
            },
        )
    };
    on_both(|[ours, theirs]| {
        for_all("[+-]?[0-9]{0,60}[ x]?", |text| {
            assert_eq!(reread(ours, &text)?, reread(theirs, &text)?, "{text:?}");
            Ok(())
        });
    });
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

/// Takes every value but Unchanged; the converter is the client.
unsafe extern "C" fn accept(client: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: setters hand over the client that they were made with, a live value and a writable result.
    let (client, type_index) = unsafe { (&*client.cast::<Client>(), (*value).type_index) };
    if type_index == kTVMFFIUnchanged {
        client.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"not\nthis".as_ptr());
        return -1;
    }
    client.api.TVMFFIAnyViewToOwnedAny(value, result)
}

/// Registers [`CLASS`]; what it refers to lives as long as the client.
fn define(client: &Client) -> Verdict {
    let key = TVMFFIByteArray::new(CLASS.as_bytes());
    let index = client.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
    for &(name, field_type, offset, size, flags) in FIELDS {
        let kind = view::int(field_type.into());
        let [converter, this] = [accept as *const () as i64, &raw const *client as i64].map(view::int);
        let setter = client.call_global("ffi.MakeFieldSetter", &[kind, this, converter])?;
        let getter = client.call_global("ffi.MakeFieldGetter", &[kind])?.any().payload();
        let default = match field_type {
            kTVMFFIDevice => TVMFFIAny::new(kTVMFFIDevice, 1),
            kTVMFFIFloat => view::int(2),
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
            // SAFETY: the global answers the address of a getter.
            getter: unsafe { std::mem::transmute::<u64, Option<TVMFFIFieldGetter>>(getter) },
            setter: setter.handle(),
            default_value_or_factory: default,
            field_static_type_index: field_type,
        };
        client.ok(client.api.TVMFFITypeRegisterField(index, &field))?;
    }
    client.call_void("ffi._PyClassRegisterTypeAttrColumns", &[view::int(index.into()), view::int(96)])
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

fn argument(client: &Client, argument: &Argument) -> Verdict<Owned> {
    Ok(match argument {
        Argument::Kwargs => client.call_global("ffi.GetKwargsObject", &[])?,
        Argument::Name(text) | Argument::Text(text) => client.string(text.as_bytes())?,
        Argument::Int(value) => client.own(view::int(*value)),
        Argument::List => client.call_global("ffi.List", &[view::int(1)])?,
        Argument::None => client.own(TVMFFIAny::NONE),
        Argument::Refused => client.own(TVMFFIAny::new(kTVMFFIUnchanged, 0)),
    })
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
fn instance(client: &Client, answer: Answer) -> Verdict<Vec<String>> {
    let object = match answer {
        Ok(object) => object,
        Err(raised) => return Ok(vec![told(&raised)]),
    };
    let copy = made(call_attribute(client, "__ffi_shallow_copy__", CLASS, &[object.any()])?);
    let mut values = Vec::new();
    for field in fields(client, type_index(client, CLASS)?)? {
        values.extend([got(client, &object, &field)?, got(client, &copy, &field)?]);
    }
    Ok(values)
}

/// What `call` makes of the same arguments on both sides is the same.
fn same_instances<S, A>(strategy: S, arguments: A, call: fn(&Client, &[TVMFFIAny]) -> Verdict<Answer>)
where
    S: Strategy,
    A: Fn(&Client, &S::Value) -> Verdict<Vec<Owned>>,
{
    on_both(|sides| {
        sides.iter().try_for_each(|side| define(side)).unwrap_or_else(|failure| panic!("{failure:?}"));
        for_all(strategy, |value| {
            let outcome = |client: &Client| {
                let owned = arguments(client, &value)?;
                instance(client, call(client, &owned.iter().map(Owned::any).collect::<Vec<_>>())?)
            };
            assert_eq!(outcome(&sides[0])?, outcome(&sides[1])?, "{value:?}");
            Ok(())
        });
    });
}

#[test]
fn constructors_take_the_same_arguments() {
    same_instances(
        some_arguments(),
        |client, args| args.iter().map(|arg| argument(client, arg)).collect(),
        |client, args| call_attribute(client, "__ffi_init__", CLASS, args),
    );
}

#[test]
fn objects_are_made_of_the_same_names_and_values() {
    same_instances(
        vec((some_name(), some_value()), 0..9),
        |client, named| {
            let mut args = vec![client.string(CLASS.as_bytes())?];
            for (name, value) in named {
                args.extend([argument(client, name)?, argument(client, value)?]);
            }
            Ok(args)
        },
        |client, args| client.answer("ffi.MakeObjectFromPackedArgs", args),
    );
}
