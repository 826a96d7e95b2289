//! An installed allocator that refuses one body after the other of those that a call needs.

use std::{ffi::c_void, ops::Range, ptr::null_mut, sync::atomic::Ordering};

use tvm_ffi_spec::*;

use super::failing::{REFUSALS, ROOM, allocate_while_there_is_room, give_way, successors};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals, modules,
        node::{get_any, node, set_any, set_kind},
        reflected, types, view,
    },
    trial::Trial,
};

/// Whichever of the bodies that a call needs is refused, the call fails with the allocator's very error, or succeeds with the answer that it has
/// otherwise and leaves none raised, also where the allocator has put another one or the built-in one in force before it refuses.
#[check(ALC_0013, patient = 4)]
fn refused_at_any_point(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("MemoryError", "the arena is full", "")?;
    let allocator = TVMFFICustomAllocator { allocate: Some(allocate_while_there_is_room), context: error.handle() };
    let allocator = Box::into_raw(Box::new(allocator));
    let values = Values::new(t)?;
    let successors = successors(error.handle());
    for (call, (gives_way, successor)) in calls(t, &values)?.iter().flat_map(|call| successors.map(|way| (call, way))) {
        let Call { what, function, args, rooms, usual } = call;
        give_way(successor);
        for room in rooms.clone() {
            let (mut result, before) = (TVMFFIAny::NONE, REFUSALS.load(Ordering::SeqCst));
            ROOM.store(room, Ordering::SeqCst);
            t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
            let status = t.try_call(function, args, &mut result);
            t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
            let refused = REFUSALS.load(Ordering::SeqCst) != before;
            let raised = t.api.take_raised();
            if status == 0 {
                let answer = t.own(result);
                if refused && usual.is_some() {
                    let label =
                        format!("the answer of {what}, which was refused a body behind {room} by one that {gives_way}");
                    t.eq(label, shown(t, &answer)?, usual.clone())?;
                }
            }
            let expected = match (status, refused) {
                (0, _) => null_mut(),
                (_, true) => error.handle(),
                // It is for other clauses to say why it has failed.
                (_, false) => raised,
            };
            let label = format!(
                "the raised error after {what}, which answered {status}, with room for {room} more of an allocator that {gives_way}"
            );
            t.eq(label, raised, expected)?;
            if !raised.is_null() {
                t.api.release(raised);
            }
            if !refused {
                break;
            }
        }
    }
    t.eq("references to the allocator's error", t.counts(error.handle())?, (1, 1))
}

/// How an answer is printed, if it can be.
fn shown(t: &Trial, answer: &Owned) -> Verdict<Option<String>> {
    Ok(match t.answer("ffi.ReprPrint", &[answer.any()])? {
        Ok(_) => Some(t.printed(&answer.any())?),
        Err(_) => None,
    })
}

/// A call, and for how many bodies there is to be room, one number after the other.
struct Call {
    what: String,
    function: Owned,
    args: Vec<TVMFFIAny>,
    rooms: Range<usize>,
    /// What it answers where nothing is refused, as it is printed.
    usual: Option<String>,
}

/// More bodies than most of the calls need.
const MOST: usize = 16;

/// What the calls are given.
struct Values {
    list: Owned,
    other: Owned,
    map: Owned,
    nothing: Owned,
    graph: Option<Owned>,
    dict: Option<Owned>,
    /// The type of access paths, and a path.
    root: Option<(i32, Owned)>,
    instances: Vec<(String, i32, Owned)>,
    others: Others,
}

/// Calls whose arguments have texts and objects of many kinds in them, and what owns these.
struct Others {
    calls: Vec<(&'static str, Vec<TVMFFIAny>)>,
    _owners: Vec<Owned>,
}

impl Others {
    fn new(t: &Trial) -> Verdict<Self> {
        let (mut calls, mut owners): (Vec<(&str, Vec<TVMFFIAny>)>, Vec<Owned>) = (Vec::new(), Vec::new());
        let (int, no, none) = (view::int, view::bool(false), TVMFFIAny::NONE);
        let text = view::c_str(c"a text that is not short");
        let mut made = |name: &str, args: &[TVMFFIAny]| -> Verdict<Option<TVMFFIAny>> {
            let Some(make) = globals::find(t, name)? else { return Ok(None) };
            owners.push(t.call(&make, args)?);
            Ok(owners.last().map(Owned::any))
        };
        // Each kind of container, and two that differ in one place.
        for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            calls.push((make, vec![text, int(1), text, text]));
            let (Some(one), Some(other)) = (made(make, &[text, int(1)])?, made(make, &[text, int(2)])?) else {
                continue;
            };
            calls.push(("ffi.GetFirstStructuralMismatch", vec![one, other, no, no]));
            if let (Some(outer), Some(empty)) = (made("ffi.Map", &[text, one])?, made("ffi.Map", &[])?) {
                calls.push(("ffi.GetFirstStructuralMismatch", vec![outer, empty, no, no]));
            }
            for name in ["ffi.ReprPrint", "ffi.DeepCopy", "ffi.StructuralKey"] {
                calls.push((name, vec![one]));
            }
            for name in ["ffi.ToJSONGraph", "ffi.ToJSONGraphString"] {
                calls.push((name, vec![one, none]));
            }
            for (write, read) in
                [("ffi.ToJSONGraph", "ffi.FromJSONGraph"), ("ffi.ToJSONGraphString", "ffi.FromJSONGraphString")]
            {
                calls.extend(made(write, &[one, none])?.map(|graph| (read, vec![graph])));
            }
        }
        // Objects with a field whose name is a text on the heap, alone and within a container.
        let kind = named_type(t)?;
        let [one, other] = [1, 2].map(|number| node(kind, int(number), none).view());
        let [outer, other_outer] = [one, other].map(|object| made("ffi.Array", &[text, object]));
        let pairs = [Some((one, other)), outer?.zip(other_outer?)];
        for (lhs, rhs) in pairs.into_iter().flatten() {
            calls.push(("ffi.GetFirstStructuralMismatch", vec![lhs, rhs, no, no]));
            calls.push(("ffi.ReprPrint", vec![lhs]));
        }
        calls.push(("ffi.String", vec![text]));
        calls.push(("ffi.Bytes", vec![text]));
        calls.push(("ffi.Shape", vec![int(2), int(3)]));
        calls.push(("ffi.json.Parse", vec![view::c_str(c"{\"a key that is long\": [1, \"a text that is long\"]}")]));
        calls.extend(made("ffi.Map", &[text, text])?.map(|map| ("ffi.json.Stringify", vec![map, int(2)])));
        if let Some(big) = t.big_int(i128::MAX - 4711)? {
            let big_int = big.any();
            calls.push(("ffi.ReprPrint", vec![big_int]));
            calls.push(("ffi.Array", vec![big_int]));
            for (write, read) in
                [("ffi.ToJSONGraph", "ffi.FromJSONGraph"), ("ffi.ToJSONGraphString", "ffi.FromJSONGraphString")]
            {
                let holder = made("ffi.Array", &[big_int, text])?;
                for value in [Some(big_int), holder].into_iter().flatten() {
                    calls.push((write, vec![value, none]));
                    calls.extend(made(write, &[value, none])?.map(|graph| (read, vec![graph])));
                }
            }
            owners.push(big);
        }
        Ok(Self { calls, _owners: owners })
    }
}

/// A type of objects with a field whose name is not short.
fn named_type(t: &Trial) -> Verdict<i32> {
    let kind = types::new(t, "verify.allocator.Named");
    let size = size_of::<TVMFFIAny>() as i64;
    let field = types::field(b"a_field_whose_name_is_not_short", kTVMFFIAny, size, size_of::<TVMFFIObject>() as i64);
    let field = TVMFFIFieldInfo { getter: Some(get_any), setter: set_any as *mut c_void, ..field };
    t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    set_kind(t, kind, kTVMFFISEqHashKindTreeNode)?;
    Ok(kind)
}

impl Values {
    fn new(t: &Trial) -> Verdict<Self> {
        let made = |name: &str, args: &[TVMFFIAny]| globals::find(t, name)?.map(|make| t.call(&make, args)).transpose();
        let text = view::c_str(c"a text that is not short");
        let inner = t.call_global("ffi.Array", &[view::int(1), text])?;
        let list = t.call_global("ffi.Array", &[view::int(1), inner.any()])?;
        let other = t.call_global("ffi.Array", &[view::int(1), view::int(2)])?;
        let entry = [text, list.any()];
        let mut instances = Vec::new();
        for ty in abi::abi().types.iter().filter(|ty| ty.metadata.as_ref().is_some_and(|metadata| metadata.creator)) {
            if let Some(index) = types::find(t, &ty.key) {
                instances.push((ty.key.clone(), index, reflected::create(t, index)?));
            }
        }
        let path_type = types::find(t, "ffi.reflection.AccessPath");
        let root = path_type.map(|index| -> Verdict<_> { Ok((index, t.call(&method(t, index, "_root")?, &[])?)) });
        Ok(Self {
            root: root.transpose()?,
            map: t.call_global("ffi.Map", &entry)?,
            dict: made("ffi.Dict", &entry)?,
            graph: made("ffi.ToJSONGraph", &[list.any(), TVMFFIAny::NONE])?,
            nothing: t.call_global("ffi.Array", &[])?,
            list,
            other,
            instances,
            others: Others::new(t)?,
        })
    }
}

/// A method of a type.
fn method(t: &Trial, index: i32, name: &str) -> Verdict<Owned> {
    reflected::share(t, reflected::method(t, index, name)?.method)
}

/// Calls of all kinds of functions that make objects, as far as they succeed where nothing is refused.
fn calls(t: &Trial, values: &Values) -> Verdict<Vec<Call>> {
    let (list, map, nothing) = (values.list.any(), values.map.any(), values.nothing.any());
    let (int, no, none) = (view::int, view::bool(false), TVMFFIAny::NONE);
    let path = t.fixture("functions.so")?;
    let mut tried: Vec<(String, Option<Owned>, Vec<TVMFFIAny>)> = Vec::new();
    let globals: [(&str, Vec<TVMFFIAny>); 17] = [
        ("ffi.VisitInterrupt", vec![int(5)]),
        ("ffi.StructuralKey", vec![list]),
        ("ffi.MapForwardIterFunctor", vec![map]),
        ("ffi.DictForwardIterFunctor", vec![values.dict.as_ref().map_or(none, Owned::any)]),
        ("ffi.StructuralWalk", vec![list, nothing, nothing, int(0)]),
        ("ffi.StructuralVisit", vec![list, nothing]),
        ("ffi.StructuralMap", vec![list, nothing, nothing, int(0)]),
        ("ffi.StructuralMap", vec![list, nothing, nothing, int(1)]),
        ("ffi.StructuralMutate", vec![list, nothing]),
        ("ffi.GetFirstStructuralMismatch", vec![list, values.other.any(), no, no]),
        ("ffi.ToJSONGraph", vec![map, none]),
        ("ffi.FromJSONGraph", vec![values.graph.as_ref().map_or(none, Owned::any)]),
        ("ffi.DeepCopy", vec![map]),
        ("ffi.GetInvalidObject", vec![]),
        ("ffi.GetRegisteredTypeKeys", vec![]),
        ("ffi.ModuleLoadFromFile", modules::load_args(&path).to_vec()),
        (
            "ffi.MakeObjectFromPackedArgs",
            vec![view::c_str(c"ffi.reflection.AccessStep"), view::c_str(c"kind"), int(1), view::c_str(c"key"), int(2)],
        ),
    ];
    for (name, args) in globals.into_iter().chain(values.others.calls.iter().cloned()) {
        tried.push((name.to_owned(), globals::find(t, name)?, args));
    }
    for (key, index, instance) in &values.instances {
        for (column, args) in
            [("__ffi_new__", vec![]), ("__ffi_init__", vec![]), ("__ffi_shallow_copy__", vec![instance.any()])]
        {
            let function = reflected::attribute(t, column, *index)?;
            let function =
                (function.type_index == kTVMFFIFunction).then(|| reflected::share(t, function)).transpose()?;
            tried.push((format!("{key}.{column}"), function, args));
        }
    }
    if let Some((index, root)) = &values.root {
        let root = root.any();
        let name = view::c_str(c"a name that is not short");
        let methods = [
            ("_root", vec![]),
            ("_attr", vec![root, name]),
            ("_attr_missing", vec![root, name]),
            ("_array_item", vec![root, int(1)]),
            ("_map_item", vec![root, name]),
            ("_to_steps", vec![root]),
        ];
        for (name, args) in methods {
            tried.push((format!("the method {name} of paths"), Some(method(t, *index, name)?), args));
        }
    }
    let mut calls = Vec::new();
    for (what, function, args) in tried {
        let Some(function) = function else { continue };
        // What is made once and kept is made without the allocator.
        if let Ok(usual) = t.answer_of(function.handle(), &args)? {
            let usual = shown(t, &usual)?;
            calls.push(Call { what, function, args, rooms: 0..MOST, usual });
        }
    }
    // A name that has a module has it for good.
    let prefixes = [c"verify_refused_0_", c"verify_refused_1_", c"verify_refused_2_", c"verify_refused_3_"];
    for (room, prefix) in prefixes.into_iter().enumerate() {
        let (what, function) = ("ffi.SystemLib of a new prefix".to_owned(), t.global("ffi.SystemLib")?);
        calls.push(Call { what, function, args: vec![view::c_str(prefix)], rooms: room..room + 1, usual: None });
    }
    Ok(calls)
}
