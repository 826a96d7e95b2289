//! Objects of types that a client declares, and the functions that go through them.

use tvm_ffi_spec::*;

use super::{
    function_call::FunctionCall,
    kit::{LONG, PASSING, Shortage},
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, api, call, raise},
        containers::retain,
        globals,
        homemade::release,
        looking::{compare_first, mix_first, quote_first},
        node::{changing_node_type_with, ending_node, fields_of},
        reflected,
        tensor::FLOAT32,
        view,
    },
    trial::Trial,
};

/// An object that is compared, hashed, copied, printed or made a key stays as it is where that fails for want of memory, whichever kind its type has.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn goes_through_objects(t: &Trial) -> Verdict {
    walks(t, PASSING)
}

/// An object whose type has hooks stays as it is where a function that asks them fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn asks_hooks(t: &Trial) -> Verdict {
    hooks(t, PASSING)
}

/// An object that is visited, mapped or mutated stays as it is where that fails for want of memory, and where a callback fails in the midst of it.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn visits_objects(t: &Trial) -> Verdict {
    visits(t, PASSING)
}

/// The places of what an error is about are found, or the call fails and leaves all as it is, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn finds_places(t: &Trial) -> Verdict {
    places(t, PASSING)
}

/// Types of nodes: one of each kind of comparison, and those with hooks.
pub(super) struct Types {
    pub tree: i32,
    pub shared: i32,
    pub variable: i32,
    pub pattern: i32,
    pub ignoring: i32,
    pub all: Vec<i32>,
}

/// A node with the same fields, which gives them up when it ends.
pub(super) fn copy(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let original = args.first()?;
    let fields = fields_of(original)?;
    Some(ending_node(original.type_index, fields.first, fields.second).view())
}

impl Types {
    pub fn declare(t: &Trial, name: &str) -> Verdict<Self> {
        let declare = |key: &str, kind, flags| {
            changing_node_type_with(
                t,
                &format!(
                    "verify.{name}.a type of nodes, whose key is longer than what fits in a buffer of a few words.{key}"
                ),
                kind,
                flags,
                copy,
            )
        };
        let tree = declare("Tree", kTVMFFISEqHashKindTreeNode, [kTVMFFIFieldFlagBitSetterIsFunctionObj; 2])?;
        let shared = declare("Shared", kTVMFFISEqHashKindDAGNode, [0; 2])?;
        let variable = declare("Variable", kTVMFFISEqHashKindFreeVar, [0; 2])?;
        let pattern = declare("Pattern", kTVMFFISEqHashKindTreeNode, [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0])?;
        let off = kTVMFFIFieldFlagBitMaskReprOff | kTVMFFIFieldFlagBitMaskCompareOff | kTVMFFIFieldFlagBitMaskHashOff;
        let ignoring =
            declare("Ignoring", kTVMFFISEqHashKindConstTreeNode, [kTVMFFIFieldFlagBitMaskSEqHashIgnore | off, 0])?;
        Ok(Self { tree, shared, variable, pattern, ignoring, all: vec![tree, shared, variable, pattern, ignoring] })
    }
}

/// A node that holds references of its own.
pub(super) fn owned(t: &Trial, kind: i32, first: TVMFFIAny, second: TVMFFIAny) -> Owned {
    t.own(ending_node(kind, first, second).view())
}

/// Containers of each kind with these in them, twice each.
pub(super) fn containers(t: &Trial, values: &[TVMFFIAny]) -> Verdict<Vec<Owned>> {
    let mut all = Vec::new();
    let twice = [values, values].concat();
    let keys = (0..values.len() as i64).map(view::int);
    let entries: Vec<_> =
        keys.zip(values).flat_map(|(key, value)| [key, *value]).chain([view::c_str(LONG), values[0]]).collect();
    for (make, items) in [("ffi.Array", &twice), ("ffi.List", &twice), ("ffi.Map", &entries), ("ffi.Dict", &entries)] {
        if let Some(make) = globals::find(t, make)? {
            all.push(t.call(&make, items)?);
        }
    }
    Ok(all)
}

/// An object that holds values of every kind, objects of every type, and containers of all that.
fn whole(t: &Trial, types: &Types, last: i64) -> Verdict<Owned> {
    let tensor = t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?;
    holding(t, types, last, tensor.any())
}

/// The same with another value in the place of a tensor, which has no copy and no text.
fn holding(t: &Trial, types: &Types, last: i64, value: TVMFFIAny) -> Verdict<Owned> {
    let (long, bytes) = (t.string(LONG.to_bytes())?, t.bytes(b"bytes that do not lie in a value")?);
    let leaf = owned(t, types.tree, view::int(last), long.any());
    let shared = owned(t, types.shared, leaf.any(), bytes.any());
    let variable = owned(t, types.variable, view::float(2.5), TVMFFIAny::NONE);
    let shape = t.call_global("ffi.Shape", &(0..30).map(view::int).collect::<Vec<_>>())?;
    let ignoring = owned(t, types.ignoring, shape.any(), view::bool(true));
    let plain = [
        leaf.any(),
        shared.any(),
        variable.any(),
        ignoring.any(),
        value,
        shape.any(),
        TVMFFIAny::new(kTVMFFIDataType, 0x0004_2002),
        TVMFFIAny::new(kTVMFFIDevice, 1 << 32 | 2),
        view::int(-5),
    ];
    let big = t.big_int(1 << 70)?;
    let plain: Vec<_> = plain.into_iter().chain(big.iter().map(Owned::any)).collect();
    let containers = containers(t, &plain)?;
    let held = t.call_global("ffi.Array", &containers.iter().map(Owned::any).collect::<Vec<_>>())?;
    let uses = t.call_global("ffi.Array", &[variable.any(), shared.any(), variable.any()])?;
    let pattern = owned(t, types.pattern, variable.any(), uses.any());
    Ok(owned(t, types.tree, pattern.any(), held.any()))
}

/// Comparing, hashing, copying, printing, and writing as a graph.
pub(super) fn walks(t: &Trial, shortage: Shortage) -> Verdict {
    let types = Types::declare(t, "walked")?;
    let two = |last: i64, flags: &[bool]| -> Verdict<Vec<Owned>> {
        let flags = flags.iter().map(|flag| t.own(view::bool(*flag)));
        Ok([whole(t, &types, 1)?, whole(t, &types, last)?].into_iter().chain(flags).collect())
    };
    let one = |flags: &[bool]| -> Verdict<Vec<Owned>> {
        Ok([whole(t, &types, 1)?].into_iter().chain(flags.iter().map(|flag| t.own(view::bool(*flag)))).collect())
    };
    let meets = |name: &str, args: &dyn Fn() -> Verdict<Vec<Owned>>| {
        FunctionCall { nodes: &types.all, ..FunctionCall::new(name, args) }.meets(t, shortage)
    };
    for last in [1, 2] {
        for name in ["ffi.RecursiveEq", "ffi.RecursiveLt"] {
            meets(name, &|| two(last, &[]))?;
        }
        for flags in [[false, false], [true, false]] {
            for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
                meets(name, &|| two(last, &flags))?;
            }
        }
    }
    for flags in [[false, false], [true, true]] {
        meets("ffi.StructuralHash", &|| one(&flags))?;
    }
    for name in ["ffi.RecursiveHash", "ffi.ReprPrint", "ffi.StructuralKey"] {
        meets(name, &|| one(&[]))?;
    }
    let plain = || holding(t, &types, 1, view::int(6));
    meets("ffi.DeepCopy", &|| Ok(vec![plain()?]))?;
    for name in ["ffi.ToJSONGraph", "ffi.ToJSONGraphString"] {
        meets(name, &|| Ok(vec![plain()?, t.own(TVMFFIAny::NONE)]))?;
    }
    if globals::find(t, "ffi.StructuralKey")?.is_some() {
        let keys = || -> Verdict<Vec<Owned>> {
            [1, 2]
                .into_iter()
                .map(|last| t.call_global("ffi.StructuralKey", &[whole(t, &types, last)?.any()]))
                .collect()
        };
        meets("ffi.StructuralKeyEqual", &keys)?;
        meets("ffi.Map", &keys)?;
    }
    Ok(())
}

/// Asks the function that the hook is given about both fields, one after the other.
fn hash_both(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, go_on] = args else { return None };
    let fields = fields_of(object)?;
    call(api, go_on.payload() as TVMFFIObjectHandle, &[fields.first])?;
    call(api, go_on.payload() as TVMFFIObjectHandle, &[fields.second])
}

fn visit_both(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [visitor, value] = args else { return None };
    let fields = fields_of(value)?;
    ask(api, "ffi.StructuralVisitorVisit", &[*visitor, fields.first])?;
    ask(api, "ffi.StructuralVisitorVisit", &[*visitor, fields.second])
}

fn mutate_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [mutator, value] = args else { return None };
    ask(api, "ffi.StructuralMutatorMutate", &[*mutator, fields_of(value)?.first])
}

/// The data of a node in a graph.
fn to_data(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    ask(api, "ffi.Array", &[view::int(7), view::c_str(LONG), TVMFFIAny::NONE])
}

/// A text that has to be copied by whoever keeps it.
const TEXT: TVMFFIAny = TVMFFIAny::new(kTVMFFIRawStr, 0);

/// Asks the function that a hook is given about these, with [`TEXT`] as the text that it stands for.
fn ask_about(function: &TVMFFIAny, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let args: Vec<_> = args.iter().map(in_full).collect();
    call(api()?, function.payload() as TVMFFIObjectHandle, &args)
}

fn in_full(arg: &TVMFFIAny) -> TVMFFIAny {
    if arg.type_index == kTVMFFIRawStr { view::c_str(LONG) } else { *arg }
}

/// Calls a global function; `None` when it fails.
fn ask(api: &Api, name: &str, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let mut function = std::ptr::null_mut();
    if api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut function) != 0 {
        return None;
    }
    if function.is_null() {
        return raise(api, c"AssertionError", c"a global function is missing");
    }
    let answer = call(api, function, &args.iter().map(in_full).collect::<Vec<_>>());
    release(function);
    answer
}

/// Functions that ask hooks of objects, alone and in containers.
pub(super) fn hooks(t: &Trial, shortage: Shortage) -> Verdict {
    let columns: [(&str, Body); 10] = [
        ("__s_equal__", |api, args| compare_first(api, args, true)),
        ("__s_hash__", mix_first),
        ("__ffi_eq__", |api, args| compare_first(api, args, false)),
        ("__ffi_compare__", |api, args| compare_first(api, args, false)),
        ("__ffi_hash__", hash_both),
        ("__ffi_repr__", quote_first),
        ("__data_to_json__", to_data),
        ("__s_visit__", visit_both),
        ("__s_mutate__", mutate_first),
        ("__any_hash__", |_, _| Some(view::int(7))),
    ];
    let tree = kTVMFFISEqHashKindTreeNode;
    let hooked = changing_node_type_with(t, "verify.hooked while memory is short", tree, [0; 2], copy)?;
    for (column, body) in columns {
        t.set_hook(hooked, column, &t.callback(body)?.any())?;
    }
    // What they ask about is a text of their own.
    let columns: [(&str, Body); 7] = [
        ("__s_equal__", |_, args| ask_about(args.get(2)?, &[TEXT, TEXT, view::int(0), TEXT])),
        ("__s_hash__", |_, args| ask_about(args.get(2)?, &[TEXT, *args.get(1)?, view::int(0)])),
        ("__ffi_eq__", |_, args| ask_about(args.get(2)?, &[TEXT, TEXT])),
        ("__ffi_hash__", |_, args| ask_about(args.get(1)?, &[TEXT])),
        ("__ffi_repr__", |_, args| ask_about(args.get(1)?, &[TEXT])),
        ("__s_visit__", |api, args| ask(api, "ffi.StructuralVisitorVisit", &[*args.first()?, TEXT])),
        ("__s_mutate__", |api, args| ask(api, "ffi.StructuralMutatorMutate", &[*args.first()?, TEXT])),
    ];
    let texts = changing_node_type_with(t, "verify.hooked about texts while memory is short", tree, [0; 2], copy)?;
    for (column, body) in columns {
        t.set_hook(texts, column, &t.callback(body)?.any())?;
    }
    let value = |last: i64| -> Verdict<Owned> {
        let text = t.string(LONG.to_bytes())?;
        let inner = owned(t, hooked, text.any(), view::int(last));
        let about = owned(t, texts, view::int(1), view::int(2));
        let outer = owned(t, hooked, inner.any(), about.any());
        let containers = containers(t, &[outer.any(), inner.any(), about.any()])?;
        t.call_global("ffi.Array", &containers.iter().map(Owned::any).collect::<Vec<_>>())
    };
    let no = || t.own(view::bool(false));
    // Objects whose hook is asked first of all: one that holds another, and one that asks about a text.
    let root = || -> Verdict<Owned> {
        let text = t.string(LONG.to_bytes())?;
        let inner = owned(t, hooked, text.any(), view::int(1));
        Ok(owned(t, hooked, inner.any(), text.any()))
    };
    let asking = || Ok(owned(t, texts, view::int(1), view::int(2)));
    let values: [&dyn Fn() -> Verdict<Owned>; 3] = [&|| value(1), &root, &asking];
    for (value, (name, count, flags)) in values.into_iter().flat_map(|value| {
        let calls = [
            ("ffi.StructuralEqual", 2, 2),
            ("ffi.GetFirstStructuralMismatch", 2, 2),
            ("ffi.StructuralHash", 1, 2),
            ("ffi.RecursiveEq", 2, 0),
            ("ffi.RecursiveLe", 2, 0),
            ("ffi.RecursiveHash", 1, 0),
            ("ffi.ReprPrint", 1, 0),
            ("ffi.StructuralKey", 1, 0),
            ("ffi.DeepCopy", 1, 0),
        ];
        calls.map(move |call| (value, call))
    }) {
        let args = || -> Verdict<Vec<Owned>> {
            let values = (0..count).map(|_| value()).collect::<Verdict<Vec<_>>>()?;
            Ok(values.into_iter().chain((0..flags).map(|_| no())).collect())
        };
        FunctionCall { nodes: &[hooked, texts], ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
    }
    for (value, name) in
        values.into_iter().flat_map(|value| ["ffi.ToJSONGraph", "ffi.ToJSONGraphString"].map(|name| (value, name)))
    {
        let args = || Ok(vec![value()?, t.own(TVMFFIAny::NONE)]);
        FunctionCall { nodes: &[hooked, texts], ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
    }
    values[..2].iter().try_for_each(|value| through(t, shortage, &[hooked, texts], value))
}

/// Walks, visits, maps and mutations of objects.
pub(super) fn visits(t: &Trial, shortage: Shortage) -> Verdict {
    let types = Types::declare(t, "visited")?;
    through(t, shortage, &types.all, &|| whole(t, &types, 1))
}

/// Goes through a value with callbacks that go on, that change integers, and that fail at one.
pub(super) fn through(t: &Trial, shortage: Shortage, nodes: &[i32], value: &dyn Fn() -> Verdict<Owned>) -> Verdict {
    let go_on: Body = |_, _| Some(TVMFFIAny::NONE);
    let more: Body = |_, args| Some(view::int((args.first()?.payload() as i64).wrapping_add(100)));
    let same: Body = |_, args| Some(retain(args.first()?));
    let fail: Body = |api, args| match args.first()?.payload() as i64 {
        -5 | 1 => raise(api, c"ValueError", c"by a callback, with a message that is long"),
        _ => Some(TVMFFIAny::NONE),
    };
    let fail_to_change: Body = |api, _| raise(api, c"ValueError", c"by a callback, with a message that is long");
    // All callbacks, one of which is for integers, in a list of their own.
    let list = |bodies: &[(i32, Body)], is_triple: bool| -> Verdict<Owned> {
        let entry = |&(kind, body): &(i32, Body)| {
            let (kind, body) = (view::int(kind.into()), t.callback(body)?);
            let entry = [kind, body.any(), view::bool(false)];
            t.call_global("ffi.Array", if is_triple { &entry } else { &entry[..2] })
        };
        let entries = bodies.iter().map(entry).collect::<Verdict<Vec<_>>>()?;
        t.call_global("ffi.Array", &entries.iter().map(Owned::any).collect::<Vec<_>>())
    };
    let int = kTVMFFIInt;
    let looks = [(false, go_on), (true, fail)];
    let changes = [(false, more), (false, same), (true, fail_to_change)];
    for (name, fails, body, has_regions) in
        (looks.iter().map(|(fails, body)| ("ffi.StructuralWalk", *fails, *body, true)))
            .chain(looks.iter().map(|(fails, body)| ("ffi.StructuralVisit", *fails, *body, false)))
            .chain(changes.iter().map(|(fails, body)| ("ffi.StructuralMap", *fails, *body, true)))
            .chain(changes.iter().map(|(fails, body)| ("ffi.StructuralMutate", *fails, *body, false)))
    {
        if globals::find(t, name)?.is_none() {
            continue;
        }
        let is_triple = name == "ffi.StructuralMutate";
        for order in if has_regions { &[0, 1][..] } else { &[0] } {
            let bodies = [(int, body), (kTVMFFIStr, same)];
            let bodies = if name.ends_with("Map") || is_triple { &bodies[..] } else { &bodies[..1] };
            let (some, none) = (list(bodies, is_triple)?, list(&[], false)?);
            let args = || -> Verdict<Vec<Owned>> {
                let share = |list: &Owned| reflected::share(t, list.any());
                let mut args = vec![value()?, share(&some)?];
                if has_regions {
                    // Which of them are told the region.
                    let at = if *order == 0 { 2 } else { 1 };
                    args.insert(at, share(&none)?);
                    args.push(t.own(view::int(*order)));
                }
                Ok(args)
            };
            FunctionCall { nodes, fails, is_undone: !fails, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
        }
    }
    Ok(())
}

/// Places of objects that an error has passed through.
pub(super) fn places(t: &Trial, shortage: Shortage) -> Verdict {
    const FIND: &str = "ffi.VisitErrorContext.FindAccessPaths";
    if globals::find(t, FIND)?.is_none() || globals::find(t, "ffi.List")?.is_none() {
        return Ok(());
    }
    let types = Types::declare(t, "found")?;
    for prefix in [false, true] {
        let args = || -> Verdict<Vec<Owned>> {
            let leaf = owned(t, types.tree, view::int(1), view::int(2));
            let inside = containers(t, &[leaf.any()])?;
            let middle = inside.iter().map(|inside| owned(t, types.shared, inside.any(), leaf.any()));
            let middle = middle.collect::<Vec<_>>();
            let all = containers(t, &middle.iter().map(Owned::any).collect::<Vec<_>>())?;
            let root = t.call_global("ffi.Array", &all.iter().map(Owned::any).collect::<Vec<_>>())?;
            let met = t.call_global("ffi.List", &[leaf.any(), middle[0].any(), root.any()])?;
            let index = reflected::type_index(t, "ffi.VisitErrorContext")?;
            let context = reflected::create(t, index)?;
            let field = reflected::field(t, index, "reverse_visit_pattern")?;
            t.ok(reflected::set(t, context.handle(), &field, &met.any())?)?;
            Ok(vec![root, context, t.own(view::bool(prefix))])
        };
        FunctionCall { nodes: &types.all, ..FunctionCall::new(FIND, &args) }.meets(t, shortage)?;
    }
    Ok(())
}
