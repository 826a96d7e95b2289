//! Cycles, depth, what is left behind, and calls that are refused.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, model::Value, view},
    trial::Trial,
};

/// Comparing, hashing and printing Lists and Dicts that contain themselves ends, with an answer or an error.
#[check(REC_0029)]
fn cycles_end(t: &Trial) -> Verdict {
    let orders = ["ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"];
    t.each_cycle(|lhs, rhs| {
        t.returns("ffi.RecursiveHash", &[*lhs])?;
        t.returns("ffi.ReprPrint", &[*lhs])?;
        t.returns("ffi.RecursiveEq", &[*lhs, *rhs])?;
        orders.iter().try_for_each(|name| t.returns(name, &[*lhs, *rhs]))
    })
}

/// Values three hundred levels deep are compared, copied and printed.
#[check(REC_0030)]
fn deep(t: &Trial) -> Verdict {
    let nested = || t.nested("ffi.List", 300, TVMFFIAny::NONE);
    let (lhs, rhs) = (nested()?, nested()?);
    let copy = t.call_global("ffi.DeepCopy", &[lhs.any()])?;
    for other in [&rhs, &copy] {
        let equal = t.call_global("ffi.RecursiveEq", &[lhs.any(), other.any()])?;
        t.any_eq("whether they are equal", &equal.any(), &view::bool(true))?;
    }
    let text = t.text(&t.call_global("ffi.ReprPrint", &[lhs.any()])?.any())?;
    t.eq("the length of the printed form", text.len(), 604)
}

/// Comparing, hashing, copying and printing a value of 10,000 levels ends, with an answer or an error.
#[check(REC_0031)]
fn far_too_deep(t: &Trial) -> Verdict {
    let nested = t.nested("ffi.List", 10_000, TVMFFIAny::NONE)?;
    for function in ["ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint"] {
        t.returns(function, &[nested.any()])?;
    }
    let twin = t.nested("ffi.List", 10_000, TVMFFIAny::NONE)?;
    for function in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveGe"] {
        t.returns(function, &[nested.any(), twin.any()])?;
    }
    Ok(())
}

/// Comparing, hashing, copying and printing leave no memory behind.
#[check(REC_0032)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::Map(vec![(Value::str("a string on the heap"), Value::List(vec![Value::Int(1)]))]);
    t.no_growth("comparing, hashing, copying and printing", || {
        let value = value.build(t)?;
        let copy = t.call_global("ffi.DeepCopy", &[value.any()])?;
        t.call_global("ffi.RecursiveEq", &[value.any(), copy.any()])?;
        t.call_global("ffi.RecursiveHash", &[value.any()])?;
        t.call_global("ffi.ReprPrint", &[value.any()]).map(drop)
    })
}

/// Recursive functions called without arguments raise a TypeError.
#[check(REC_0033)]
fn arguments(t: &Trial) -> Verdict {
    let orders = ["ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"];
    let others = ["ffi.DeepCopy", "ffi.ReprPrint", "ffi.RecursiveHash", "ffi.RecursiveEq"];
    for name in others.into_iter().chain(orders) {
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&t.global(name)?, &[], &mut result);
        t.raises(code, &["TypeError"])?;
    }
    Ok(())
}
