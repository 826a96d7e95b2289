//! Faults of older generations of the ABI: each is judged by all that only its generation has, and has to be reported for exactly
//! the clauses in its head.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{LazyLock, OnceLock},
};

use libtest_mimic::{Failed, Trial};
use tvm_ffi_fixtures::faults::{self, Broken, Builder, Fault};
use tvm_ffi_reports::{CheckReport, Outcome, Report};
use tvm_ffi_spec::{
    clause::{self, Area, Level},
    generation::generation,
};
use tvm_ffi_verify::target::reference_of;

use crate::program;

/// An older generation whose faults are judged.
struct Older {
    name: &'static str,
    /// How many faults the project promises.
    promised: usize,
    /// The MUST clauses of its own that no fault breaks, and why.
    unbroken: &'static [(&'static str, &'static str)],
    builder: OnceLock<Result<Builder, String>>,
}

static OLDER: LazyLock<[Older; 2]> = LazyLock::new(|| {
    let older = |name, unbroken| Older { name, promised: 26, unbroken, builder: OnceLock::new() };
    [older("split", &[]), older("legacy", &[])]
});

type Outcomes = BTreeSet<Broken>;

/// The tests, by the name of the generation and of the fault.
pub fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for older in &*OLDER {
        let described = generation(older.name).ok_or("there is no such generation")?;
        let faults: &'static [Fault] = faults::all_of(described)?.leak();
        let named = |what: &str| format!("{}::{what}", older.name);
        trials.push(test(&named("every_must_clause_is_broken_by_a_fault"), || older.every_must_clause(faults)));
        trials.push(test(&named("a_library_without_a_fault_passes_everything"), || {
            older.exactly(&Outcomes::new(), &older.builder()?.forwarder()?)
        }));
        trials.extend(faults.iter().map(|fault| test(&named(&fault.name), || older.judged(fault))));
    }
    Ok(trials)
}

fn test(name: &str, work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || work().map_err(Failed::from))
}

impl Older {
    fn builder(&self) -> Result<&Builder, String> {
        let build = || {
            let generation = generation(self.name).ok_or("there is no such generation")?;
            let base = reference_of(generation).ok_or("there is no reference of it")?;
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults_{}", self.name));
            Builder::of(generation, &folder, base)
        };
        self.builder.get_or_init(build).as_ref().map_err(Clone::clone)
    }

    fn judged(&self, fault: &Fault) -> Result<(), String> {
        let library = self.builder()?.fault(fault)?;
        let head: Outcomes = fault.breaks.iter().cloned().collect();
        if fault.chance.is_none() {
            return self.exactly(&head, &library);
        }
        let missing: Vec<_> = head.difference(&self.found(&library)?).map(Broken::to_string).collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("not reported: {}", missing.join(", "))) }
    }

    fn exactly(&self, expected: &Outcomes, library: &Path) -> Result<(), String> {
        let found = self.found(library)?;
        let told = |these: Vec<&Broken>| these.into_iter().map(Broken::to_string).collect::<Vec<_>>().join(", ");
        let (missing, more) = (told(expected.difference(&found).collect()), told(found.difference(expected).collect()));
        if missing.is_empty() && more.is_empty() {
            return Ok(());
        }
        Err(format!("not reported: {missing}; reported and not in its head: {more}"))
    }

    /// The clauses that it alone has.
    fn own(&self) -> Result<&'static Area, String> {
        let own = clause::older_areas().iter().find(|(name, _)| *name == self.name);
        own.map(|(_, area)| area).ok_or_else(|| format!("{} has no clauses of its own", self.name))
    }

    /// What its own checks find on a library.
    fn found(&self, library: &Path) -> Result<Outcomes, String> {
        let mut command = program::run();
        command.arg("check").arg(library).args(["--generation", self.name, "--only", &self.own()?.prefix]);
        command.args(["--format", "json", "--progress", "none", "--seed", "1", "--repeat", "0", "--no-facts"]);
        let output = command.args(["--jobs", "2"]).output().map_err(|error| error.to_string())?;
        let report: Report = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("no report ({error}): {}", String::from_utf8_lossy(&output.stderr)))?;
        let decided = |check: &&CheckReport| check.outcome.is_broken() || check.outcome == Outcome::Error;
        let broken = |check: &CheckReport| {
            let broken = check.broken.as_ref().ok_or_else(|| format!("{} does not say what is broken", check.id))?;
            Ok(Broken { clause: broken.clause.clone(), outcome: check.outcome.to_string() })
        };
        report.checks.iter().filter(decided).map(broken).collect()
    }

    fn every_must_clause(&self, faults: &[Fault]) -> Result<(), String> {
        let mut problems = Vec::new();
        if faults.len() < self.promised {
            problems.push(format!("there are {} faults, {} were promised", faults.len(), self.promised));
        }
        let broken: BTreeSet<_> = faults.iter().flat_map(|fault| &fault.breaks).map(|broken| &*broken.clause).collect();
        for id in &broken {
            if !clause::find(id).is_some_and(|clause| clause.holds_for(self.name)) {
                problems.push(format!("{id} is broken, which is no clause of the generation"));
            }
        }
        for clause in self.own()?.clauses.iter().filter(|clause| clause.level == Level::Must) {
            let excused = self.unbroken.iter().any(|(id, _)| *id == clause.id);
            if broken.contains(&*clause.id) == excused {
                problems.push(format!("{}: a fault breaks it, or the list says why none does", clause.id));
            }
        }
        for Fault { name, story, breaks, .. } in faults {
            if !story.ends_with('.') || breaks.is_empty() {
                problems.push(format!("{name}: the story is no sentence, or it breaks nothing"));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}
