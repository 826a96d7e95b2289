//! Two libraries side by side: what changed from the old one to the new one, and whom it breaks.
//!
//! - [`Side`]: what is known of a library, from a report of it;
//! - [`Difference`], [`Effect`]: one thing that differs, and what that is to users;
//! - [`Comparison::of`]: all that differs, what could not be compared, and the verdict;
//! - `answer`, `text`: the comparison as an [`Answer`](crate::Answer), and for people.

mod answer;
mod clauses;
mod layouts;
mod model;
mod registered;
mod symbols;
mod text;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::abi::abi;
use tvm_ffi_spec::part::{Kind as PartKind, Part};

pub use model::{Change, Difference, Effect, Kind, Ran, Side};

use crate::{exit, facts::NEXT, model::Tool, outcome::Outcome};

/// The version of the model. It rises when a key goes away or changes its meaning, not when one is added.
pub const COMPARISON_SCHEMA_VERSION: u32 = 1;

/// From which difference on the exit code is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// One that breaks somebody, or a promise that is kept no more.
    Breaking,
    /// That, or something new.
    Addition,
    /// Any difference.
    Any,
}

impl FailOn {
    fn counts(self, effect: Effect) -> bool {
        match self {
            Self::Breaking => effect.is_breaking(),
            Self::Addition => effect.is_breaking() || effect == Effect::Addition,
            Self::Any => true,
        }
    }
}

/// The comparison of two libraries.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The version of the format.
    pub schema_version: u32,
    /// What made it.
    pub tool: Tool,
    /// What differs, the worst first.
    pub differences: Vec<Difference>,
    /// What could not be compared, and why.
    pub not_compared: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The old library. It can be compared again with what is in here.
    pub old: Side,
    /// The new library.
    pub new: Side,
}

/// What a comparison comes to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verdict {
    /// How many differences break somebody, or a promise that was kept.
    pub breaking: u32,
    /// How many are new things.
    pub additions: u32,
    /// How many promises are kept that were not.
    pub mended: u32,
    /// How many matter to nobody that relies on promises.
    pub other: u32,
    /// Which differences were asked to count.
    pub fail_on: FailOn,
    /// What the process exits with: 0 nothing that counts, 1 something that counts, 3 the harness failed, 4 nothing was
    /// compared, 5 interrupted.
    pub exit_code: u8,
}

impl Comparison {
    /// Compares two libraries.
    pub fn of(tool: Tool, old: Side, new: Side, fail_on: FailOn) -> Self {
        let (mut differences, mut not_compared) = (Vec::new(), Vec::new());
        let (lost, untold) = unknown(&old, &new);
        differences.extend(lost);
        not_compared.extend(untold);
        if let (Some(old), Some(new)) = (&old.facts, &new.facts) {
            differences.extend(symbols::compare(old, new));
            for (found, untold) in [layouts::compare(old, new), registered::compare(old, new)] {
                differences.extend(found);
                not_compared.extend(untold);
            }
        }
        differences.extend(claims(&old, &new));
        let (found, untold) = clauses::compare(&old.checks, &new.checks);
        differences.extend(found);
        not_compared.extend(untold);
        let step = step(&old, &new);
        for difference in differences.iter_mut().filter(|difference| difference.kind != Kind::Library) {
            difference.since = difference.since.take().or_else(|| since(difference)).or_else(|| step.clone());
        }
        // Within an effect they stand as they were found.
        differences.sort_by_key(|difference| difference.effect);
        let verdict = Verdict::of(&differences, [&old, &new], fail_on);
        Self { schema_version: COMPARISON_SCHEMA_VERSION, tool, differences, not_compared, verdict, old, new }
    }
}

impl Verdict {
    fn of(differences: &[Difference], sides: [&Side; 2], fail_on: FailOn) -> Self {
        let count = |counts: &dyn Fn(Effect) -> bool| {
            differences.iter().filter(|difference| counts(difference.effect)).count() as u32
        };
        let failed = sides.iter().any(|side| side.checks.iter().any(|ran| ran.outcome == Outcome::Error));
        let interrupted = sides.iter().any(|side| side.run.ended.cut_short().is_some());
        let [old, new] = sides;
        let common = old.checks.iter().any(|one| one.decided() && new.checks.iter().any(|other| other.id == one.id));
        let exit_code = if failed {
            exit::HARNESS_FAILED
        } else if interrupted {
            exit::INTERRUPTED
        } else if count(&|effect| fail_on.counts(effect)) > 0 {
            exit::DOES_NOT_CONFORM
        } else if !common && sides.iter().any(|side| side.facts.is_none()) {
            exit::NOTHING_RAN
        } else {
            exit::CONFORMS
        };
        Self {
            breaking: count(&Effect::is_breaking),
            additions: count(&|effect| effect == Effect::Addition),
            mended: count(&|effect| effect == Effect::Mended),
            other: count(&|effect| effect == Effect::Other),
            fail_on,
            exit_code,
        }
    }
}

/// What the new library tells no more, which the old one told; and what else is not known.
fn unknown(old: &Side, new: &Side) -> (Vec<Difference>, Vec<String>) {
    let (mut lost, mut untold) = (Vec::new(), Vec::new());
    let told = |side: &Side, what: &String| side.facts.as_ref().is_some_and(|facts| !facts.unknown.contains_key(what));
    for (side, which) in [(old, "old"), (new, "new")] {
        let Some(facts) = &side.facts else {
            untold.push(format!(
                "symbols, layouts and what is registered: the report of the {which} library was saved without facts"
            ));
            continue;
        };
        for (what, why) in &facts.unknown {
            if which == "new" && told(old, what) && what != NEXT {
                lost.push(Difference::new(Effect::Worse, Kind::Library, Change::Changed, what, why));
            } else {
                untold.push(format!("{what}: the {which} library {why}"));
            }
        }
    }
    (lost, untold)
}

/// The versions that the libraries claim.
fn claims(old: &Side, new: &Side) -> Option<Difference> {
    let claim = |side: &Side| side.target.claimed_version.clone().unwrap_or_else(|| "none".to_owned());
    let (old, new) = (claim(old), claim(new));
    (old != new).then(|| Difference {
        what: format!("claims {old}, now {new}"),
        old: Some(old),
        new: Some(new),
        ..Difference::new(Effect::Other, Kind::Library, Change::Changed, "version", "")
    })
}

/// The release in which a part came or went, as the specification says.
fn since(difference: &Difference) -> Option<String> {
    let kind = match difference.kind {
        Kind::Function => PartKind::Function,
        Kind::CxxSymbol => PartKind::CxxSymbol,
        Kind::Global => PartKind::Global,
        Kind::Type => PartKind::Type,
        Kind::Field => PartKind::Field,
        Kind::Method => PartKind::Method,
        Kind::Attribute => PartKind::Attribute,
        _ => return None,
    };
    let name = match kind {
        PartKind::CxxSymbol => &abi().cxx_symbols.iter().find(|symbol| symbol.declaration == difference.name)?.name,
        _ => &difference.name,
    };
    let part = abi().parts().into_iter().find(|part| part.kind == kind && part.name == *name)?;
    match difference.change {
        Change::Added => Some(part.since),
        Change::Removed => after_the_last(&part),
        Change::Changed => None,
    }
}

/// The first release that does not have a part any more.
fn after_the_last(part: &Part) -> Option<String> {
    let last = abi().release(part.until.as_ref()?)?;
    abi().releases.get(last + 1).map(|release| release.name.clone())
}

/// The release of the new library, if the old one is of the release right before it.
fn step(old: &Side, new: &Side) -> Option<String> {
    let places = |side: &Side| side.target.releases.iter().filter_map(|name| abi().release(name)).collect::<Vec<_>>();
    let (last, first) = (places(old).into_iter().max()?, places(new).into_iter().min()?);
    (first == last + 1).then(|| abi().releases[first].name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Comparison>("comparison");
    }
}
