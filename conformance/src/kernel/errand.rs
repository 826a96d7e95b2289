//! What a process is to do with a function, and what it saw: as plain data, to be sent.

use std::{ffi::c_int, path::PathBuf};

use serde::{Deserialize, Serialize};
use tvm_ffi_reports::duty::Duty;

use super::given::Given;

/// What a process is to do with a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    /// The library that exports it.
    pub file: PathBuf,
    /// Libraries that it needs others to have loaded.
    pub beside: Vec<PathBuf>,
    /// Its name, without what precedes it in the symbol.
    pub function: String,
    /// What is to be done.
    pub work: Work,
}

/// What is to be done with a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Work {
    /// To load its library, no more.
    Load,
    /// To ask for its metadata.
    Metadata,
    /// To make these calls.
    Calls(Vec<Step>),
    /// To make a call over and over.
    Repeat(Step),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it is given.
    pub args: Vec<Given>,
    /// Whether it is made on a thread of its own.
    pub thread: bool,
    /// Whether there is a number in the result before it.
    pub dirty: bool,
}

impl Step {
    /// A call with these.
    pub fn of(args: Vec<Given>) -> Self {
        Self { args, thread: false, dirty: false }
    }
}

/// What was seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Seen {
    /// The library was loaded.
    Loaded,
    /// The function's metadata.
    Metadata(String),
    /// What came of each call.
    Calls(Vec<StepSeen>),
    /// How many bytes each call takes for ever, and whatever else was seen; no number if there was no time to find out.
    Repeated(Option<usize>, Vec<Broken>),
}

/// What came of a call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StepSeen {
    /// What it returned.
    pub status: c_int,
    /// The kind and the message of the error that it raised.
    pub error: Option<(String, String)>,
    /// The type index of its result.
    pub result_index: i32,
    /// Its result, if that is plain data.
    pub result: Option<Given>,
    /// Its tensors, in the order of the arguments.
    pub tensors: Vec<TensorSeen>,
    /// The rules that it broke.
    pub broken: Vec<Broken>,
}

/// A tensor after a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TensorSeen {
    /// Whether an element was changed.
    pub written: bool,
    /// Its first elements in their order, as far as they are finite numbers.
    pub elements: Vec<Option<f64>>,
}

impl TensorSeen {
    /// How many elements of all tensors are compared.
    pub const COMPARED: usize = 2048;

    /// Whether it has the elements of another, but for what comes of adding numbers in another order.
    pub fn has_elements_of(&self, other: &Self) -> bool {
        const TOLERANCE: f64 = 1e-3;
        let close = |one: f64, other: f64| (one - other).abs() <= TOLERANCE * one.abs().max(other.abs());
        let pairs = || self.elements.iter().zip(&other.elements);
        self.elements.len() == other.elements.len()
            && pairs().all(|pair| match pair {
                (Some(one), Some(other)) => one == other || close(*one, *other),
                (one, other) => one.is_none() && other.is_none(),
            })
    }
}

/// That a call broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// The id of the rule.
    pub rule: String,
    /// What happened.
    pub message: String,
}

impl Broken {
    /// That this broke a rule.
    pub fn of(rule: &Duty, message: String) -> Self {
        Self { rule: rule.id.to_owned(), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_may_differ_by_a_rounding() {
        let seen = |elements: &[f64]| TensorSeen {
            written: true,
            elements: elements.iter().map(|element| element.is_finite().then_some(*element)).collect(),
        };
        assert!(seen(&[1.0, f64::NAN]).has_elements_of(&seen(&[1.000_001, f64::NAN])));
        assert!(!seen(&[1.0]).has_elements_of(&seen(&[1.1])));
        assert!(!seen(&[1.0]).has_elements_of(&seen(&[f64::NAN])) && !seen(&[]).has_elements_of(&seen(&[0.0])));
    }
}
