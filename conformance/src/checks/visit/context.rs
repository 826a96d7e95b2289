//! The context of an error: what was being visited, and where below a root that lies.

use tvm_ffi_spec::*;

use super::kit::{POST, PRE, entries, fail};
use crate::{
    checks::check,
    client::{
        Raised, Verdict,
        access_path::Step,
        node::{node, node_type},
        reflected, view,
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
    let cases: [(&[TVMFFIAny], &[Vec<Step>]); 9] = [
        (&[leaf, middle, root], &everywhere[..1]),
        (&[leaf, middle], &everywhere[..1]),
        (&[leaf, root], &everywhere),
        (&[leaf], &everywhere),
        (&[leaf, leaf, root, root], &everywhere),
        (&[middle, root], &to_middle),
        (&[other, middle], &to_other),
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
