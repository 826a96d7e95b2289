//! What a target has, and what it has to have.
//!
//! A check that does not find what it needs is *blocked* if the target has to have that and lacks it, and *unsupported* if the
//! target need not have it. A target has to have a part if that is as old as the newest capability in force and belongs to
//! the profile.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::{
    abi::abi,
    layer::Layer,
    part::{Kind, Part},
};

use super::plan::Capabilities;
use crate::target::promised;

/// What a target has, and what it has to have.
pub struct Standing {
    /// The capabilities in force.
    pub capabilities: Capabilities,
    /// Parts that it has.
    has: BTreeSet<String>,
    /// The functions that libraries of its older generation have, as parts; none of one of today's.
    of_generation: BTreeSet<String>,
    /// Whether it answered what it has registered; otherwise only what it exports is known.
    answered: bool,
    /// What it has that the ABI does not name.
    pub beyond: Beyond,
    profile: Layer,
}

/// What a target has beyond the ABI.
#[derive(Default)]
pub struct Beyond {
    /// Such as `function TVMFFIForkOwn`, `C++ symbol _ZN4fork4openEv`, `global fork.own` and `type fork.Own`.
    pub parts: Vec<String>,
    /// Whether it lists what it has registered; otherwise only what it exports is known.
    pub listed: bool,
    /// Every name that it exports, whether that is a promise or not, and what it stands for.
    pub exports: BTreeMap<String, promised::Kind>,
}

/// What the absence of a part means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The target has it, or nobody knows: that it was not found is a failure like any other.
    Untrue,
    /// The target has to have it.
    Blocks,
    /// The target need not have it.
    Excused,
}

impl Standing {
    /// The standing of a target with these parts; `registered` is `None` where it did not survive the question.
    pub fn new(
        capabilities: Capabilities,
        exported: impl IntoIterator<Item = String>,
        registered: Option<Vec<String>>,
        of_generation: BTreeSet<String>,
        beyond: Beyond,
        profile: Layer,
    ) -> Self {
        let answered = registered.is_some();
        let has = exported.into_iter().chain(registered.into_iter().flatten()).collect();
        Self { capabilities, has, of_generation, answered, beyond, profile }
    }

    /// Whether it told what it has registered.
    pub fn answered(&self) -> bool {
        self.answered
    }

    /// What it means that this part was not found.
    pub fn absence(&self, part: &str) -> Absence {
        if self.of_generation.contains(part) {
            return if self.has.contains(part) { Absence::Untrue } else { Absence::Blocks };
        }
        match parts().iter().find(|known| known.kind.name_in(part) == Some(&known.name)) {
            Some(known) if self.lacks(known) => {
                if self.capabilities.reach(&known.since) && self.profile.includes(Layer::of_part(known)) {
                    Absence::Blocks
                } else {
                    Absence::Excused
                }
            }
            _ => Absence::Untrue,
        }
    }

    /// Every part that the target has.
    pub fn has(&self) -> Vec<String> {
        let known = parts().iter().map(Part::to_string);
        known.filter(|part| self.has.contains(part)).collect()
    }

    /// Of the parts that are wanted, those that the target lacks. A member of a type that is missing itself is not named.
    pub fn missing(&self, wanted: impl Fn(&Part) -> bool) -> Vec<String> {
        let type_is_there = |key: &String| self.has.contains(&Kind::Type.part(key));
        let named = |part: &&Part| self.lacks(part) && part.of_type.as_ref().is_none_or(type_is_there);
        parts().iter().filter(|part| wanted(part)).filter(named).map(Part::to_string).collect()
    }

    /// Parts that the target has to have and lacks, of those that can be taken from another library, too.
    pub fn to_be_had(&self) -> Vec<String> {
        // A type without the constant of its index has another index: it is wrong, and not missing.
        let takeable = |kind| kind != Kind::Constant;
        let blocks = |part: &Part| self.absence(&part.to_string()) == Absence::Blocks;
        let todays = self.missing(|part| takeable(part.kind) && blocks(part));
        let todays = todays.into_iter().filter(|part| !self.of_generation.contains(part));
        todays.chain(self.of_generation.difference(&self.has).cloned()).collect()
    }

    /// Whether the target is known to lack a part.
    fn lacks(&self, part: &Part) -> bool {
        let asked = |function| self.answered && self.has.contains(&Kind::Function.part(function));
        part.kind.asked_with().is_none_or(asked) && !self.has.contains(&part.to_string())
    }
}

fn parts() -> &'static [Part] {
    static PARTS: std::sync::LazyLock<Vec<Part>> = std::sync::LazyLock::new(|| abi().parts());
    &PARTS
}
