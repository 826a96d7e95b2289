//! The library keeps the clauses of the legacy generation; the real one breaks of them what is listed; and each fault breaks just what
//! its head says.
//!
//! `cargo test -p tvm-ffi-legacy --test conforms NAME` runs what has that name.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::LazyLock,
};

use libtest_mimic::{Arguments, Failed, Trial};
use object::{Object, ObjectSymbol};
use serde::Deserialize;
use tvm_ffi_fixtures::legacy::{self, Caller, Fault, Kit, Outcome};
use tvm_ffi_spec::{clause, generation::generation};

/// How many workers parallel launches have.
const WORKERS: [u32; 2] = [4, 1];
/// How many faults the project promises.
const FAULTS: usize = 26;
/// What the test of the exports decides.
const BY_EXPORTS: &str = "LEG-0041";

/// The library. Cargo builds it for tests, and leaves it beside them.
fn library() -> PathBuf {
    env::current_exe().expect("a test knows its program").with_file_name("libtvm_runtime.so")
}

static KIT: LazyLock<Result<Kit, String>> = LazyLock::new(|| Kit::build(&folder().join("kit")));
static CALLERS: LazyLock<Result<Vec<Caller>, String>> = LazyLock::new(legacy::callers);
static PEER: LazyLock<Result<Option<PathBuf>, String>> = LazyLock::new(|| legacy::peer(&folder().join("peer")));

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("legacy")
}

fn kit() -> Result<&'static Kit, String> {
    KIT.as_ref().map_err(Clone::clone)
}

fn callers() -> Result<&'static [Caller], String> {
    CALLERS.as_deref().map_err(Clone::clone)
}

/// An entry of the list of known failures.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    caller: String,
    outcome: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    known: Vec<Known>,
}

fn known() -> Result<Vec<Known>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str::<List>(&text).map(|list| list.known).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = vec![
        test("exactly_the_functions_of_the_generation_are_exported".to_owned(), exports),
        test("every_clause_is_decided_and_every_fault_breaks_one_that_there_is".to_owned(), described),
    ];
    for caller in callers()? {
        trials.push(test(format!("library::{}", caller.name), || passes(caller)));
        trials.push(test(format!("peer::{}", caller.name), || as_listed(caller)));
    }
    for fault in legacy::faults()? {
        trials.push(test(format!("fault::{}", fault.name), move || breaks_what_it_says(&fault)));
    }
    Ok(trials)
}

fn test(name: String, work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || work().map_err(Failed::from))
}

fn exports() -> Result<(), String> {
    let bytes = fs::read(library()).map_err(|error| format!("{}: {error}", library().display()))?;
    let file = object::File::parse(&*bytes).map_err(|error| error.to_string())?;
    let defined = file.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let exported: BTreeSet<_> = defined.map(|symbol| symbol.name().unwrap_or_default().to_owned()).collect();
    let legacy = generation("legacy").ok_or("there is no generation legacy")?;
    let expected: BTreeSet<_> = legacy.all_functions().into_iter().map(|function| function.name).collect();
    let missing: Vec<_> = expected.difference(&exported).collect();
    let surplus: Vec<_> = exported.difference(&expected).collect();
    if missing.is_empty() && surplus.is_empty() {
        return Ok(());
    }
    Err(format!("missing {missing:?}, surplus {surplus:?}"))
}

fn described() -> Result<(), String> {
    let ids: BTreeSet<_> = clause::legacy().clauses.iter().map(|clause| clause.id.as_str()).collect();
    let decided: BTreeSet<_> = callers()?.iter().flat_map(|caller| &caller.clauses).map(String::as_str).collect();
    let mut problems: Vec<_> = ids
        .iter()
        .filter(|id| !decided.contains(**id) && **id != BY_EXPORTS)
        .map(|id| format!("no caller decides {id}"))
        .collect();
    problems.extend(decided.difference(&ids).map(|id| format!("a caller decides {id}, which there is not")));
    let mut sentences = BTreeMap::new();
    for caller in callers()? {
        if !caller.sentence.ends_with('.') || caller.clauses.is_empty() {
            problems.push(format!("{} has no whole sentence, or decides nothing", caller.name));
        }
        if let Some(other) = sentences.insert(&caller.sentence, &caller.name) {
            problems.push(format!("{} and {other} have one sentence", caller.name));
        }
    }
    let faults = legacy::faults()?;
    if faults.len() < FAULTS {
        problems.push(format!("there are {} faults, and {FAULTS} were promised", faults.len()));
    }
    let broken = faults.iter().flat_map(|fault| &fault.breaks).map(|(clause, _)| clause.as_str());
    let broken: BTreeSet<_> = broken.collect();
    problems.extend(broken.difference(&ids).map(|id| format!("a fault breaks {id}, which there is not")));
    for known in known()? {
        if !callers()?.iter().any(|caller| caller.name == known.caller) || known.reason.is_empty() {
            problems
                .push(format!("the list of known failures has {}, which is no caller or has no reason", known.caller));
        }
    }
    nothing_of(problems)
}

/// A caller passes on the library, with many workers and with one.
fn passes(caller: &Caller) -> Result<(), String> {
    let outcomes = WORKERS.map(|workers| kit()?.run(&library(), caller, workers));
    for outcome in outcomes {
        match outcome? {
            Outcome::Pass => {}
            other => return Err(format!("{} {other:?}", caller.sentence)),
        }
    }
    Ok(())
}

/// A caller ends on the real library as the list says.
fn as_listed(caller: &Caller) -> Result<(), String> {
    let Some(peer) = PEER.as_ref().map_err(Clone::clone)? else { return Ok(()) };
    let known = known()?;
    let known = known.iter().find(|known| known.caller == caller.name);
    let outcome = kit()?.run(peer, caller, WORKERS[0])?;
    match (outcome.broken(), known) {
        (None, None) => Ok(()),
        (Some((_, how)), Some(known)) if how == known.outcome => Ok(()),
        (None, Some(known)) => {
            Err(format!("it is listed that this breaks ({}), and it passes: {}", known.outcome, known.reason))
        }
        _ => Err(format!("{} {outcome:?}, which is not listed", caller.sentence)),
    }
}

fn breaks_what_it_says(fault: &Fault) -> Result<(), String> {
    let broken = kit()?.fault(fault, &library())?;
    let mut found = BTreeMap::new();
    for caller in callers()? {
        let outcome = kit()?.run(&broken, caller, WORKERS[0])?;
        if let Some((clause, how)) = outcome.broken() {
            found.insert((clause.to_owned(), how.to_owned()), format!("{}: {outcome:?}", caller.name));
        }
    }
    let missed = fault.breaks.iter().filter(|broken| !found.contains_key(*broken));
    let missed = missed.map(|(clause, how)| format!("{clause} {how} is not reported"));
    let more = found.iter().filter(|(broken, _)| !fault.breaks.contains(*broken));
    let more = more.map(|((clause, how), what)| format!("{clause} {how} is reported: {what}"));
    let problems: Vec<_> = missed.chain(more).collect();
    nothing_of(problems).map_err(|problems| format!("{}\n{problems}", fault.story))
}

fn nothing_of(problems: Vec<String>) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}
