//! What a fuzz target is tried on: under a fuzzing engine whatever that makes up, and in `cargo test` the same inputs in
//! each run, since a test that fails now and then accuses the wrong change. bolero's own engine draws others each time.

/// How long an input is at most, where a target says nothing else.
pub const LENGTH: usize = 4096;

/// A fuzz target, to be told its type and what holds `for_each` input; `$length` is how many bytes that has at most.
#[cfg(fuzzing)]
#[macro_export]
macro_rules! target {
    () => {
        $crate::target!($crate::inputs::LENGTH)
    };
    ($length:expr) => {
        bolero::check!().with_max_len($length)
    };
}

/// A fuzz target, to be told its type and what holds `for_each` input; `$length` is how many bytes that has at most.
#[cfg(not(fuzzing))]
#[macro_export]
macro_rules! target {
    () => {
        $crate::target!($crate::inputs::LENGTH)
    };
    ($length:expr) => {
        bolero::TestTarget::new($crate::repeatable::Repeatable { length: $length })
    };
}
