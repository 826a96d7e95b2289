//! Trying a property on many random inputs.

use std::{cell::RefCell, fmt::Debug};

use proptest::{
    prelude::any,
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

use super::Trial;
use crate::client::{Verdict, program, set_failed, with_values, written};

/// Finds out once what the generator of random inputs asks of the processor and of the environment.
pub fn prepare() {
    let runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]));
    let _ = any::<u64>().new_tree(&mut { runner });
}

impl Trial<'_> {
    /// Tries the property on random inputs and, when it fails, on ever smaller ones; reports the smallest that fails.
    pub fn property<S>(&self, strategy: S, property: impl Fn(&S::Value) -> Verdict) -> Verdict
    where
        S: Strategy,
        S::Value: Debug,
    {
        self.property_told(strategy, |input| with_values(&written(input)), property)
    }

    /// The same with inputs that stand for something else, which is told in their place.
    pub fn property_told<S>(
        &self,
        strategy: S,
        told: impl Fn(&S::Value) -> String,
        property: impl Fn(&S::Value) -> Verdict,
    ) -> Verdict
    where
        S: Strategy,
        S::Value: Debug,
    {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let config = Config { cases: self.cases, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let last = RefCell::new(None);
        let outcome = runner.run(&strategy, |input| {
            set_failed(false);
            program::case_begins();
            property(&input).map_err(|failure| {
                let reason = failure.evidence.message.clone();
                *last.borrow_mut() = Some(failure);
                TestCaseError::fail(reason)
            })
        });
        match outcome {
            Ok(()) => Ok(()),
            Err(TestError::Fail(reason, smallest)) => {
                set_failed(false);
                program::case_begins();
                let again = property(&smallest).err();
                if again.is_none() {
                    program::leave_out("the smallest input fails only after others");
                }
                let failure = again.or_else(|| last.into_inner());
                let failure = failure.unwrap_or_else(|| self.failure(reason, "the property to hold", "it did not"));
                set_failed(true);
                Err(failure.noting(format!("smallest failing input: {}", told(&smallest))))
            }
            Err(TestError::Abort(reason)) => Err(self.error("generating inputs", reason)),
        }
    }
}
