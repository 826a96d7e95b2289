//! What tests that compare two libraries share.

use proptest::{prelude::*, test_runner::TestRunner};
use tvm_ffi_verify::client::{Raised, Verdict};

/// Runs `test` on values of a strategy.
pub fn for_all<S: Strategy>(strategy: S, test: impl Fn(S::Value) -> Verdict) {
    let config = ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&strategy, |value| {
        test(value).map_err(|failure| TestCaseError::fail(format!("{failure:?}")))?;
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Kind and message of an error, as one text.
pub fn told(raised: &Raised) -> String {
    format!("{}: {}", raised.kind, raised.message)
}
