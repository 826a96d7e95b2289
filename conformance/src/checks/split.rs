//! The split generation: what its library exports. All else that only this generation has is decided in C, with its own headers
//! (`c_fixtures/callers_split/`).

use tvm_ffi_spec::generation::{Function, generation};

use crate::{checks::check, client::Verdict, target, trial::Trial};

/// The library exports the 39 functions of the split generation, under the names of its state.
#[check(SPL_0001)]
fn exports(t: &Trial) -> Verdict {
    let exported = target::exports(t.target).map_err(|problem| t.error("the library", problem))?.symbols;
    let split = generation("split").ok_or_else(|| t.error("the generation", "it is not specified"))?;
    let state = split.state(&exported).or(split.states.first());
    // What an earlier state had and a later one has not is missed in the earlier one alone.
    let is_there = |function: &&Function| match (&function.until, state) {
        (Some(until), Some(state)) => *until >= state.since,
        _ => true,
    };
    let all = split.all_functions();
    let missing: Vec<_> = all.iter().filter(is_there).filter(|function| !exported.contains(&function.name)).collect();
    let names: Vec<_> = missing.iter().map(|function| function.name.as_str()).collect();
    t.that("exported functions", missing.is_empty(), "all of the generation", format_args!("no {}", names.join(", ")))
}
