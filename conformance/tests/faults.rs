//! The suite is proven to bite: of every fault it reports the clauses that the fault is about, and beside them what
//! `consequences.toml` lists, with the outcomes that fit; of a library without a fault, and of those that differ and are right, it
//! reports nothing.
//!
//! Each fault is a test with its name: `cargo test --test faults string_` runs those of strings. It is judged by the checks that
//! decide what it is about and what is listed of it. With `TVM_FFI_FAULTS=near`, those of its areas judge it, too: a new
//! check may report faults that others were written for. With `TVM_FFI_FAULTS=all`, as each night, every check
//! that meets it does, so that nothing else is reported either, and each variant is judged alone. With `-- --bless`, which is as
//! thorough, the faults that ran have their consequences listed anew; what a fault is about, its head says alone.

mod older;
mod program;
mod variants;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::ExitCode,
    sync::{LazyLock, Mutex},
    thread,
};

use libtest_mimic::{Arguments, Failed, Trial};
use tvm_ffi_fixtures::faults::{self, Broken, Builder, Consequences, Fault, Reach, Touched};
use tvm_ffi_reports::{CheckReport, Outcome, Report};
use tvm_ffi_spec::{
    abi::abi,
    clause::{self, Level},
};
use tvm_ffi_verify::{SILENCE, checks, target::REFERENCE};

/// How many faults the project promises.
const AT_LEAST: usize = 350;
/// How many seconds an ordinary check of a fault may take: faults that hang cost that much, and there are some. It is well above the
/// time after which threads that all sleep are given up, so that what a check makes of that is the same on any machine.
fn hasty() -> String {
    (SILENCE * 3 / 2).as_secs_f64().to_string()
}
/// How many it may take where that was too little.
const PATIENT: &str = "10";
/// How often a fault is looked at that is not reported for what is listed. What a fault that destroys memory or races does
/// beside what it is about happens by chance, and on a busy machine a check can be late: only what is the same every time
/// counts.
const LOOKS: usize = 3;
/// How many faults are judged at once for each processor.
const AT_ONCE: usize = 4;
/// How many checks of a fault that hangs run at once.
const JOBS_THAT_HANG: usize = 6;
const BLESS: &str = "--bless";
/// Says by which checks a fault is judged: see [`Judges`].
const VARIABLE: &str = "TVM_FFI_FAULTS";
/// What has the list of consequences written anew.
const HOW_TO_BLESS: &str = "cargo test --test faults -- --bless";

/// What the suite reports, and the checks that say so.
type Findings = BTreeMap<Broken, Vec<String>>;

fn main() -> ExitCode {
    let bless = env::args().any(|argument| argument == BLESS);
    let mut arguments = Arguments::from_iter(env::args().filter(|argument| argument != BLESS));
    // Some checks wait for what they look at, and compilers for the disk.
    arguments.test_threads.get_or_insert(AT_ONCE * processors());
    match run(&arguments, bless) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn run(arguments: &Arguments, bless: bool) -> Result<ExitCode, String> {
    static FOUND: Mutex<Consequences> = Mutex::new(Consequences::new());
    let judges = if bless { Judges::All } else { Judges::asked_for()? };
    let faults: &'static [Fault] = faults::all()?.leak();
    let listed: &'static Consequences = Box::leak(Box::new(Consequences::read()?));

    let mut trials = vec![
        test("faults_are_described_and_cover_every_area", || described(faults, listed)),
        test("every_must_clause_is_broken_by_a_fault_or_says_why_not", || every_must_clause(faults, listed)),
        test("a_library_without_a_fault_passes_everything", || {
            nothing_of(suite()?.judge(&suite()?.builder.forwarder()?, &[], PATIENT, 1)?.iter().map(found_by).collect())
        }),
        test("the_failure_in_the_readme_is_a_real_one", || failure_in_readme(faults)),
        test("what_follows_from_a_layout_is_put_down_to_it", || put_down_to_a_layout(faults)),
    ];
    // Those that hang take longest: they begin first, so that nothing waits for them alone at the end.
    let (hanging, others): (Vec<_>, Vec<_>) = faults.iter().partition(|fault| hangs(fault, listed));
    trials.extend(hanging.into_iter().chain(others).map(|fault| {
        test(&fault.name, move || {
            let jobs = if hangs(fault, listed) { JOBS_THAT_HANG } else { 1 };
            let library = suite()?.builder.fault(fault)?;
            let wanted = |clauses: &[&str]| judges.decide(clauses, fault, listed);
            let checks = suite()?.checks_that_meet(fault, &library, wanted)?;
            let mut looks = vec![suite()?.judge(&library, &checks, &hasty(), jobs)?];
            let mut differences = differences(fault, listed, &looks[0]);
            while !differences.is_empty() && looks.len() < LOOKS {
                looks.push(suite()?.judge(&library, &checks, PATIENT, jobs)?);
                let again = self::differences(fault, listed, &looks[looks.len() - 1]);
                differences.retain(|broken, _| again.contains_key(broken));
            }
            FOUND.lock().unwrap().set(&fault.name, consequences(fault, &looks));
            differences.retain(|broken, _| !bless || fault.breaks.contains(broken));
            let mut problems: Vec<_> = differences.into_values().collect();
            if !problems.is_empty() {
                problems
                    .push(format!("If the consequences are right, have them listed: {HOW_TO_BLESS} {}", fault.name));
            }
            nothing_of(problems)
        })
    }));
    trials.extend(variants::trials(judges == Judges::All)?);
    trials.extend(older::trials()?);
    let conclusion = libtest_mimic::run(arguments, trials);
    if bless {
        let mut list = Consequences::read()?;
        list.update(&FOUND.lock().unwrap());
        list.retain(|name| faults.iter().any(|fault| fault.name == name));
        list.write()?;
    }
    Ok(conclusion.exit_code())
}

fn test(name: &str, work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || work().map_err(Failed::from))
}

fn nothing_of(problems: Vec<String>) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

// ---------------------------------------------------------------------------------------------------------------------
// Who judges
// ---------------------------------------------------------------------------------------------------------------------

/// The checks that judge a fault, of those that meet it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judges {
    /// Those that decide what it is about and what is listed of it.
    Deciding,
    /// Those of the areas that it is about, too.
    Near,
    All,
}

impl Judges {
    fn asked_for() -> Result<Self, String> {
        match env::var_os(VARIABLE) {
            None => Ok(Self::Deciding),
            Some(value) if value == "near" => Ok(Self::Near),
            Some(value) if value == "all" => Ok(Self::All),
            Some(value) => Err(format!("{VARIABLE} is {value:?}: set it to near or all, or not at all")),
        }
    }

    /// Whether a check that decides these clauses is among them.
    fn decide(self, clauses: &[&str], fault: &Fault, listed: &Consequences) -> bool {
        let area = |clause: &str| clause.split('-').next().map(str::to_owned);
        let wanted = |about: &str, clause: &str| match self {
            Self::Deciding => about == clause,
            Self::Near => area(about) == area(clause),
            Self::All => true,
        };
        let listed = listed.of(&fault.name);
        clauses.iter().any(|clause| {
            fault.breaks.iter().any(|broken| wanted(&broken.clause, clause))
                || listed.iter().any(|broken| broken.clause == *clause)
        })
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What is expected and what is found
// ---------------------------------------------------------------------------------------------------------------------

/// What was found at every look beside the clauses that a fault is about.
fn consequences(fault: &Fault, looks: &[Findings]) -> BTreeSet<Broken> {
    let every_time = |broken: &&Broken| looks.iter().all(|findings| findings.contains_key(broken));
    let found = looks[0].keys().filter(every_time);
    found.filter(|found| fault.chance.is_none() && !fault.breaks.contains(found)).cloned().collect()
}

/// Whether checks of a fault run out of time: it waits, most often, and so others can run beside it.
fn hangs(fault: &Fault, listed: &Consequences) -> bool {
    let timeout = |broken: &Broken| broken.outcome == Outcome::Timeout.as_str();
    fault.breaks.iter().any(timeout) || listed.of(&fault.name).iter().any(timeout)
}

/// What is listed and was not found, or was found and is not listed, with a line on each.
fn differences(fault: &Fault, listed: &Consequences, findings: &Findings) -> BTreeMap<Broken, String> {
    let name = &fault.name;
    let head = fault.breaks.iter().filter(|broken| !findings.contains_key(broken));
    let line = |broken: &Broken| format!("{name} is about {broken} (its head says so), and this was not reported");
    let mut differences: BTreeMap<_, _> = head.map(|broken| (broken.clone(), line(broken))).collect();
    if fault.chance.is_some() {
        return differences;
    }
    let listed = listed.of(name);
    let missing = listed.iter().filter(|broken| !findings.contains_key(broken));
    let line = |broken: &Broken| format!("{name} was not reported for {broken}, a listed consequence");
    differences.extend(missing.map(|broken| (broken.clone(), line(broken))));
    let unlisted = findings.iter().filter(|(broken, _)| !fault.breaks.contains(broken) && !listed.contains(broken));
    let line = |found| format!("{name} was reported for what is not listed: {}", found_by(found));
    differences.extend(unlisted.map(|found| (found.0.clone(), line(found))));
    differences
}

fn found_by((broken, checks): (&Broken, &Vec<String>)) -> String {
    format!("{broken}, by\n    {}", checks.join("\n    "))
}

fn described(faults: &[Fault], listed: &Consequences) -> Result<(), String> {
    let mut problems = Vec::new();
    let mut check = |holds: bool, problem: String| {
        if !holds {
            problems.push(problem);
        }
    };
    check(faults.len() >= AT_LEAST, format!("there are {} faults, {AT_LEAST} were promised", faults.len()));
    let mut all = BTreeSet::new();
    for Fault { name, story, breaks, lacks, chance, admitted, .. } in faults {
        check(admitted.is_none(), format!("{name} says what admits it, and is a fault"));
        check(story.ends_with('.') && story.len() > 20, format!("{name}: the story is no sentence: {story}"));
        check(!breaks.is_empty(), format!("{name} breaks nothing"));
        let consequences = listed.of(name);
        check(chance.is_none() || consequences.is_empty(), format!("{name} leaves to chance what is listed of it"));
        let distinct: BTreeSet<_> = breaks.iter().chain(&consequences).collect();
        check(distinct.len() == breaks.len() + consequences.len(), format!("{name} names something twice"));
        for Broken { clause, outcome } in distinct {
            check(clause::find(clause).is_some(), format!("{name} breaks {clause}, which is no clause"));
            let is_broken = Outcome::ALL.iter().any(|known| known.as_str() == outcome && known.is_broken());
            check(is_broken, format!("{name} ends with {outcome}, which is no outcome of a broken target"));
        }
        for function in lacks {
            let cxx = abi().cxx_symbols.iter().any(|symbol| symbol.name == *function);
            let known = cxx || abi().function(function).is_some();
            check(known, format!("{name} lacks {function}, which is no function of the ABI"));
        }
        all.extend(breaks);
    }
    for (name, _) in listed.iter() {
        let known = faults.iter().any(|fault| fault.name == *name);
        check(known, format!("consequences are listed of {name}, which is no fault"));
    }
    for outcome in Outcome::ALL.iter().filter(|outcome| outcome.is_broken()) {
        let known = all.iter().any(|broken| outcome.as_str() == broken.outcome);
        check(known, format!("no fault is about something that ends with {outcome}"));
    }
    for area in clause::areas() {
        let known = all.iter().any(|broken| broken.clause.split('-').next() == Some(&area.prefix));
        check(known, format!("no fault is about a clause of the area {}", area.title));
    }
    nothing_of(problems)
}

/// What the faults break together, against the list of what they do not.
fn every_must_clause(faults: &[Fault], listed: &Consequences) -> Result<(), String> {
    let heads = faults.iter().flat_map(|fault| fault.breaks.iter().cloned());
    let broken: BTreeSet<_> =
        heads.chain(listed.iter().flat_map(|(_, broken)| broken.iter().cloned())).map(|broken| broken.clause).collect();
    let mut unbroken = faults::unbroken()?;
    let mut problems = Vec::new();
    for id in clause::clauses().filter(|clause| clause.level == Level::Must).map(|clause| &clause.id) {
        match (broken.contains(id), unbroken.remove(id)) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(_)) => problems.push(format!("a fault breaks {id}: take it off unbroken.toml")),
            (false, None) => problems.push(format!("no fault breaks {id}, and unbroken.toml does not say why")),
        }
    }
    problems.extend(unbroken.keys().map(|id| format!("unbroken.toml lists {id}, which is no MUST clause")));
    nothing_of(problems)
}

// ---------------------------------------------------------------------------------------------------------------------
// The suite
// ---------------------------------------------------------------------------------------------------------------------

/// The suite, which judges libraries, and what builds these.
struct Suite {
    builder: Builder,
    reach: Reach,
}

/// Made when the first test asks for it.
fn suite() -> Result<&'static Suite, String> {
    static SUITE: LazyLock<Result<Suite, String>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
        let builder = Builder::new(&folder, REFERENCE)?;
        let mut suite = Suite { builder, reach: Reach::default() };
        // What each check has printed, which is what it has entered.
        let report = suite.report(&suite.builder.told()?, &["--verbose"], PATIENT, processors())?;
        for CheckReport { id, output, outcome, .. } in report.checks {
            // Of a check that is not in force nothing is known: a fault may bring it into force.
            if outcome != Outcome::Unsupported {
                suite.reach.note(&id, &output.unwrap_or_default());
            }
        }
        Ok(suite)
    });
    SUITE.as_ref().map_err(Clone::clone)
}

impl Suite {
    /// The checks that enter what a fault defines anew, of those whose clauses are wanted; the others do not notice it.
    fn checks_that_meet(
        &self,
        fault: &Fault,
        library: &Path,
        wanted: impl Fn(&[&str]) -> bool,
    ) -> Result<Vec<&'static str>, String> {
        let touched = Touched::by(fault, library)?;
        let meet = checks::all().filter(|check| wanted(check.clauses) && self.reach.meets(check.id, &touched));
        let checks: Vec<_> = meet.map(|check| check.id).collect();
        if checks.is_empty() { Err(format!("no check enters what {} defines", fault.name)) } else { Ok(checks) }
    }

    /// What checks find on a library; all of them, if none is named.
    fn judge(&self, library: &Path, checks: &[&str], timeout: &str, jobs: usize) -> Result<Findings, String> {
        let only: Vec<_> = checks.iter().flat_map(|id| ["--only", id]).collect();
        let report = self.report(library, &only, timeout, jobs)?;
        let mut findings = Findings::new();
        let decided = |check: &&CheckReport| check.outcome.is_broken() || check.outcome == Outcome::Error;
        for check in report.checks.iter().filter(decided) {
            let broken = check.broken.as_ref().ok_or_else(|| format!("{} does not say what is broken", check.id))?;
            if !check.clauses.contains(&broken.clause) {
                return Err(format!(
                    "{} reports {}, and does not name it among what it decides",
                    check.id, broken.clause
                ));
            }
            let key = Broken { clause: broken.clause.clone(), outcome: check.outcome.to_string() };
            findings.entry(key).or_default().push(format!("{}: {}", check.id, broken.message));
        }
        Ok(findings)
    }

    fn report(&self, library: &Path, more: &[&str], timeout: &str, jobs: usize) -> Result<Report, String> {
        let mut command = program::run();
        command.arg("check").arg(library).args(["--format", "json", "--no-facts", "--progress", "none"]);
        command.args(["--jobs", &jobs.to_string(), "--seed", "1", "--repeat", "0", "--timeout", timeout]);
        command.args(more);
        let output = command.output().map_err(|error| error.to_string())?;
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("no report ({error}): {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Structs that lie in memory otherwise: the fault, the struct, the check that decides its layout, and one that is led astray.
const MOVED: [[&str; 4]; 4] = [
    [
        "type_records_begin_with_the_depth",
        "TVMFFITypeInfo",
        "type.value-types-are-roots",
        "type.depth-counts-ancestors",
    ],
    ["map_cells_lie_further_on", "MapCell", "map.cell", "map.last-value"],
    [
        "field_records_exchange_offset_and_size",
        "TVMFFIFieldInfo",
        "reflection.field-record-layout",
        "registry.access-path-fields",
    ],
    [
        "method_records_end_with_the_flags",
        "TVMFFIMethodInfo",
        "reflection.method-record-layout",
        "reflection.method-is-kept-alive",
    ],
];

/// Where structs lie in memory otherwise, only the checks that decide their layout fail.
fn put_down_to_a_layout(faults: &[Fault]) -> Result<(), String> {
    for [name, moved, decides, led_astray] in MOVED {
        let fault = faults.iter().find(|fault| fault.name == name).ok_or_else(|| format!("{name} is gone"))?;
        let library = suite()?.builder.fault(fault)?;
        let report = suite()?.report(&library, &["--only", led_astray, "--only", decides], PATIENT, 1)?;
        let outcome = |id: &str| report.checks.iter().find(|check| check.id == id).map(|check| check.outcome);
        let parts: Vec<_> = report.summary.blockers.iter().map(|blocker| blocker.part.as_str()).collect();
        let put_down = (outcome(led_astray), outcome(decides)) == (Some(Outcome::Blocked), Some(Outcome::Fail));
        if !put_down || report.summary.conforms || parts != [format!("struct {moved}")] {
            return Err(format!("{name}: {:#?}", report.checks));
        }
        // Alone, it shows what it found.
        let report = suite()?.report(&library, &["--only", led_astray], PATIENT, 1)?;
        if report.checks[0].outcome != Outcome::Fail {
            return Err(format!("{name}: {:#?}", report.checks));
        }
    }
    Ok(())
}

/// The README shows what a failure looks like; this is it.
fn failure_in_readme(faults: &[Fault]) -> Result<(), String> {
    let fault =
        faults.iter().find(|fault| fault.name == "string_small_length_counts_nul").ok_or("the fault is gone")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let library = folder.path().join("build/libtvm_ffi.so");
    fs::create_dir(folder.path().join("build")).map_err(|error| error.to_string())?;
    fs::copy(suite()?.builder.fault(fault)?, &library).map_err(|error| error.to_string())?;
    let arguments = ["--only", "string.small-string-layout", "--seed", "17", "--progress", "none"];
    let mut command = program::run();
    command.args(["check", "build/libtvm_ffi.so"]).args(arguments).current_dir(folder.path());
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let block = text.split("\n\n").find(|block| block.starts_with("FAIL"));
    let block = block.ok_or_else(|| format!("no failure:\n{text}"))?;
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).map_err(|error| error.to_string())?;
    if readme.contains(block) { Ok(()) } else { Err(format!("the README does not show this:\n{block}")) }
}
