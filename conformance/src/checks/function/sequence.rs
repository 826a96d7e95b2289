//! Calls one after the other.

use std::collections::BTreeMap;

use crate::{
    checks::check,
    client::{Verdict, inner_call::InnerCall},
    trial::Trial,
};

/// A call of a function that looks into values comes to the same whatever call on this thread was the one before it, and however that ended.
#[check(FUN_0028)]
fn follows_another(t: &Trial) -> Verdict {
    // A full backtrace of each call that fails would take long.
    t.short_backtraces();
    let calls = t.inner_calls()?;
    let come_to = |call: &InnerCall| t.come_to(call.answer(t)?);
    let alone: Vec<_> = calls.calls.iter().map(come_to).collect::<Verdict<_>>()?;
    // Of those that come before, one for each function and each way in which it ends.
    let before: BTreeMap<_, _> = calls.calls.iter().zip(&alone).map(|(call, end)| ((call.name, end), call)).collect();
    for (call, expected) in calls.calls.iter().zip(&alone) {
        for before in before.values() {
            drop(before.answer(t)?);
            let got = come_to(call)?;
            t.eq(format_args!("what {} comes to behind a call of {}", call.name, before.name), &got, expected)?;
        }
    }
    Ok(())
}
