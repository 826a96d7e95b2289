//! Faults of older generations of the ABI: each is judged by all that only its generation has, and has to be reported for exactly
//! the clauses in its head.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use libtest_mimic::{Failed, Trial};
use tvm_ffi_fixtures::faults::{self, Broken, Builder, Fault};
use tvm_ffi_reports::{CheckReport, Outcome, Report};
use tvm_ffi_spec::{
    clause::{self, Level},
    generation::generation,
};
use tvm_ffi_verify::target::reference_of;

use crate::program;

/// How many faults of the split generation the project promises.
const AT_LEAST: usize = 25;
/// The clauses that it alone has, and what builds its faults.
const SPLIT: &str = "split";
const OWN: &str = "SPL";
/// What no fault breaks, and why.
const UNBROKEN: &[(&str, &str)] = &[];

type Outcomes = BTreeSet<Broken>;

/// The tests, by the name of the generation and of the fault.
pub fn trials() -> Result<Vec<Trial>, String> {
    let split = generation(SPLIT).ok_or("there is no such generation")?;
    let faults: &'static [Fault] = faults::all_of(split)?.leak();
    let mut trials = vec![
        test("split::every_must_clause_is_broken_by_a_fault", || every_must_clause(faults)),
        test("split::a_library_without_a_fault_passes_everything", || exactly(&Outcomes::new(), &forwarder()?)),
    ];
    trials.extend(faults.iter().map(|fault| test(&format!("split::{}", fault.name), || judged(fault))));
    Ok(trials)
}

fn test(name: &str, work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || work().map_err(Failed::from))
}

fn judged(fault: &'static Fault) -> Result<(), String> {
    let library = builder()?.fault(fault)?;
    let head: Outcomes = fault.breaks.iter().cloned().collect();
    if fault.chance.is_none() {
        return exactly(&head, &library);
    }
    let missing: Vec<_> = head.difference(&found(&library)?).map(Broken::to_string).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("not reported: {}", missing.join(", "))) }
}

fn exactly(expected: &Outcomes, library: &Path) -> Result<(), String> {
    let found = found(library)?;
    let told = |these: Vec<&Broken>| these.into_iter().map(Broken::to_string).collect::<Vec<_>>().join(", ");
    let (missing, more) = (told(expected.difference(&found).collect()), told(found.difference(expected).collect()));
    if missing.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!("not reported: {missing}; reported and not in its head: {more}"))
}

/// What its own checks find on a library.
fn found(library: &Path) -> Result<Outcomes, String> {
    let mut command = program::run();
    command.arg("check").arg(library).args(["--generation", SPLIT, "--only", OWN, "--format", "json"]);
    command.args(["--progress", "none", "--seed", "1", "--repeat", "0", "--no-facts", "--jobs", "2"]);
    let output = command.output().map_err(|error| error.to_string())?;
    let report: Report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no report ({error}): {}", String::from_utf8_lossy(&output.stderr)))?;
    let decided = |check: &&CheckReport| check.outcome.is_broken() || check.outcome == Outcome::Error;
    let broken = |check: &CheckReport| {
        let broken = check.broken.as_ref().ok_or_else(|| format!("{} does not say what is broken", check.id))?;
        Ok(Broken { clause: broken.clause.clone(), outcome: check.outcome.to_string() })
    };
    report.checks.iter().filter(decided).map(broken).collect()
}

fn builder() -> Result<&'static Builder, String> {
    static BUILDER: LazyLock<Result<Builder, String>> = LazyLock::new(|| {
        let split = generation(SPLIT).ok_or("there is no such generation")?;
        let base = reference_of(split).ok_or("there is no reference of it")?;
        Builder::of(split, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults_split"), base)
    });
    BUILDER.as_ref().map_err(Clone::clone)
}

fn forwarder() -> Result<std::path::PathBuf, String> {
    builder()?.forwarder()
}

fn every_must_clause(faults: &[Fault]) -> Result<(), String> {
    let mut problems = Vec::new();
    if faults.len() < AT_LEAST {
        problems.push(format!("there are {} faults, {AT_LEAST} were promised", faults.len()));
    }
    let broken: BTreeSet<_> = faults.iter().flat_map(|fault| &fault.breaks).map(|broken| &*broken.clause).collect();
    for id in &broken {
        if !clause::find(id).is_some_and(|clause| clause.holds_for(SPLIT)) {
            problems.push(format!("{id} is broken, which is no clause of the generation"));
        }
    }
    let own = clause::older_areas().iter().filter(|(name, _)| *name == SPLIT).flat_map(|(_, area)| &area.clauses);
    for clause in own.filter(|clause| clause.level == Level::Must) {
        let excused = UNBROKEN.iter().any(|(id, _)| *id == clause.id);
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
