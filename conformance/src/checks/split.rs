//! The split generation: what its library exports. All else that only this generation has is decided in C, with its own headers
//! (`c_fixtures/callers_split/`).

use tvm_ffi_spec::generation::generation;

use crate::{checks::check, client::Verdict, target, trial::Trial};

/// The library exports the 39 functions of the split generation, under the names of its state.
#[check(SPL_0001)]
fn exports(t: &Trial) -> Verdict {
    let exported = target::exports(t.target).map_err(|problem| t.error("the library", problem))?.symbols;
    let split = generation("split").ok_or_else(|| t.error("the generation", "it is not specified"))?;
    let all = split.functions_in(split.state(&exported)).into_iter().map(|function| function.name);
    let missing: Vec<_> = all.filter(|name| !exported.contains(name)).collect();
    t.that("exported functions", missing.is_empty(), "all of the generation", format_args!("no {}", missing.join(", ")))
}
