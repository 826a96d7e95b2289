//! The calls that a hostile client makes: variations of a good call, each different in one thing, or calls that are legal of any
//! function, where no good call is known.
//!
//! Every value is what it says it is, but for NULL. What an integer, or a pointer, means is the function's own: such values are only
//! passed where it is known that the function takes something else, and integers are never varied.

mod scenario;
mod tensors;
mod values;

use tvm_ffi_reports::kernel::rules;
use tvm_ffi_spec::kDLCUDA;

pub use scenario::{Aim, Scenario};
use scenario::{is_tensor_of_the_host, of, scenario};

use super::{
    errand::Step,
    given::{Form, Given, Tensor},
};

/// A good call, and what is known of the parameters.
#[derive(Clone, Debug)]
pub struct Good {
    pub args: Vec<Given>,
    /// For each parameter, whether a pointer may be what it takes.
    pub pointers: Vec<bool>,
}

/// Calls that are legal of any function.
pub fn of_unknown() -> Vec<Scenario> {
    const TENSORS: usize = 6;
    let tensors = |name: &'static str, tensor: Tensor| {
        (1..=TENSORS).map(move |count| {
            let plural = if count == 1 { "" } else { "s" };
            let args = vec![Given::Tensor(tensor.clone()); count];
            of(format!("{count} {name}{plural}"), &rules::WRONG_COUNT, args)
        })
    };
    let one = values::kinds()
        .into_iter()
        .map(|(name, given)| of(format!("one argument, {name}"), &rules::WRONG_KIND, vec![given]));
    let none = of("no arguments", &rules::WRONG_COUNT, Vec::new());
    let all = [none].into_iter().chain(one).chain(tensors("tensor", Tensor::usual()));
    let all = all.chain(tensors("Tensor", Tensor { form: Form::Object, ..Tensor::usual() }));
    all.chain(tensors("tensor of a device", Tensor { device: (kDLCUDA, 0), ..Tensor::usual() })).collect()
}

/// Whether a call is one of tensors of the host alone, as a good client may make it of a function that takes tensors.
pub fn may_be_good(args: &[Given]) -> bool {
    !args.is_empty() && args.iter().all(|given| *given == args[0]) && is_tensor_of_the_host(&args[0])
}

/// A call that was survived once more, with a number in the result.
pub fn into_a_number(step: &Step) -> Scenario {
    let dirty = Step { dirty: true, ..step.clone() };
    scenario("with a number in the result", &rules::RESULT_SLOT, vec![dirty], Aim::Either)
}

/// Variations of a good call.
pub fn of_good(good: &Good) -> Vec<Scenario> {
    let args: Vec<_> = good.args.iter().map(forgetful).collect();
    let mut all = Vec::new();
    all.extend(counts(&args));
    for place in 0..args.len() {
        let with = |given: Given| {
            let mut args = args.clone();
            args[place] = given;
            args
        };
        for (name, given) in values::kinds().into_iter().filter(|(_, given)| !values::alike(given, &args[place])) {
            all.push(of(format!("argument {place} is {name}"), &rules::WRONG_KIND, with(given)));
        }
        for (name, rule, given) in values::of_the_kind(&args[place]) {
            all.push(of(format!("argument {place} is {name}"), rule, with(given)));
        }
        let may_be_pointer = good.pointers.get(place).copied().unwrap_or_default();
        if !may_be_pointer && args[place] != Given::None {
            // None is NULL to compiled C++ that takes an object.
            all.push(of(format!("argument {place} is None"), &rules::NULL_POINTER, with(Given::None)));
            all.push(of(format!("argument {place} is a NULL pointer"), &rules::NULL_POINTER, with(Given::Null)));
        }
        let alone = args.iter().filter(|given| matches!(given, Given::Tensor(_))).count() == 1;
        if let Given::Tensor(tensor) = &args[place] {
            all.push(of(format!("argument {place} is a NULL tensor"), &rules::NULL_POINTER, with(Given::NoTensor)));
            for (name, rule, tensor) in tensors::of(tensor, alone) {
                all.push(of(format!("argument {place} {name}"), rule, with(Given::Tensor(tensor))));
            }
        }
    }
    all.extend(tensors::together(&args));
    all
}

/// What is tried of a good call that succeeds, beside variations: on another thread, and with a number in the result.
pub fn of_success(args: &[Given]) -> Vec<Scenario> {
    let args: Vec<_> = args.iter().map(forgetful).collect();
    let step = || Step::of(args.clone());
    let on_thread = Step { thread: true, ..step() };
    let dirty = Step { dirty: true, ..step() };
    vec![
        scenario("on another thread", &rules::ANOTHER_THREAD, vec![on_thread], Aim::AsGood),
        scenario("with a number in the result", &rules::RESULT_SLOT, vec![dirty], Aim::AsGood),
    ]
}

/// The good call a second time. No call may end the process, but nothing promises that each comes to the same.
pub fn again(args: &[Given]) -> Scenario {
    let args: Vec<_> = args.iter().map(forgetful).collect();
    scenario("a second time", &rules::CRASH, vec![Step::of(args.clone()), Step::of(args)], Aim::Again)
}

/// The good call after one that was refused.
pub fn after(refused: &Step, args: &[Given]) -> Scenario {
    let args = args.iter().map(forgetful).collect();
    scenario("after a call that failed", &rules::AFTER_ERROR, vec![refused.clone(), Step::of(args)], Aim::AsGood)
}

/// The same call over and over.
pub fn over_and_over(step: &Step, situation: &str) -> Scenario {
    scenario(format!("{situation}, over and over"), &rules::LEAK, vec![step.clone()], Aim::NoGrowth)
}

/// The same argument, without what it becomes.
fn forgetful(given: &Given) -> Given {
    match given {
        Given::Tensor(tensor) => Given::Tensor(Tensor { becomes: None, ..tensor.clone() }),
        other => other.clone(),
    }
}

/// Fewer arguments, and one more.
fn counts(args: &[Given]) -> Vec<Scenario> {
    let fewer = (0..args.len())
        .map(|count| of(format!("{count} of {} arguments", args.len()), &rules::WRONG_COUNT, args[..count].to_vec()));
    let more = [args, &[Given::Float(0.5)]].concat();
    fewer.chain([of("one argument too many", &rules::WRONG_COUNT, more)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_call_is_varied_in_one_thing_at_a_time() {
        let tensor = Given::Tensor(Tensor { becomes: Some(vec![1.0; 64]), ..Tensor::usual() });
        let good = Good { args: vec![tensor.clone(), Given::Int(3)], pointers: vec![false, true] };
        let scenarios = of_good(&good);
        let situations: Vec<_> = scenarios.iter().map(|each| each.situation.as_str()).collect();
        assert!(
            situations.contains(&"1 of 2 arguments") && situations.contains(&"argument 0 is None"),
            "{situations:?}"
        );
        assert!(!situations.contains(&"argument 1 is None"), "what a pointer means is the function's own");
        let ints = scenarios.iter().flat_map(|each| &each.steps[0].args).filter(|given| matches!(given, Given::Int(_)));
        assert!(ints.clone().count() > 0 && ints.into_iter().all(|given| *given == Given::Int(3)));
        let unknown = of_unknown();
        let args = unknown.iter().flat_map(|each| &each.steps[0].args);
        let kinds = scenarios.iter().map(|each| each.situation.as_str());
        assert!(kinds.clone().any(|each| each == "argument 0 has strides of 0") && kinds.count() > 60);
        let dubious = |given: &Given| matches!(given, Given::Int(_) | Given::None | Given::Null | Given::NoTensor);
        assert!(!args.into_iter().any(dubious));
    }
}
