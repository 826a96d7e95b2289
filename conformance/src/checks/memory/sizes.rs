//! Values of many sizes: what a library keeps of a walk grows at another place in each.

use tvm_ffi_spec::*;

use super::{
    function_call::FunctionCall,
    kit::{LONG, PASSING, Shortage},
    objects::{Types, containers, owned},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::Body, containers::retain, globals, view},
    trial::Trial,
};

/// A value stays as it is where a function that goes through it fails for want of memory, however much it has gone through by then.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn goes_through_values_of_every_size(t: &Trial) -> Verdict {
    walks(t, PASSING)
}

/// A value stays as it is where its text is not written for want of memory, however long that is by then.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn writes_values_of_every_size(t: &Trial) -> Verdict {
    texts(t, PASSING)
}

/// A custom data type is named in the text of a value, or the call fails, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn names_custom_data_types(t: &Trial) -> Verdict {
    custom(t, PASSING)
}

/// A value that comes in one piece, so that it is copied where it is kept, is not kept where that fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn keeps_raw_texts(t: &Trial) -> Verdict {
    raw(t, PASSING)
}

/// One of each kind of object: containers of few and of many, of which one is empty, texts, numbers and nodes.
fn one_of_each(t: &Trial, types: &Types, last: i64) -> Verdict<Vec<Owned>> {
    let (text, bytes) = (t.string(LONG.to_bytes())?, t.bytes(LONG.to_bytes())?);
    let variable = owned(t, types.variable, view::int(1), text.any());
    let inner = containers(t, &[text.any(), variable.any()])?;
    let mut all = vec![t.call_global("ffi.Array", &[])?, t.call_global("ffi.Shape", &[2, 3].map(view::int))?];
    all.extend(t.big_int(1 << 70)?);
    all.push(owned(t, types.shared, bytes.any(), text.any()));
    all.push(owned(t, types.tree, inner[0].any(), TVMFFIAny::new(kTVMFFIDataType, 0x0004_2002)));
    all.push(owned(t, types.pattern, variable.any(), inner[0].any()));
    all.push(owned(t, types.ignoring, variable.any(), view::int(last)));
    all.extend(inner);
    // Where objects lie does not decide which keys are compared.
    let values = all.iter().zip(0..).flat_map(|(value, key)| [view::int(key), value.any()]);
    let entries: Vec<_> = values.chain([text.any(), view::int(last), bytes.any(), view::int(last)]).collect();
    all.push(t.call_global("ffi.Map", &entries)?);
    all.extend([text, bytes]);
    Ok(all)
}

/// Such a value behind so many others.
fn behind(t: &Trial, types: &Types, count: i64, last: i64) -> Verdict<Owned> {
    let others = (0..count).map(|item| t.call_global("ffi.Array", &[view::int(item)])).collect::<Verdict<Vec<_>>>()?;
    let all: Vec<_> = others.into_iter().chain(one_of_each(t, types, last)?).collect();
    t.call_global("ffi.Array", &all.iter().map(Owned::any).collect::<Vec<_>>())
}

/// Everything that goes through a value.
pub(super) fn walks(t: &Trial, shortage: Shortage) -> Verdict {
    let types = Types::declare(t, "sized")?;
    let change: Body = |_, args| Some(view::int((args.first()?.payload() as i64).wrapping_add(100)));
    let change = t.callback(change)?;
    let entry = [view::int(kTVMFFIInt.into()), change.any(), view::bool(false)];
    let [pair, triple] = [&entry[..2], &entry].map(|entry| t.call_global("ffi.Array", entry));
    let (pairs, triples) = (t.call_global("ffi.Array", &[pair?.any()])?, t.call_global("ffi.Array", &[triple?.any()])?);
    let none = t.call_global("ffi.Array", &[])?;
    let no = view::bool(false);
    for count in [2, 9] {
        for last in [1, 2] {
            let two = |others: &[TVMFFIAny]| -> Verdict<Vec<Owned>> {
                let values = [behind(t, &types, count, 1)?, behind(t, &types, count, last)?];
                Ok(values.into_iter().chain(others.iter().map(|other| t.own(*other))).collect())
            };
            for (name, others) in [
                ("ffi.RecursiveEq", &[][..]),
                ("ffi.StructuralEqual", &[no, no]),
                ("ffi.GetFirstStructuralMismatch", &[view::bool(true), no]),
            ] {
                let args = || two(others);
                FunctionCall { nodes: &types.all, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
            }
        }
        for (name, others) in [
            ("ffi.RecursiveHash", &[][..]),
            ("ffi.StructuralHash", &[view::bool(true), no]),
            ("ffi.StructuralKey", &[]),
            ("ffi.DeepCopy", &[]),
            ("ffi.ToJSONGraph", &[TVMFFIAny::NONE]),
            ("ffi.ContainerFindFirstNonCPUDevice", &[]),
            ("ffi.StructuralVisit", &[pairs.any()]),
            ("ffi.StructuralMutate", &[triples.any()]),
            ("ffi.StructuralMap", &[none.any(), pairs.any(), view::int(0)]),
        ] {
            let args = || -> Verdict<Vec<Owned>> {
                Ok([behind(t, &types, count, 1)?]
                    .into_iter()
                    .chain(others.iter().map(|other| t.own(retain(other))))
                    .collect())
            };
            FunctionCall { nodes: &types.all, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
        }
    }
    Ok(())
}

/// Everything that writes a value as a text.
pub(super) fn texts(t: &Trial, shortage: Shortage) -> Verdict {
    let types = Types::declare(t, "written")?;
    let one = one_of_each(t, &types, 1)?;
    let one = t.call_global("ffi.Array", &one.iter().map(Owned::any).collect::<Vec<_>>())?;
    let odd: Vec<u8> = (0..=255).collect();
    let (odd_text, odd_bytes) = (t.string("\u{1}\"\u{e9}\n".repeat(30).as_bytes())?, t.bytes(&odd)?);
    // What has to be escaped is tried once.
    let odd = || t.call_global("ffi.Array", &[odd_bytes.any(), odd_text.any()]);
    FunctionCall::new("ffi.ReprPrint", &|| Ok(vec![odd()?])).meets(t, shortage)?;
    let empty = [t.call_global("ffi.Array", &[])?, t.call_global("ffi.Map", &[])?];
    let list = t.call_global("ffi.Array", &[view::int(-3), view::float(2.5), view::bool(true), TVMFFIAny::NONE])?;
    let plain = t.call_global("ffi.Map", &[view::c_str(LONG), list.any(), view::c_str(c"b"), list.any()])?;
    let plain =
        [empty[0].any(), empty[1].any(), plain.any(), view::float(f64::INFINITY), view::c_str(c"\x01\"\xc3\xa9")];
    for len in [0, 20, 45, 80, 120] {
        let padding = vec![b'x'; len];
        let shown = || -> Verdict<Vec<Owned>> {
            let text = t.string(&padding)?;
            Ok(vec![t.call_global("ffi.Array", &[text.any(), one.any()])?])
        };
        FunctionCall { nodes: &types.all, ..FunctionCall::new("ffi.ReprPrint", &shown) }.meets(t, shortage)?;
        for indent in [TVMFFIAny::NONE, view::int(3)] {
            let written = || -> Verdict<Vec<Owned>> {
                let text = t.string(&padding)?;
                let items = [&[text.any()], &plain[..]].concat();
                Ok(vec![t.call_global("ffi.Array", &items)?, t.own(indent)])
            };
            FunctionCall::new("ffi.json.Stringify", &written).meets(t, shortage)?;
        }
    }
    Ok(())
}

/// Functions of the client's name data types.
pub(super) fn custom(t: &Trial, shortage: Shortage) -> Verdict {
    let name: Body = |api, _| {
        let mut name = TVMFFIAny::NONE;
        let text = TVMFFIByteArray::new(b"a_name_that_is_long");
        (api.TVMFFIStringFromByteArray(&text, &mut name) == 0).then_some(name)
    };
    let code: Body = |_, _| Some(view::int(200));
    for (global, body) in [("dtype.get_custom_type_name", name), ("dtype.get_custom_type_code", code)] {
        let function = t.callback(body)?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(global.as_bytes()), function.handle(), 1))?;
    }
    let dtype = TVMFFIAny::new(kTVMFFIDataType, u64::from_ne_bytes([200, 8, 2, 0, 0, 0, 0, 0]));
    let tensor = t.tensor_of_four(DLDataType { code: 200, bits: 32, lanes: 1 }, &[4], [0; 4])?;
    let list = t.call_global("ffi.Array", &[dtype, dtype])?;
    for value in [dtype, list.any(), tensor.any()] {
        for (name, others) in [
            ("ffi.ReprPrint", &[][..]),
            ("ffi.ToJSONGraph", &[TVMFFIAny::NONE]),
            ("ffi.ToJSONGraphString", &[TVMFFIAny::NONE]),
        ] {
            let args = || Ok([value].iter().chain(others).map(|arg| t.own(retain(arg))).collect());
            FunctionCall::new(name, &args).meets(t, shortage)?;
        }
    }
    let graph = r#"{"root_index":0,"nodes":[{"type":"DataType","data":"custom[a_name_that_is_long]8"}]}"#;
    FunctionCall::new("ffi.FromJSONGraphString", &|| Ok(vec![t.string(graph.as_bytes())?])).meets(t, shortage)
}

/// A C string or a byte array where any value may stand.
pub(super) fn raw(t: &Trial, shortage: Shortage) -> Verdict {
    let bytes = TVMFFIByteArray::new(LONG.to_bytes());
    let (none, no) = (t.call_global("ffi.Array", &[])?, view::bool(false));
    for text in [view::c_str(LONG), view::byte_array(&bytes)] {
        for (name, args) in [
            ("ffi.RecursiveEq", &[text, text][..]),
            ("ffi.RecursiveLt", &[text, text]),
            ("ffi.RecursiveHash", &[text]),
            ("ffi.StructuralEqual", &[text, text, no, no]),
            ("ffi.GetFirstStructuralMismatch", &[text, view::int(1), no, no]),
            ("ffi.GetFirstStructuralMismatch", &[view::int(1), text, no, no]),
            ("ffi.StructuralHash", &[text, no, no]),
            ("ffi.StructuralKey", &[text]),
            ("ffi.DeepCopy", &[text]),
            ("ffi.ReprPrint", &[text]),
            ("ffi.ToJSONGraph", &[text, TVMFFIAny::NONE]),
            ("ffi.json.Stringify", &[text, TVMFFIAny::NONE]),
            ("ffi.VisitInterrupt", &[text]),
            ("ffi.ContainerFindFirstNonCPUDevice", &[text]),
            ("ffi.StructuralVisit", &[text, none.any()]),
            ("ffi.StructuralMutate", &[text, none.any()]),
            ("ffi.StructuralWalk", &[text, none.any(), none.any(), view::int(0)]),
            ("ffi.StructuralMap", &[text, none.any(), none.any(), view::int(1)]),
            ("ffi.FromJSONGraph", &[text]),
            ("ffi.GetGlobalFuncMetadata", &[text]),
            ("ffi.ModuleLoadFromFile", &[text]),
            ("ffi.FunctionRemoveGlobal", &[text]),
        ] {
            let owned = || Ok(args.iter().map(|arg| t.own(retain(arg))).collect());
            FunctionCall::new(name, &owned).meets(t, shortage)?;
            FunctionCall::failing(name, &owned).meets(t, shortage)?;
        }
    }
    let key = |text: TVMFFIAny| t.call_global("ffi.StructuralKey", &[text]);
    if globals::find(t, "ffi.StructuralKeyEqual")?.is_some() {
        let keys = || Ok(vec![key(view::c_str(LONG))?, key(view::c_str(LONG))?]);
        FunctionCall::new("ffi.StructuralKeyEqual", &keys).meets(t, shortage)?;
    }
    Ok(())
}
