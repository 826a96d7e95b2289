//! The child: runs one task on the opened target, writes a record, and exits without looking back.

use std::{
    any::Any,
    ffi::{c_int, c_void},
    fs::File,
    io::{self, Read},
    os::fd::{AsRawFd, BorrowedFd, RawFd},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use tvm_ffi_reports::{Evidence, Failure, Outcome};
use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIVersion, abi, part::Kind};

use super::{
    barrier, facts, in_turn, inventory,
    message::{Probed, Record, Sealed, Setting, Task},
    objects_shown,
};
use crate::{
    checks,
    client::{Client, api::Api, crumb::Crumbs, cxx_heap, header, memory, order, program, wreck},
    kernel::perform,
    target::{
        library::{self, Opened, Scope},
        withheld::withhold,
    },
    trial::{Trial, growth},
};

/// Where the record goes, and what seals it.
#[derive(Clone, Copy)]
pub struct Outbox {
    /// A descriptor of this process.
    pub record: RawFd,
    /// The word that only this child was told.
    pub seal: u64,
}

/// Global, because a missing function ends the child from anywhere.
static OUTBOX: OnceLock<Outbox> = OnceLock::new();
static CRUMBS: OnceLock<Crumbs> = OnceLock::new();

/// Runs the task and ends the process.
pub fn run(task: &Task, setting: &Setting, opened: &Opened, crumbs: Crumbs, outbox: Outbox) -> ! {
    let _ = OUTBOX.set(outbox);
    let _ = CRUMBS.set(crumbs);
    Crumbs::write_here();
    // The library may have installed handlers of its own when it was opened: the public releases print a backtrace, which can
    // hang in a broken heap.
    crumbs.watch_signals();
    let api = Api::new(opened.table, crumbs, missing);
    let outcome = barrier::at_the_bottom(|| match task {
        Task::Probe => Record::Probed(probe(&api, setting, opened)),
        Task::Objects => Record::Saw(objects_shown::look(&Client { api, crumbs })),
        Task::Inventory => Record::Registered(inventory::registered(&Client { api, crumbs })),
        Task::Beyond => match inventory::beyond(&Client { api, crumbs }) {
            Ok(parts) => Record::Registered(parts),
            Err(failure) => Record::Broke(failure),
        },
        Task::Facts { subject, generation } => {
            match facts::ask(&Client { api: speaking(generation, api, opened, crumbs), crumbs }, subject) {
                Ok(shown) => Record::Shown(Box::new(shown)),
                Err(failure) => Record::Broke(failure),
            }
        }
        Task::Rehearse => {
            library::rehearse(opened);
            Record::Held
        }
        Task::Check { id, seed, cases, telling, generation } => {
            let api = speaking(generation, api, opened, crumbs);
            let api = if *telling { api.telling() } else { api };
            run_check(id, *seed, *cases, Client { api, crumbs }, setting, opened)
        }
        Task::Checks { checks, cases, generation } => {
            let client = Client { api: speaking(generation, api, opened, crumbs), crumbs };
            client.serve_callbacks();
            let run = |(id, seed): &(String, u64)| run_check(id, *seed, *cases, client, setting, opened);
            in_turn::run(checks.iter().map(|check| || run(check)), &crumbs)
        }
        Task::Call(errand) => {
            match barrier::below(|| perform::perform(&Client { api, crumbs }, errand, setting.sanitized)) {
                Ok(seen) => Record::Called(Box::new(seen)),
                Err(failure) => Record::Broke(failure),
            }
        }
    });
    let record = outcome.unwrap_or_else(|panic| panicked(&*panic));
    // Other checks may keep something of the target's to their end, and what a check had in hand when it failed it has not given back.
    let leaks = match &record {
        Record::Held => growth::was_looked_for(),
        Record::Broke(failure) => failure.outcome == Outcome::Leak,
        _ => false,
    };
    write(record);
    if setting.sanitized && leaks {
        look_for_leaks();
    }
    exit()
}

/// The functions of a target that speaks that generation.
fn speaking(generation: &str, api: Api, opened: &Opened, crumbs: Crumbs) -> Api {
    header::speak(generation);
    if header::is_todays() { api } else { Api::new(header::functions(opened.table), crumbs, missing) }
}

/// Has a sanitizer that can do so print which memory nothing leads to any more. It ends the process where it is not allowed to stop
/// threads, as in some containers; so the record has been written by now.
fn look_for_leaks() {
    type Look = unsafe extern "C" fn() -> c_int;
    let look = library::anywhere(c"__lsan_do_recoverable_leak_check");
    // SAFETY: the sanitizer's function, which is of this type, or none.
    if let Some(look) = unsafe { std::mem::transmute::<*mut c_void, Option<Look>>(look) } {
        // SAFETY: may be called at any time.
        unsafe { look() };
    }
}

/// Looks for what the suite uses of C++, now that the target is loaded, which may bring it.
pub fn meet_cxx() {
    wreck::watch_exceptions(library::anywhere);
    cxx_heap::find_operator(library::anywhere);
}

/// Gets along with a sanitizer that watches this process.
pub fn meet_sanitizer() {
    memory::read_by_kernel();
    order::find_annotations(library::anywhere);
}

fn panicked(panic: &(dyn Any + Send)) -> Record {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked");
    broke(Outcome::Error, "the check itself", "no panic", text)
}

/// Runs a check in this very process, with nobody to watch: a library that ends the process ends it.
pub fn run_here(id: &str, seed: u64, cases: u32, generation: &str, setting: &Setting) -> Record {
    header::speak(generation);
    let crumbs = match Crumbs::private() {
        Ok(crumbs) => crumbs,
        Err(error) => return broke(Outcome::Error, "breadcrumbs", "memory for them", &error.to_string()),
    };
    let _ = CRUMBS.set(crumbs);
    let opened = match library::open(&setting.target, Scope::Global) {
        Ok(opened) => opened,
        Err(reason) => return Record::Refused(reason),
    };
    if setting.sanitized {
        meet_sanitizer();
    }
    cxx_heap::find_operator(library::anywhere);
    let client = Client { api: Api::new(header::functions(opened.table), crumbs, missing).telling(), crumbs };
    let ended = catch_unwind(AssertUnwindSafe(|| run_check(id, seed, cases, client, setting, &opened)));
    ended.unwrap_or_else(|panic| match panic.downcast() {
        Ok(failure) => Record::Broke(failure),
        Err(panic) => panicked(&*panic),
    })
}

fn run_check(id: &str, seed: u64, cases: u32, client: Client, setting: &Setting, opened: &Opened) -> Record {
    let Some(check) = checks::find(id) else { return broke(Outcome::Error, "the check", "to be known", id) };
    let trial = Trial {
        check: check.id,
        client,
        fixtures: &setting.fixtures,
        target: &setting.target,
        foreign: &opened.foreign,
        cxx_symbols: &opened.cxx_symbols,
        seed,
        cases,
        sanitized: setting.sanitized,
    };
    trial.clause(check.clauses[0]);
    if !header::is_todays() {
        program::leave_out("programs are written with the headers of today's generation");
    }
    match barrier::below(|| (check.run)(&trial)) {
        Ok(()) => Record::Held,
        Err(failure) => Record::Broke(failure),
    }
}

/// Asks for every piece of evidence that a capability may show. Runs in a process of its own like a check that fails: a target
/// that does not survive the question is judged by what it exports.
fn probe(api: &Api, setting: &Setting, opened: &Opened) -> Probed {
    let abi = abi::abi();
    let version = api.table().TVMFFIGetVersion.is_some().then(|| {
        let mut version = TVMFFIVersion::default();
        api.TVMFFIGetVersion(&mut version);
        (version.major, version.minor, version.patch)
    });
    let name = |text: &str| TVMFFIByteArray::new(text.as_bytes());
    let global = |text: &&String| {
        let mut function = std::ptr::null_mut();
        api.table().TVMFFIFunctionGetGlobal.is_some()
            && api.TVMFFIFunctionGetGlobal(&name(text), &mut function) == 0
            && !function.is_null()
    };
    let type_key = |text: &&String| {
        let mut index = -1;
        api.table().TVMFFITypeKeyToIndex.is_some()
            && api.TVMFFITypeKeyToIndex(&name(text), &mut index) == 0
            && index >= 0
    };
    let globals = abi.capabilities.iter().flat_map(|capability| &capability.globals).filter(global);
    let type_keys = abi.capabilities.iter().flat_map(|capability| &capability.type_keys).filter(type_key);
    Probed {
        version,
        functions: opened.functions.clone(),
        cxx_symbols: opened.cxx_symbols.clone(),
        foreign: opened.foreign.len(),
        registered: globals.chain(type_keys).cloned().collect(),
        // Whatever the generation, it has this one.
        beside: library::others_with("TVMFFIErrorMoveFromRaised", &setting.target),
    }
}

/// Ends the check when the target lacks a function that it calls: with its process, unless that is the program's own. What it
/// means is for the parent to say.
fn missing(function: &'static str) -> ! {
    let failure = failure(Outcome::Fail, function, "exported by the target", "missing");
    let failure = failure.for_want_of(Kind::Function.part(function));
    if OUTBOX.get().is_none() {
        resume_unwind(failure);
    }
    finish(Record::Broke(failure))
}

fn broke(outcome: Outcome, what: &str, expected: &str, got: &str) -> Record {
    Record::Broke(failure(outcome, what, expected, got))
}

/// A failure that no check states, put down to the latest call.
fn failure(outcome: Outcome, what: &str, expected: &str, got: &str) -> Box<Failure> {
    let trail = CRUMBS.get().map(Crumbs::trail).unwrap_or_default();
    let clause = trail.clause.unwrap_or_default();
    let evidence = Evidence::value(clause, what.to_owned(), expected.to_owned(), got.to_owned());
    let call = trail.open.into_iter().next().or(trail.last);
    Box::new(Failure::new(outcome, Evidence { call, ..evidence }))
}

/// Writes the record and ends the process, without destructors, exit handlers or a second thought.
fn finish(record: Record) -> ! {
    write(record);
    exit()
}

fn exit() -> ! {
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(0) }
}

/// Writes the record. When several threads get here, which they do when each finds the same function missing, the first one's
/// record is the one.
fn write(record: Record) {
    static FINISHED: AtomicBool = AtomicBool::new(false);
    while FINISHED.swap(true, Ordering::Relaxed) {
        std::thread::park();
    }
    if let Some(&Outbox { record: descriptor, seal }) = OUTBOX.get() {
        let bytes = serde_json::to_vec(&Sealed { seal, process: std::process::id(), record }).unwrap_or_default();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            // SAFETY: the slice is readable; a descriptor that was closed gives an error, and silence is never a pass.
            let written = unsafe { libc::write(descriptor, rest.as_ptr().cast(), rest.len()) };
            if written <= 0 {
                break;
            }
            rest = &rest[written as usize..];
        }
    }
}

/// The main function of a child that is a process of its own (`--isolation=exec`).
pub fn main(setting: &Path, task: &str, crumbs: RawFd, record: RawFd) -> ! {
    let outbox = Outbox { record, seal: told_seal() };
    let _ = OUTBOX.set(outbox);
    let start = || -> Result<(Setting, Task, Crumbs), String> {
        let setting = std::fs::read(setting).map_err(|error| error.to_string())?;
        let setting = serde_json::from_slice(&setting).map_err(|error| error.to_string())?;
        let task = serde_json::from_str(task).map_err(|error| error.to_string())?;
        // SAFETY: the worker left this descriptor open for this process.
        let crumbs = unsafe { BorrowedFd::borrow_raw(crumbs) };
        Ok((setting, task, Crumbs::map(crumbs).map_err(|error| error.to_string())?))
    };
    let (setting, task, crumbs) = match start() {
        Ok(started) => started,
        Err(problem) => finish(broke(Outcome::Error, "the child's start", "well-formed arguments", &problem)),
    };
    crumbs.watch_signals();
    if setting.sanitized {
        meet_sanitizer();
    }
    match crumbs.while_opening(&setting.target, || library::open(&setting.target, Scope::Global)) {
        Ok(mut opened) => {
            withhold(&mut opened.table, &setting.withheld);
            meet_cxx();
            run(&task, &setting, &opened, crumbs, outbox)
        }
        Err(reason) => finish(Record::Refused(reason)),
    }
}

/// The word that the worker has written to the standard input of this process, of which nothing is left for the target.
fn told_seal() -> u64 {
    let mut seal = [0; size_of::<u64>()];
    // Without it, no record of this process is believed.
    let _ = io::stdin().read_exact(&mut seal);
    if let Ok(nothing) = File::open("/dev/null") {
        // SAFETY: two descriptors of this process.
        unsafe { libc::dup2(nothing.as_raw_fd(), 0) };
    }
    u64::from_ne_bytes(seal)
}
