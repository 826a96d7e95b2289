//! How choices of the harness are named on the command line.

use std::sync::LazyLock;

use clap::{ValueEnum, builder::PossibleValue};

use tvm_ffi_spec::{
    clause::Basis,
    generation::{Generation, generations},
    layer::Layer,
};

use crate::harness::{plan::Levels, process::message::Isolation};

/// What a clause rests on, as it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ByBasis(pub Basis);

impl ValueEnum for ByBasis {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Basis::Documented),
            Self(Basis::CompiledIn),
            Self(Basis::Safety),
            Self(Basis::Observed),
            Self(Basis::Courtesy),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()).help(self.0.meaning()))
    }
}

/// A generation of the ABI, as it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ByGeneration(pub &'static Generation);

impl ValueEnum for ByGeneration {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ByGeneration>> = LazyLock::new(|| generations().iter().map(ByGeneration).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(&*self.0.name).help(format!("{}: {}", self.0.period, self.0.title)))
    }
}

/// A layer, as it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ByLayer(pub Layer);

impl ValueEnum for ByLayer {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Layer::CAbi), Self(Layer::Containers), Self(Layer::Reflection), Self(Layer::Modules), Self(Layer::Full)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Layer::CAbi => "The C functions: values, objects, texts, errors, functions, types, tensors",
            Layer::Containers => "c-abi, with arrays, lists, maps, dicts and shapes",
            Layer::Reflection => "c-abi, with what is told of types and functions, and how clients extend them",
            Layer::Modules => "c-abi, with modules",
            Layer::Full => "All of these, with JSON and walks through values",
        };
        Some(PossibleValue::new(self.0.as_str()).help(help))
    }
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
        &[Self::Shared, Self::Fork, Self::Exec]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Shared => "As `fork`, but checks that pass and leave their process as it was share one",
            Self::Fork => "Each check in a copy of a process that has opened the target",
            Self::Exec => "Each check in a fresh process that opens the target itself",
        };
        Some(PossibleValue::new(self.as_str()).help(help))
    }
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rendering {
    /// For people
    Text,
    /// For programs: everything; the schema is in `reports/schema/`
    Json,
    /// For code scanning and editors: SARIF 2.1.0
    Sarif,
    /// For summaries of continuous integration
    Markdown,
    /// For people, later and elsewhere: one page that needs no other file
    Html,
    /// For test reports of continuous integration
    Junit,
    /// For runs of GitHub Actions: an annotation for each finding
    Github,
    /// For a README: the verdict as an SVG picture
    Badge,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_there_is_can_be_chosen() {
        assert!(ByBasis::value_variants().iter().map(|ByBasis(basis)| basis).eq(Basis::ALL));
        assert!(ByLayer::value_variants().iter().map(|ByLayer(layer)| layer).eq(Layer::ALL));
    }
}
