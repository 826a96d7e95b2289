//! The context of an error: what was being visited, and where below a root that lies.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{POST, PRE, entries, fail, triples};
use crate::{
    checks::check,
    client::{
        Owned, Raised, Verdict,
        access_path::Step,
        api::Api,
        callback::{Body, call},
        homemade::{Homemade, release},
        node::{changing_node_type, node, node_type},
        reflected,
        samples::Place,
        view,
    },
    trial::Trial,
};

const CONTEXT: &str = "ffi.VisitErrorContext";

/// `ffi.VisitErrorContext.FindAccessPaths` finds each place where the objects of a context lie one inside the other.
#[check(VIS_0039)]
fn paths(t: &Trial) -> Verdict {
    let kind = visited(t)?;
    let leaf = node(kind, view::int(1), view::int(2));
    let other = node(kind, view::int(3), view::int(4));
    let array = t.call_global("ffi.Array", &[view::int(0), leaf.view()])?;
    let map = t.call_global("ffi.Map", &[t.string(b"key")?.any(), leaf.view()])?;
    let middle = node(kind, array.any(), other.view());
    let root = node(kind, middle.view(), map.any());
    let [leaf, other, middle, root] = [leaf.view(), other.view(), middle.view(), root.view()];

    let through_middle = vec![Step::attr("first"), Step::attr("first"), Step::item(1)];
    let through_map = vec![Step::attr("second"), Step::entry("key")];
    let everywhere = [through_middle.clone(), through_map];
    let to_middle = [vec![Step::attr("first")]];
    let to_other = [vec![Step::attr("first"), Step::attr("second")]];
    let to_root = [vec![]];
    let cases: [(&[TVMFFIAny], &[Vec<Step>]); 11] = [
        (&[leaf, middle, root], &everywhere[..1]),
        (&[leaf, middle], &everywhere[..1]),
        (&[leaf, root], &everywhere),
        (&[leaf], &everywhere),
        (&[leaf, leaf, root, root], &everywhere),
        (&[middle, root], &to_middle),
        (&[other, middle], &to_other),
        (&[root], &to_root),
        (&[root, root], &to_root),
        (&[middle, leaf], &[]),
        (&[leaf, other], &[]),
    ];
    for (objects, expected) in cases {
        let found = paths_to(t, &root, objects, false)?;
        t.eq("number of paths", found.len(), expected.len())?;
        for path in expected {
            t.that("paths", found.contains(path), format_args!("{path:?} among them"), format_args!("{found:?}"))?;
        }
    }
    Ok(())
}

/// `ffi.VisitErrorContext.FindAccessPaths` finds places in containers that a context lists, or that are the root.
#[check(VIS_0039)]
fn paths_in_listed_containers(t: &Trial) -> Verdict {
    let kind = visited(t)?;
    for name in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let leaf = node(kind, view::int(1), view::int(2));
        let key = t.string(b"key")?;
        let (parts, inside) = match name {
            "ffi.Array" | "ffi.List" => (vec![view::int(0), leaf.view()], Step::item(1)),
            _ => (vec![key.any(), leaf.view()], Step::entry("key")),
        };
        let container = t.call_global(name, &parts)?;
        let outer = t.call_global("ffi.Array", &[container.any()])?;
        let root = node(kind, view::int(3), outer.any());
        let [leaf, container, outer, root] = [leaf.view(), container.any(), outer.any(), root.view()];
        let to_container = vec![Step::attr("second"), Step::item(0)];
        let to_leaf = [to_container.clone(), vec![inside.clone()]].concat();
        let cases: [(&[TVMFFIAny], TVMFFIAny, Vec<Step>); 11] = [
            (&[container], container, vec![]),
            (&[leaf], leaf, vec![]),
            (&[leaf, container], root, to_leaf.clone()),
            (&[leaf, container, outer], root, to_leaf.clone()),
            (&[leaf, leaf, container, container, outer, root], root, to_leaf),
            (&[container], root, to_container.clone()),
            (&[container, outer, root], root, to_container),
            (&[leaf], container, vec![inside.clone()]),
            (&[leaf, container], container, vec![inside.clone()]),
            (&[leaf, outer], outer, vec![Step::item(0), inside.clone()]),
            (&[leaf, container, outer], outer, vec![Step::item(0), inside]),
        ];
        for (number, (objects, root, expected)) in cases.into_iter().enumerate() {
            let found = paths_to(t, &root, objects, false)?;
            t.eq(format_args!("paths through what {name} makes, case {number}"), found, vec![expected])?;
        }
        for objects in [&[container, leaf][..], &[outer, container, leaf], &[leaf, root]] {
            let found = paths_to(t, &outer, objects, false)?;
            t.eq(format_args!("paths to what does not lie so in what {name} makes"), found, vec![])?;
        }
    }
    Ok(())
}

/// `ffi.VisitErrorContext.FindAccessPaths` finds each of many places of one object, side by side and below what stands in many places.
#[check(VIS_0039)]
fn many_paths(t: &Trial) -> Verdict {
    let kind = visited(t)?;
    let leaf = node(kind, view::int(1), view::int(2));
    let middle = node(kind, TVMFFIAny::NONE, leaf.view());
    for (name, count) in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"]
        .into_iter()
        .flat_map(|name| [1_usize, 2, 8, 9, 17, 40].map(|count| (name, count)))
    {
        let is_map = name == "ffi.Map" || name == "ffi.Dict";
        let keys = (0..count).map(|at| t.string(format!("key {at}").as_bytes())).collect::<Verdict<Vec<_>>>()?;
        let step = |at: usize| if is_map { Step::entry(&format!("key {at}")) } else { Step::item(at as i64) };
        let holding = |value: TVMFFIAny| {
            let args = keys.iter().flat_map(|key| if is_map { vec![key.any(), value] } else { vec![value] });
            t.call_global(name, &args.collect::<Vec<_>>())
        };
        let (leaves, middles) = (holding(leaf.view())?, holding(middle.view())?);
        let root = node(kind, leaves.any(), middles.any());
        let (leaf, middle, root) = (leaf.view(), middle.view(), root.view());
        let direct: Vec<_> = (0..count).map(|at| vec![Step::attr("first"), step(at)]).collect();
        let to_middle: Vec<_> = (0..count).map(|at| vec![Step::attr("second"), step(at)]).collect();
        let through: Vec<_> = to_middle.iter().map(|path| [&path[..], &[Step::attr("second")]].concat()).collect();
        let what = format!("an object that stands {count} times in {name}");
        finds(t, &what, &root, &[leaf, root], &[&direct[..], &through].concat())?;
        finds(t, &format!("{what}, below another"), &root, &[leaf, middle, root], &through)?;
        finds(t, &format!("{what}, and holds another"), &root, &[middle, root], &to_middle)?;
    }
    Ok(())
}

/// `ffi.VisitErrorContext.FindAccessPaths` finds the place of an object within the outer objects of a context also where it has met it
/// before outside of them, and that place alone.
#[check(VIS_0039)]
fn paths_to_what_stands_outside_too(t: &Trial) -> Verdict {
    const KINDS: [&str; 6] = ["nothing", "a field", "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let kind = visited(t)?;
    let leaf = node(kind, view::int(1), view::int(2));
    for (near, far) in KINDS.iter().flat_map(|near| KINDS.map(|far| (*near, far))) {
        let (inner, below) = around(t, kind, near, leaf.view())?;
        let (shared, above) = around(t, kind, far, inner.any())?;
        let passed = node(kind, view::int(3), shared.any());
        let to_leaf = [above, below].concat();
        for outside_first in [true, false] {
            let (root, outside, inside) = if outside_first {
                (node(kind, shared.any(), passed.view()), "first", "second")
            } else {
                (node(kind, passed.view(), shared.any()), "second", "first")
            };
            let (leaf, passed, root) = (leaf.view(), passed.view(), root.view());
            let outside = [&[Step::attr(outside)][..], &to_leaf].concat();
            let inside = [&[Step::attr(inside), Step::attr("second")][..], &to_leaf].concat();
            let when = if outside_first { "before" } else { "later" };
            let what = format!("an object in {near} in {far}, which is also met outside {when}");
            finds(t, &what, &root, &[leaf, passed], std::slice::from_ref(&inside))?;
            finds(t, &what, &root, &[leaf, passed, root], std::slice::from_ref(&inside))?;
            finds(t, &what, &root, &[leaf, root], &[outside, inside])?;
            finds(t, &what, &root, &[passed, leaf], &[])?;
        }
    }
    Ok(())
}

/// `ffi.VisitErrorContext.FindAccessPaths` finds an object at each of its places in a root of any kind, also where that has one container or
/// object of any kind several times, with the object in it several times.
#[check(VIS_0039)]
fn places_in_every_root(t: &Trial) -> Verdict {
    const KINDS: [&str; 5] = ["a field", "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let kind = visited(t)?;
    let leaf = node(kind, view::int(1), view::int(2));
    for (outer, inner, count) in
        KINDS.iter().flat_map(|outer| KINDS.iter().flat_map(move |inner| [2, 5].map(|count| (*outer, *inner, count))))
    {
        let (middle, below) = repeated(t, kind, inner, leaf.view(), count)?;
        let (root, above) = repeated(t, kind, outer, middle.any(), count)?;
        let one = |step: &Step| vec![step.clone()];
        let to_middle: Vec<_> = above.iter().map(one).collect();
        let from_middle: Vec<_> = below.iter().map(one).collect();
        let all: Vec<_> = above.iter().flat_map(|up| below.iter().map(|down| vec![up.clone(), down.clone()])).collect();
        let (leaf, middle, root) = (leaf.view(), middle.any(), root.any());
        let what = format!("an object that stands {count} times in {inner}, which stands so in {outer}");
        finds(t, &what, &middle, &[leaf], &from_middle)?;
        finds(t, &what, &middle, &[leaf, middle], &from_middle)?;
        finds(t, &what, &root, &[leaf], &all)?;
        finds(t, &what, &root, &[leaf, middle, root], &all)?;
        finds(t, &what, &root, &[leaf, root], &all)?;
        finds(t, &format!("{what}, itself"), &root, &[middle, root], &to_middle)?;
    }
    Ok(())
}

/// A value several times in something of that kind, twice in fields, with the steps to it from there.
fn repeated(t: &Trial, kind: i32, name: &str, value: TVMFFIAny, count: usize) -> Verdict<(Owned, Vec<Step>)> {
    let keys = (0..count).map(|at| t.string(format!("key {at}").as_bytes())).collect::<Verdict<Vec<_>>>()?;
    Ok(match name {
        "a field" => (t.own(node(kind, value, value).view()), vec![Step::attr("first"), Step::attr("second")]),
        "ffi.Array" | "ffi.List" => {
            (t.call_global(name, &vec![value; count])?, (0..count).map(|at| Step::item(at as i64)).collect())
        }
        _ => {
            let entries: Vec<_> = keys.iter().flat_map(|key| [key.any(), value]).collect();
            (t.call_global(name, &entries)?, (0..count).map(|at| Step::entry(&format!("key {at}"))).collect())
        }
    })
}

/// Expects just these paths, in whatever order.
fn finds(t: &Trial, what: &str, root: &TVMFFIAny, objects: &[TVMFFIAny], expected: &[Vec<Step>]) -> Verdict {
    let found = paths_to(t, root, objects, false)?;
    t.eq(format_args!("number of paths to {what}"), found.len(), expected.len())?;
    for path in expected {
        t.that(
            format_args!("paths to {what}"),
            found.contains(path),
            format_args!("{path:?} among them"),
            format_args!("{found:?}"),
        )?;
    }
    Ok(())
}

/// A value in something of that kind, with the steps to it from there.
fn around(t: &Trial, kind: i32, name: &str, value: TVMFFIAny) -> Verdict<(Owned, Vec<Step>)> {
    Ok(match name {
        "nothing" => (Place::Alone.put(t, &value)?, vec![]),
        "a field" => (t.own(node(kind, view::int(3), value).view()), vec![Step::attr("second")]),
        "ffi.Array" | "ffi.List" => (t.call_global(name, &[view::int(0), value])?, vec![Step::item(1)]),
        _ => (t.call_global(name, &[view::c_str(c"key"), value])?, vec![Step::entry("key")]),
    })
}

/// `ffi.VisitErrorContext.FindAccessPaths` finds a place where only the outer objects of a context lie, if it is asked to.
#[check(VIS_0040)]
fn paths_to_prefixes(t: &Trial) -> Verdict {
    let kind = visited(t)?;
    let lost = node(kind, view::int(1), view::int(2));
    let leaf = node(kind, view::int(3), view::int(4));
    let root = node(kind, view::int(5), leaf.view());
    let objects = [lost.view(), leaf.view(), root.view()];
    t.eq("paths to whole matches", paths_to(t, &root.view(), &objects, false)?, vec![])?;
    t.eq("paths to prefixes", paths_to(t, &root.view(), &objects, true)?, vec![vec![Step::attr("second")]])?;
    t.eq("paths where nothing matches", paths_to(t, &root.view(), &objects[..1], true)?, vec![])?;
    t.eq("paths to a whole match", paths_to(t, &root.view(), &objects[1..], true)?, vec![vec![Step::attr("second")]])
}

/// The error of a callback that ends a structural walk tells in which object the callback was called.
#[check(VIS_0041)]
fn left_by_callbacks(t: &Trial) -> Verdict {
    let kind = visited(t)?;
    let leaf = node(kind, view::int(1), view::int(2));
    let root = node(kind, TVMFFIAny::NONE, leaf.view());
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, fail)])?, entries(t, &[])?);
    for order in [PRE, POST] {
        let args = [root.view(), callbacks.any(), none.any(), view::int(order)];
        let raised = t.refuses("ffi.StructuralWalk", &args, &["KeyError"])?;
        let found = find(t, &root.view(), &context_of(t, &raised)?, false)?;
        t.eq("paths to where the callback failed", found, vec![vec![Step::attr("second")]])?;
    }
    Ok(())
}

/// The error of a callback that ends a visit, a map or a mutation tells in which object the callback was called.
#[check(VIS_0053)]
fn left_by_every_engine(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.Mutated", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let leaf = node(kind, view::int(1), view::int(2));
    let root = node(kind, TVMFFIAny::NONE, leaf.view());
    for (name, args, _lists) in failing(t, &root.view(), fail)? {
        let raised = t.refuses(name, &args, &["KeyError"])?;
        let found = find(t, &root.view(), &context_of(t, &raised)?, false)?;
        t.eq(format_args!("paths to where a callback of {name} failed"), found, vec![vec![Step::attr("second")]])?;
    }
    Ok(())
}

/// The error of a callback that ends a walk, a visit, a map or a mutation tells its place also in and below containers.
#[check(VIS_0041, VIS_0053)]
fn left_in_containers(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.Mutated", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for name in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let key = t.string(b"key")?;
        let within = |value: TVMFFIAny| match name {
            "ffi.Array" | "ffi.List" => t.call_global(name, &[TVMFFIAny::NONE, value]),
            _ => t.call_global(name, &[key.any(), value]),
        };
        let inside = if name == "ffi.Array" || name == "ffi.List" { Step::item(1) } else { Step::entry("key") };
        let leaf = node(kind, TVMFFIAny::NONE, view::int(1));
        let (holds_the_value, holds_a_node) = (within(view::int(1))?, within(leaf.view())?);
        let cases = [(&holds_the_value, vec![]), (&holds_a_node, vec![inside])];
        for (container, below) in cases {
            let root = node(kind, TVMFFIAny::NONE, container.any());
            for (root, path) in
                [(root.view(), [vec![Step::attr("second")], below.clone()].concat()), (container.any(), below.clone())]
            {
                for (engine, args, _lists) in failing(t, &root, fail)? {
                    let raised = t.refuses(engine, &args, &["KeyError"])?;
                    let found = find(t, &root, &context_of(t, &raised)?, false)?;
                    let what = format!("paths to where a callback of {engine} failed within what {name} makes");
                    t.eq(what, found, vec![path.clone()])?;
                }
            }
        }
    }
    Ok(())
}

/// The error of a callback that has ended other walks, visits, maps or mutations before tells of each one in which object of its value the callback was
/// called.
#[check(VIS_0041, VIS_0053)]
fn left_by_an_error_that_is_raised_again(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.Mutated", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let error = t.new_error("KeyError", "by the callback", "")?;
    EARLIER.store(error.handle(), Ordering::Release);
    let shared = node(kind, view::int(1), view::int(2));
    for (round, depth) in [1, 2, 4, 2, 1].into_iter().enumerate() {
        // In every other round the callback is called in an object that the value before had, too.
        let mut root = if round % 2 == 0 { node(kind, view::int(1), view::int(2)).view() } else { shared.view() };
        for _ in 0..depth {
            root = node(kind, TVMFFIAny::NONE, root).view();
        }
        let expected = vec![Step::attr("second"); depth];
        for (name, args, _lists) in failing(t, &root, raise_earlier)? {
            t.clause(if name == "ffi.StructuralWalk" { id::VIS_0041 } else { id::VIS_0053 });
            let raised = t.refuses(name, &args, &["KeyError"])?;
            let found = find(t, &root, &context_of(t, &raised)?, false)?;
            let what = format!("paths to where a callback of {name} failed {depth} deep, in value {round}");
            t.eq(what, found, vec![expected.clone()])?;
        }
    }
    Ok(())
}

/// Raises the error that the check keeps alive.
fn raise_earlier(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    api.TVMFFIErrorSetRaised(EARLIER.load(Ordering::Acquire));
    None
}

/// What was the extra context of a callback's error before is still there, in its place or behind the new one.
#[check(VIS_0054)]
fn earlier_context_is_kept(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.Mutated", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let root = node(kind, TVMFFIAny::NONE, node(kind, view::int(1), view::int(2)).view());
    let index = reflected::type_index(t, CONTEXT)?;
    let field = reflected::field(t, index, "prev_error_context")?;
    for (name, args, _lists) in failing(t, &root.view(), fail_with_context)? {
        let earlier = Homemade::new(kTVMFFIObject, ());
        EARLIER.store(earlier.handle(), Ordering::Release);
        let raised = t.refuses(name, &args, &["KeyError"])?;
        let cell: TVMFFIErrorCell = t.cell("error cell", raised.object.handle())?;
        if cell.extra_context != earlier.handle() {
            let context = context_of(t, &raised)?;
            let behind = reflected::get(t, context.payload() as TVMFFIObjectHandle, &field)?;
            t.any_eq(format_args!("the context that the error of {name} had before"), &behind.any(), &earlier.view())?;
        }
        drop(raised);
        t.eq(format_args!("counts of that context after {name}"), earlier.counts(), (1, 1))?;
    }
    Ok(())
}

/// What was the extra context of an error before is still there, in its place or behind others, when the error has left a walk, a visit, a map or a
/// mutation within a callback of another.
#[check(VIS_0054)]
fn earlier_context_is_kept_by_two(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.Mutated", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let roots = [1, 2].map(|number| node(kind, TVMFFIAny::NONE, node(kind, view::int(number), view::int(7)).view()));
    let index = reflected::type_index(t, CONTEXT)?;
    let field = reflected::field(t, index, "prev_error_context")?;
    for (inner_name, args, _inner_lists) in failing(t, &roots[0].view(), fail_with_context)? {
        let function = t.global(inner_name)?;
        let inner = Inner { function: function.handle(), args };
        INNER.store((&raw const inner).cast_mut(), Ordering::Release);
        for (name, args, _lists) in failing(t, &roots[1].view(), walk_within)? {
            let earlier = Homemade::new(kTVMFFIObject, ());
            EARLIER.store(earlier.handle(), Ordering::Release);
            let raised = t.refuses(name, &args, &["KeyError"])?;
            let cell: TVMFFIErrorCell = t.cell("error cell", raised.object.handle())?;
            let (mut context, mut behind) = (cell.extra_context, Vec::new());
            while context != earlier.handle() {
                let what =
                    format!("a context of the error of {inner_name} that has left {name}, behind which the former is");
                t.that(&what, !context.is_null() && behind.len() < 8, "there", format!("{} others", behind.len()))?;
                t.type_index_eq(&what, t.header(context)?.type_index, index)?;
                let next = reflected::get(t, context, &field)?;
                context = next.handle();
                behind.push(next);
            }
            drop((behind, raised));
            t.eq(format_args!("counts of that context after {inner_name} in {name}"), earlier.counts(), (1, 1))?;
        }
    }
    Ok(())
}

/// A call that a callback makes.
struct Inner {
    function: TVMFFIObjectHandle,
    args: Vec<TVMFFIAny>,
}

/// What [`walk_within`] calls, which the check keeps as long as it may be asked.
static INNER: AtomicPtr<Inner> = AtomicPtr::new(null_mut());

/// Walks through another value, and answers or fails as that does.
fn walk_within(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    // SAFETY: the check has stored it, and keeps it until the call that leads here has returned.
    let Inner { function, args } = unsafe { &*INNER.load(Ordering::Acquire) };
    call(api, *function, args)
}

/// The extra context of errors of [`fail_with_context`], or the error of [`raise_earlier`], which the check keeps alive.
static EARLIER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Fails with an error that has an extra context.
fn fail_with_context(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [kind, message] = ["KeyError", "by the callback"].map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let (context, mut error) = (EARLIER.load(Ordering::Acquire), null_mut());
    api.TVMFFIErrorCreateWithCauseAndExtraContext(
        &kind,
        &message,
        &TVMFFIByteArray::EMPTY,
        null_mut(),
        context,
        &mut error,
    );
    api.TVMFFIErrorSetRaised(error);
    release(error);
    None
}

/// A call of a function: its name, its arguments, and what owns them.
type Call = (&'static str, Vec<TVMFFIAny>, [Owned; 2]);

/// Walks, a visit, maps and a mutation with a callback for integers.
fn failing(t: &Trial, value: &TVMFFIAny, callback: Body) -> Verdict<Vec<Call>> {
    let mut all: Vec<Call> = Vec::new();
    for name in ["ffi.StructuralWalk", "ffi.StructuralMap"] {
        for order in [PRE, POST] {
            let lists = [entries(t, &[(kTVMFFIInt, callback)])?, entries(t, &[])?];
            let [some, none] = lists.each_ref().map(Owned::any);
            all.push((name, vec![*value, some, none, view::int(order)], lists));
        }
    }
    let visit = [entries(t, &[(kTVMFFIInt, callback)])?, entries(t, &[])?];
    all.push(("ffi.StructuralVisit", vec![*value, visit[0].any()], visit));
    let mutate = [triples(t, &[(kTVMFFIInt, callback)])?, entries(t, &[])?];
    all.push(("ffi.StructuralMutate", vec![*value, mutate[0].any()], mutate));
    Ok(all)
}

/// A type of objects with two fields that are searched.
fn visited(t: &Trial) -> Verdict<i32> {
    node_type(t, "verify.Visited", kTVMFFISEqHashKindTreeNode, [0, 0])
}

/// The paths that are found for a context that lists these objects, the innermost first.
fn paths_to(t: &Trial, root: &TVMFFIAny, objects: &[TVMFFIAny], prefixes: bool) -> Verdict<Vec<Vec<Step>>> {
    let index = reflected::type_index(t, CONTEXT)?;
    let context = reflected::create(t, index)?;
    let pattern = t.call_global("ffi.List", objects)?;
    let field = reflected::field(t, index, "reverse_visit_pattern")?;
    t.ok(reflected::set(t, context.handle(), &field, &pattern.any())?)?;
    find(t, root, &context.any(), prefixes)
}

fn find(t: &Trial, root: &TVMFFIAny, context: &TVMFFIAny, prefixes: bool) -> Verdict<Vec<Vec<Step>>> {
    let args = [*root, *context, view::bool(prefixes)];
    t.paths_in(&t.call_global("ffi.VisitErrorContext.FindAccessPaths", &args)?)
}

/// The context of an error, which keeps it.
fn context_of(t: &Trial, raised: &Raised) -> Verdict<TVMFFIAny> {
    let cell: TVMFFIErrorCell = t.cell("error cell", raised.object.handle())?;
    let context = TVMFFIAny::new(reflected::type_index(t, CONTEXT)?, cell.extra_context as u64);
    t.type_index_eq("type_index of the error's context", t.header(cell.extra_context)?.type_index, context.type_index)?;
    Ok(context)
}
