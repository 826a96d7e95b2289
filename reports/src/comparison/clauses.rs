//! What two libraries keep: clauses that one keeps and the other breaks.

use std::collections::BTreeMap;

use tvm_ffi_spec::clause::{self, Basis, Level};

use super::model::{Change, Difference, Effect, Kind, Ran};
use crate::layout::{counted, joined};
use crate::outcome::Outcome;

/// The clauses that are kept on one side alone, each once; and what cannot be compared.
pub(super) fn compare(old: &[Ran], new: &[Ran]) -> (Vec<Difference>, Vec<String>) {
    let mut found: Vec<Found> = Vec::new();
    let mut not_compared: BTreeMap<String, u32> = BTreeMap::new();
    for old in old {
        let Some(new) = new.iter().find(|new| new.id == old.id) else { continue };
        match turn(old, new) {
            Ok(None) => {}
            Ok(Some(turn)) => {
                let clauses = if turn == Turn::Mended { &old.clauses } else { &new.clauses };
                let clause = clauses.first().unwrap_or(&new.id);
                match found.iter_mut().find(|found| found.clause == *clause && found.turn == turn) {
                    Some(found) => found.others += 1,
                    None => found.push(Found {
                        clause: clause.clone(),
                        turn,
                        old: old.clone(),
                        new: new.clone(),
                        others: 0,
                    }),
                }
            }
            Err(reason) => *not_compared.entry(reason).or_default() += 1,
        }
    }
    let alone =
        |some: &[Ran], others: &[Ran]| some.iter().filter(|one| others.iter().all(|other| other.id != one.id)).count();
    for (count, side) in [(alone(old, new), "old"), (alone(new, old), "new")] {
        if count > 0 {
            not_compared.insert(format!("ran on the {side} library alone"), count as u32);
        }
    }
    found.sort_by_key(|found| clause::clauses().position(|clause| clause.id == found.clause));
    let told =
        not_compared.into_iter().map(|(reason, count)| format!("{}: {reason}", counted(count as usize, "check")));
    (found.into_iter().map(Found::difference).collect(), told.collect())
}

/// What became of what a check decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Broken,
    Mended,
}

/// What two runs of a check say, or why they say nothing.
fn turn(old: &Ran, new: &Ran) -> Result<Option<Turn>, String> {
    for (ran, side) in [(old, "old"), (new, "new")] {
        match ran.outcome {
            Outcome::Error => return Err(format!("the suite failed on the {side} library")),
            Outcome::Blocked if old.decided() || new.decided() => {
                let part = ran.blocked_by.as_deref().unwrap_or("something");
                return Err(format!("waits for {part} on the {side} library"));
            }
            // Rules that come with what is new have nothing to be compared with.
            Outcome::Unsupported if side == "new" && old.decided() => {
                return Err("not applicable to the new library".to_owned());
            }
            _ => {}
        }
    }
    let broken = [old, new].map(|ran| ran.outcome.is_broken());
    if !old.decided() || !new.decided() || broken[0] == broken[1] {
        return Ok(None);
    }
    if old.unsteady || new.unsteady {
        let side = if old.unsteady { "old" } else { "new" };
        return Err(format!("ends now in one way and now in another on the {side} library ({})", old.id));
    }
    Ok(Some(if broken[1] { Turn::Broken } else { Turn::Mended }))
}

/// A clause, with the first of the checks that tell of it.
struct Found {
    clause: String,
    turn: Turn,
    old: Ran,
    new: Ran,
    others: usize,
}

impl Found {
    fn difference(self) -> Difference {
        let clause = clause::find(&self.clause);
        let effect = match (clause.map(|clause| (clause.level, clause.basis)), self.turn) {
            (Some((Level::Should, _)), _) => Effect::Other,
            (_, Turn::Mended) => Effect::Mended,
            (Some((_, Basis::CompiledIn)), Turn::Broken) => Effect::BreaksPrebuilt,
            (_, Turn::Broken) => Effect::Worse,
        };
        let sentence = clause.map(|clause| joined(&clause.text)).unwrap_or_default();
        let (shows, word) = match self.turn {
            Turn::Broken => (&self.new, "is broken now"),
            Turn::Mended => (&self.old, "is kept now"),
        };
        let more =
            if self.others == 0 { String::new() } else { format!(" and {}", counted(self.others, "other check")) };
        let what = format!("{word}: {sentence} ({}{more}: {})", shows.id, shows.message);
        let state = |ran: &Ran| Some(ran.outcome.to_string());
        Difference {
            old: state(&self.old),
            new: state(&self.new),
            ..Difference::new(effect, Kind::Clause, Change::Changed, self.clause, what)
        }
    }
}
