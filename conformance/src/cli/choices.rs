//! How choices of the harness are named on the command line.

use clap::{
    ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use tvm_ffi_spec::clause::Basis;

use crate::harness::{plan::Levels, process::message::Isolation};

/// Reads what clauses rest on.
pub fn basis() -> impl TypedValueParser<Value = Basis> {
    let help = |basis| match basis {
        Basis::Documented => "A document, a header or DLPack's specification promises it",
        Basis::CompiledIn => "Prebuilt clients inline or assume it",
        Basis::Safety => "No call on legal input ends the process, hangs, corrupts, leaks, or claims a false success",
        Basis::Observed => "Releases happen to do so",
        Basis::Courtesy => "Nobody promises it; a library that is kind to its callers does it",
    };
    let names = Basis::ALL.iter().map(move |&basis| PossibleValue::new(basis.as_str()).help(help(basis)));
    PossibleValuesParser::new(names).try_map(|name| {
        Basis::ALL.iter().copied().find(|basis| basis.as_str() == name).ok_or("no clause rests on this")
    })
}

impl ValueEnum for Levels {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Must, Self::Should, Self::All]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Must => "Checks that decide a MUST clause",
            Self::Should => "Checks that decide SHOULD clauses only",
            Self::All => "All of them",
        };
        Some(PossibleValue::new(self.as_str()).help(help))
    }
}

impl ValueEnum for Isolation {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Fork, Self::Exec]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Fork => "Each check in a copy of a process that has opened the target",
            Self::Exec => "Each check in a fresh process that opens the target itself",
        };
        Some(PossibleValue::new(self.as_str()).help(help))
    }
}

/// How output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}
