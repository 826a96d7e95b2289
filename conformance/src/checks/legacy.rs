//! The legacy generation: what its library exports. All else is decided in C, with its own headers (`c_fixtures/callers_legacy/`).

use tvm_ffi_spec::{abi::abi, generation::generation};

use crate::{checks::check, client::Verdict, target, trial::Trial};

/// The library exports the 52 functions that headers of the legacy generation declare, and none of today's.
#[check(LEG_0041)]
fn exports(t: &Trial) -> Verdict {
    let exported = target::exports(t.target).map_err(|problem| t.error("the library", problem))?.symbols;
    let legacy = generation("legacy").ok_or_else(|| t.error("the generation", "it is not specified"))?;
    let all = legacy.functions_in(None).into_iter().map(|function| function.name);
    let missing: Vec<_> = all.filter(|name| !exported.contains(name)).collect();
    t.that(
        "exported functions",
        missing.is_empty(),
        "all of the generation",
        format_args!("no {}", missing.join(", ")),
    )?;
    let todays: Vec<_> = exported.iter().filter(|name| abi().function(name).is_some()).map(String::as_str).collect();
    t.that("exported functions of today's", todays.is_empty(), "none", todays.join(", "))
}
