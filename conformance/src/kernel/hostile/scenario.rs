//! What one process does to try a function, and what has to come of it.

use tvm_ffi_reports::duty::Duty;

use crate::kernel::{calls::Outcome, errand::Step, given::Given};

/// What one process does.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What is special about it, in words.
    pub situation: String,
    /// The rule that is broken when the process does not survive it, where nothing tells better.
    pub rule: &'static Duty,
    /// The calls, one after another; the last is the one that it is about.
    pub steps: Vec<Step>,
    /// What has to come of it, beside the rules of every call.
    pub aim: Aim,
}

/// What has to come of calls.
#[derive(Clone, Debug)]
pub enum Aim {
    /// Nothing in particular: success or an error.
    Either,
    /// The same, of a call that may take much longer than others.
    Larger,
    /// What is known of the call.
    Known(Outcome),
    /// What came of the good call.
    AsGood,
    /// What came of the good call, unless the function means otherwise: it may keep a state.
    Again,
    /// The same elements as after the good call, if it succeeds.
    SameElements,
    /// The heap does not grow.
    NoGrowth,
}

/// Calls, one after another.
pub fn scenario(situation: impl Into<String>, rule: &'static Duty, steps: Vec<Step>, aim: Aim) -> Scenario {
    Scenario { situation: situation.into(), rule, steps, aim }
}

/// One call, of which nothing in particular has to come.
pub fn of(situation: impl Into<String>, rule: &'static Duty, args: Vec<Given>) -> Scenario {
    scenario(situation, rule, vec![Step::of(args)], Aim::Either)
}

/// Whether a value is a tensor whose memory the host can read.
pub fn is_tensor_of_the_host(given: &Given) -> bool {
    matches!(given, Given::Tensor(tensor) if tensor.is_on_host())
}
