//! Regions of definition: which variables a field binds, and which of those in their fields.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        node::{Node, node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

const SIMPLE: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
const PATTERN: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;

/// A type of variables.
fn variables(t: &Trial) -> Verdict<i32> {
    node_type(t, "test.region.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])
}

/// A type whose first field opens a region of definition.
fn binders(t: &Trial, key: &str, flag: i64) -> Verdict<i32> {
    node_type(t, key, kTVMFFISEqHashKindTreeNode, [flag, 0])
}

/// Expects two objects to be structurally equal, with one hash, or not to be equal.
fn equal(t: &Trial, what: &str, lhs: &Homemade<Node>, rhs: &Homemade<Node>, expected: bool) -> Verdict {
    t.eq(what, t.structural_equal(&lhs.view(), &rhs.view(), false)?, expected)?;
    t.eq(format_args!("{what}, the other way round"), t.structural_equal(&rhs.view(), &lhs.view(), false)?, expected)?;
    if expected {
        let hash = |node: &Homemade<Node>| t.structural_hash(&node.view(), false);
        t.eq(format_args!("{what}: the hash"), hash(rhs)?, hash(lhs)?)?;
    }
    Ok(())
}

/// A field flagged SEqHashDefSimple binds its variable, and the variables in that variable's fields stay what they are.
#[check(SEQ_0038)]
fn simple(t: &Trial) -> Verdict {
    let (kind, lambda) = (variables(t)?, binders(t, "test.region.Simple", SIMPLE)?);
    let of = |within: TVMFFIAny| node(kind, within, view::int(0));
    let (n, m, free) = (of(view::int(1)), of(view::int(1)), of(view::int(1)));
    let function = |bound: &Homemade<Node>, used: &Homemade<Node>| node(lambda, bound.view(), used.view());
    equal(t, "functions that differ in what they bind", &function(&n, &n), &function(&m, &m), true)?;
    equal(t, "one that uses another variable", &function(&n, &n), &function(&m, &free), false)?;
    let (x, y, z) = (of(n.view()), of(n.view()), of(m.view()));
    equal(t, "variables with one variable in them", &function(&x, &x), &function(&y, &y), true)?;
    equal(t, "variables with unlike variables in them", &function(&x, &x), &function(&z, &z), false)
}

/// A field flagged SEqHashDefSimple binds the variable that stands in a container or another object there, on whatever level, and the
/// variables in that variable's fields stay what they are.
#[check(SEQ_0038)]
fn simple_around_the_variable(t: &Trial) -> Verdict {
    let (kind, lambda) = (variables(t)?, binders(t, "test.region.Simple", SIMPLE)?);
    let of = |within: TVMFFIAny| node(kind, within, view::int(0));
    let (n, m) = (of(view::int(1)), of(view::int(1)));
    let (x, z) = (of(n.view()), of(m.view()));
    each_wrapping(t, &|what, wrap| {
        binds_wrapped(t, kind, lambda, what, wrap)?;
        let function = |variable: &Homemade<Node>| -> Verdict<Homemade<Node>> {
            Ok(node(lambda, wrap(&variable.view())?.any(), variable.view()))
        };
        equal(t, &format!("variables with unlike variables in them, {what}"), &function(&x)?, &function(&z)?, false)
    })
}

/// A field flagged SEqHashDefPattern binds the variable that stands in a container or another object there, on whatever level.
#[check(SEQ_0020)]
fn pattern_around_the_variable(t: &Trial) -> Verdict {
    let (kind, lambda) = (variables(t)?, binders(t, "test.region.Pattern", PATTERN)?);
    each_wrapping(t, &|what, wrap| binds_wrapped(t, kind, lambda, what, wrap))
}

/// Puts a value into something else.
type Wrap<'a> = &'a dyn Fn(&TVMFFIAny) -> Verdict<Owned>;

/// Hands each way to have a value two levels deep to a test: in containers, and in objects.
fn each_wrapping(t: &Trial, test: &dyn Fn(&str, Wrap<'_>) -> Verdict) -> Verdict {
    let wrapper = node_type(t, "test.region.Wrapper", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    // What is no place is an object. A key is compared as keys are.
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    let places: Vec<_> = places.map(Some).chain([None]).collect();
    let put = |place: Option<Place>, value: &TVMFFIAny| match place {
        Some(place) => place.put(t, value),
        None => Ok(t.own(node(wrapper, *value, view::int(0)).view())),
    };
    for (outer, inner) in places.iter().flat_map(|outer| places.iter().map(|inner| (*outer, *inner))) {
        let name = |place: Option<Place>| place.map_or("InObject".to_owned(), |place| format!("{place:?}"));
        test(&format!("{} {}", name(inner), name(outer)), &|value| put(outer, &put(inner, value)?.any()))?;
    }
    Ok(())
}

/// Expects functions of variables that are wrapped to bind them.
fn binds_wrapped(t: &Trial, kind: i32, lambda: i32, what: &str, wrap: Wrap<'_>) -> Verdict {
    let [n, m, free] = [(); 3].map(|()| node(kind, view::int(1), view::int(0)));
    let function = |bound: &Homemade<Node>, used: &Homemade<Node>| -> Verdict<Homemade<Node>> {
        Ok(node(lambda, wrap(&bound.view())?.any(), used.view()))
    };
    equal(t, &format!("functions that bind {what}"), &function(&n, &n)?, &function(&m, &m)?, true)?;
    equal(t, &format!("one that uses another variable, {what}"), &function(&n, &n)?, &function(&m, &free)?, false)
}

/// A field flagged SEqHashDefPattern binds its variable and the variables in that variable's fields.
#[check(SEQ_0039)]
fn pattern(t: &Trial) -> Verdict {
    let (kind, lambda) = (variables(t)?, binders(t, "test.region.Pattern", PATTERN)?);
    binds_within(t, kind, |variable, used| node(lambda, variable.view(), used.view()))
}

/// A field flagged SEqHashDefSimple within one flagged SEqHashDefPattern binds as the pattern does.
#[check(SEQ_0040)]
fn simple_within_pattern(t: &Trial) -> Verdict {
    let kind = variables(t)?;
    let (outer, inner) = (binders(t, "test.region.Outer", PATTERN)?, binders(t, "test.region.Inner", SIMPLE)?);
    binds_within(t, kind, |variable, used| node(outer, node(inner, variable.view(), view::int(0)).view(), used.view()))
}

/// Expects functions to bind the variables in the fields of the variable that they bind.
fn binds_within(
    t: &Trial,
    kind: i32,
    function: impl Fn(&Homemade<Node>, &Homemade<Node>) -> Homemade<Node>,
) -> Verdict {
    let of = |within: TVMFFIAny| node(kind, within, view::int(0));
    let (n, m, free) = (of(view::int(1)), of(view::int(1)), of(view::int(1)));
    let (x, y) = (of(n.view()), of(m.view()));
    equal(t, "functions that use what is in their variables", &function(&x, &n), &function(&y, &m), true)?;
    equal(t, "one that uses another variable", &function(&x, &n), &function(&y, &free), false)
}
