//! The parent: starts workers, hands them checks, collects what came of them.

use std::{
    cmp::Reverse,
    fs, io,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Mutex, OnceLock, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use tvm_ffi_reports::{CheckReport, Ended, Facts, Outcome, Repeated, facts::NEXT};
use tvm_ffi_spec::{
    generation::{Generation, TODAY, today},
    part::Kind,
};

use super::{
    asked::Asked,
    generation::{self, Question},
    in_file,
    instrumented::Surroundings,
    interrupt,
    known::KnownFailures,
    layouts,
    no_run::NoRun,
    older::Older,
    options::Options,
    outcome::Reporter,
    plan::Excuse,
    process::{
        child, descendants,
        facts::Subject,
        message::{self, End, Job, Record, Reply, Setting, Task},
        objects_shown::ObjectsShown,
    },
    program,
    scratch::Scratch,
    standing::Standing,
    steps::{Probe, Registered, Try},
    worker_handle::{Lost, Start, Worker},
};
use crate::{client::crumb::Trail, target::Target, trial::check::Check};

/// What a run found.
pub struct Findings {
    /// The version that the target claims.
    pub version: Option<String>,
    /// What it has and lacks.
    pub standing: Standing,
    /// What it shows of itself, if that was asked.
    pub facts: Option<Facts>,
    /// What came of each check that has ended, in the order given.
    pub checks: Vec<CheckReport>,
    /// Whether that is all of them.
    pub ended: Ended,
    /// The older generation of the ABI that it was judged by, if any, and the state of that.
    pub older: Option<Older>,
    /// Libraries of other generations in the same process, in words.
    pub beside: Vec<String>,
}

/// Told of each check as it ends, from several threads; says whether to go on.
pub type OnReport<'a> = &'a (dyn Fn(&mut CheckReport) -> ControlFlow<()> + Sync);

/// How long a run goes on with the workers that it has before it starts more: to start one takes as long as some dozens of checks do.
const UNTIL_MORE: Duration = Duration::from_millis(25);
/// How many times as much as in a check the target may write to disks in a run.
const CHECKS_THAT_FILL: u64 = 10;

/// Runs the checks on the target.
pub fn run(target: &Target, asked: &Asked, options: &Options, on_report: OnReport) -> Result<Findings, NoRun> {
    let question = Question::new(&target.linkage.symbols, asked.generation);
    let spoken = question.by_exports()?;
    let surroundings = Surroundings::of(&target.instrumented, &options.sanitizer_runtimes).map_err(NoRun::Sanitizer)?;
    let mut scratch = Scratch::new(&options.scratch, options.disk);
    if target.path.starts_with(&options.scratch) {
        scratch.add(target.path.clone(), fs::read(&target.path)?);
    }
    let setting = Setting {
        target: target.path.clone(),
        withheld: target.withheld.clone(),
        fixtures: options.scratch.join("fixtures"),
        isolation: options.isolation,
        memory: surroundings.memory(options.memory),
        disk: options.disk,
        sanitized: surroundings.sanitized(),
    };
    let setting_path = options.scratch.join("setting.json");
    scratch.add(setting_path.clone(), serde_json::to_vec(&setting).map_err(io::Error::from)?);
    scratch.lay_out()?;
    let household = descendants::household();
    descendants::adopt()?;
    if !options.in_process {
        interrupt::watch_disks(household.clone(), options.disk.saturating_mul(CHECKS_THAT_FILL));
    }
    let reporter = Reporter { target, options, sanitized: setting.sanitized };
    let run = Run {
        options,
        reporter,
        known: asked.known,
        surroundings,
        setting_path,
        scratch,
        idle: Mutex::new(None),
        alone: RwLock::new(()),
        older: OnceLock::new(),
    };
    let findings = run.judge(target, asked, &question, spoken, on_report);
    // Nothing outlives the run.
    run.put_idle(None);
    descendants::end_all(&household);
    match findings {
        // What asked the target was killed.
        Err(_) if let Some(ended) = interrupt::ended() => {
            let standing = asked.standing(target, &in_file::exported(target), None, None);
            let facts = options.facts.then(|| in_file::facts(target));
            Ok(Findings { version: None, standing, facts, checks: Vec::new(), ended, older: None, beside: Vec::new() })
        }
        findings => findings,
    }
}

struct Run<'a> {
    options: &'a Options,
    reporter: Reporter<'a>,
    known: &'a KnownFailures,
    surroundings: Surroundings,
    setting_path: PathBuf,
    scratch: Scratch,
    /// The worker that has asked the target what it has, until somebody uses it.
    idle: Mutex<Option<Worker>>,
    /// Held by whoever runs a check, alone or with others.
    alone: RwLock<()>,
    /// The older generation that the target speaks, if it does, and the state of that.
    older: OnceLock<Older>,
}

impl Run<'_> {
    fn judge(
        &self,
        target: &Target,
        asked: &Asked,
        question: &Question,
        mut spoken: Option<&'static Generation>,
        on_report: OnReport,
    ) -> Result<Findings, NoRun> {
        let (mut probe, mut shown) = (self.probe()?, None);
        if let Some(generation) = question.open() {
            shown = match &mut probe {
                Probe::Answered(_, worker) if question.can_be_asked() => self.objects(worker)?,
                Probe::Answered(..) | Probe::Died | Probe::DiedOpening(_) => None,
            };
            spoken = question.by_object(generation, shown.as_ref())?;
        }
        if let Some(older) = question.older(spoken, shown.as_ref()) {
            let _ = self.older.set(older);
        }
        // Of a library that has no function of today's, nothing is asked by these.
        let is_alike = spoken.is_none_or(Generation::shares_functions);
        let (probed, registered) = match probe {
            Probe::Answered(probed, worker) if is_alike => (probed, self.registered(worker)?),
            Probe::Answered(probed, worker) => {
                self.put_idle(Some(worker));
                (probed, Some(Registered::default()))
            }
            // What it exports can be told without running it.
            Probe::Died => (in_file::exported(target), None),
            Probe::DiedOpening(mut report) => {
                let probed = in_file::exported(target);
                if probed.functions.is_empty() && is_alike {
                    return Err(NoRun::NotOne);
                }
                // There is nothing to go on with, whatever the answer.
                let _ = on_report(&mut report);
                let (standing, ended) = (asked.standing(target, &probed, None, self.older.get()), Ended::Complete);
                let facts = self.options.facts.then(|| {
                    let mut facts = in_file::facts(target);
                    let why = "does not survive being opened".to_owned();
                    facts.unknown.insert("all that is not in the file".to_owned(), why);
                    facts
                });
                return Ok(Findings {
                    version: None,
                    standing,
                    facts,
                    checks: vec![*report],
                    ended,
                    older: self.older.get().copied(),
                    beside: Vec::new(),
                });
            }
        };
        if probed.functions.is_empty() && probed.foreign == 0 && is_alike {
            return Err(NoRun::NotOne);
        }
        let standing = asked.standing(target, &probed, registered, self.older.get());
        let mut checks = self.run_all(asked.checks, &standing, on_report)?;
        layouts::put_down(&mut checks);
        checks.iter_mut().filter(|check| check.outcome == Outcome::Blocked).for_each(|check| self.known.mark(check));
        // Last, so that the checks find a target of which nothing else was asked.
        let facts = if self.options.facts { Some(self.facts(target)?) } else { None };
        let beside = generation::beside(spoken, &probed.beside);
        let version = probed.version.map(|(major, minor, patch)| format!("{major}.{minor}.{patch}"));
        let ended = interrupt::ended().unwrap_or(match checks.len() < asked.checks.len() {
            true => Ended::MaxFailures,
            false => Ended::Complete,
        });
        Ok(Findings { version, standing, facts, checks, ended, older: self.older.get().copied(), beside })
    }

    fn probe(&self) -> Result<Probe, NoRun> {
        let mut worker = match self.start_worker("probe")? {
            Start::Ready(worker) => worker,
            Start::Refused(reason) => return Err(NoRun::Refused(reason)),
            Start::DiedOpening { end, output } => return Ok(self.died_opening(end, output)),
        };
        let ended = match self.ask(&mut worker, Task::Probe) {
            Ok(Reply::Ended(ended)) => ended,
            Ok(Reply::Failed(problem)) if self.was_disabled() => {
                return Ok(Probe::DiedOpening(Box::new(self.reporter.disabled_opening(&problem))));
            }
            Ok(Reply::Failed(problem)) => return Err(NoRun::Harness(problem)),
            Err(lost) if lost.is_ours() => return Err(NoRun::Harness(format!("the worker {lost}"))),
            Err(_) => return Ok(Probe::Died),
        };
        match ended.record {
            Some(Record::Probed(probed)) => Ok(Probe::Answered(probed, worker)),
            Some(Record::Refused(reason)) => Err(NoRun::Refused(reason)),
            None if ended.trail.opening => Ok(self.died_opening(ended.end, ended.output)),
            _ => Ok(Probe::Died),
        }
    }

    /// What new objects of the target show; `None` if it does not survive the question.
    fn objects(&self, worker: &mut Worker) -> Result<Option<ObjectsShown>, NoRun> {
        match self.ask(worker, Task::Objects) {
            Ok(Reply::Ended(ended)) => Ok(match ended.record {
                Some(Record::Saw(shown)) => Some(shown),
                _ => None,
            }),
            Ok(Reply::Failed(problem)) => Err(NoRun::Harness(problem)),
            // The next who asks it something finds out.
            Err(_) => Ok(None),
        }
    }

    /// What the target has registered; `None` if it does not survive the question, however often it is asked.
    fn registered(&self, mut worker: Worker) -> Result<Option<Registered>, NoRun> {
        for _ in 0..2 {
            if let Ok(Some(of_abi)) = self.parts(&mut worker, Task::Inventory) {
                let beyond = self.parts(&mut worker, Task::Beyond);
                if beyond.is_ok() {
                    self.put_idle(Some(worker));
                }
                return Ok(Some(Registered { of_abi, beyond: beyond.unwrap_or_default() }));
            }
            let Start::Ready(another) = self.start_worker("inventory")? else { return Ok(None) };
            worker = another;
        }
        Ok(None)
    }

    /// What a target answers that has such parts, if it survives the question; no answer where the worker is of no use any more.
    fn parts(&self, worker: &mut Worker, task: Task) -> Result<Option<Vec<String>>, ()> {
        match self.ask(worker, task) {
            Ok(Reply::Ended(ended)) => Ok(match ended.record {
                Some(Record::Registered(parts)) => Some(parts),
                _ => None,
            }),
            _ => Err(()),
        }
    }

    fn put_idle(&self, worker: Option<Worker>) {
        *self.idle.lock().expect("no thread panics while it holds this lock") = worker;
    }

    fn take_idle(&self) -> Option<Worker> {
        self.idle.lock().expect("no thread panics while it holds this lock").take()
    }

    /// What the target shows of itself. After a question that it does not answer in time it is asked nothing more.
    fn facts(&self, target: &Target) -> Result<Facts, NoRun> {
        let (mut facts, mut slot) = (in_file::facts(target), None);
        let generation = self.older.get().map_or(today(), |older| older.generation);
        for subject in Subject::all_of(generation) {
            if interrupt::requested() {
                facts.unknown.insert(NEXT.to_owned(), "is not asked any more".to_owned());
                break;
            }
            let mut worker = match slot.take() {
                Some(worker) => worker,
                None => match self.start_worker("facts")? {
                    Start::Ready(worker) => worker,
                    Start::Refused(_) | Start::DiedOpening { .. } => {
                        facts.unknown.insert(subject.to_string(), "cannot be opened again".to_owned());
                        break;
                    }
                },
            };
            let (end, record) =
                match self.ask(&mut worker, Task::Facts { subject: subject.clone(), generation: self.generation() }) {
                    Ok(Reply::Ended(ended)) => {
                        slot = Some(worker);
                        (ended.end, ended.record)
                    }
                    Ok(Reply::Failed(problem)) => {
                        facts.unknown.insert(NEXT.to_owned(), format!("cannot be asked ({problem})"));
                        break;
                    }
                    Err(lost) if lost.is_ours() => return Err(NoRun::Harness(format!("the worker {lost}"))),
                    Err(Lost::Ended(end)) => (end, None),
                    Err(Lost::Error(error)) => return Err(error.into()),
                };
            let unknown = match record {
                Some(Record::Shown(shown)) => {
                    shown.add_to(&mut facts);
                    None
                }
                // What a library lacks is a fact of its own.
                Some(Record::Broke(failure)) if failure.missing.is_some() => None,
                Some(Record::Broke(failure)) => Some(format!("does not tell ({})", failure.evidence.message)),
                _ => Some(format!("does not survive the question (the process {end})")),
            };
            facts.unknown.extend(unknown.map(|why| (subject.to_string(), why)));
            if end == End::TimedOut {
                facts.unknown.insert(NEXT.to_owned(), "is not asked any more".to_owned());
                break;
            }
        }
        Ok(facts)
    }

    fn ask(&self, worker: &mut Worker, task: Task) -> Result<Reply, Lost> {
        worker.run(&Job { task, deadline_ms: self.options.timeout.as_millis() as u64, fresh: false })
    }

    /// Whether it is the target's doing that a worker could start no process: another is started, which does all that before the target
    /// is open.
    fn was_disabled(&self) -> bool {
        matches!(self.start_worker("another"), Ok(Start::Ready(_)))
    }

    fn died_opening(&self, end: End, output: String) -> Probe {
        Probe::DiedOpening(Box::new(self.reporter.died_opening(end, output)))
    }

    fn start_worker(&self, name: &str) -> io::Result<Start> {
        Worker::start(self.options, &self.surroundings, &self.setting_path, &self.scratch.temporary, name)
    }

    fn run_all(
        &self,
        checks: &[&'static Check],
        standing: &Standing,
        on_report: OnReport,
    ) -> Result<Vec<CheckReport>, NoRun> {
        let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
        let reports: Vec<Mutex<Option<CheckReport>>> = checks.iter().map(|_| Mutex::new(None)).collect();
        // Those that may take long begin first, so that nothing waits for them alone at the end.
        let mut order: Vec<_> = (0..checks.len()).collect();
        order.sort_by_key(|&index| Reverse(checks[index].patience));
        let work = |number: usize| -> Result<(), NoRun> {
            let mut worker = self.take_idle();
            while !enough.load(Ordering::Relaxed) {
                let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(()) };
                let check = checks[index];
                let instrumented = || check.plain.filter(|_| self.reporter.sanitized).map(str::to_owned);
                let older = self.older.get();
                let excuse = standing.capabilities.excuse(check);
                let excuse = excuse.or_else(|| older.and_then(|older| older.excuse(check)));
                let mut report = match excuse.or_else(|| instrumented().map(Excuse::NotInForce)) {
                    Some(Excuse::NotInForce(reason)) => self.reporter.excused(check, reason),
                    Some(Excuse::Hidden(function)) => self.reporter.blocked(check, Kind::Function.part(function)),
                    None => {
                        let report = self.run_one(check, standing, &mut worker, number)?;
                        match older.and_then(|older| older.came_later(&report)) {
                            Some(reason) => self.reporter.excused(check, reason),
                            None => report,
                        }
                    }
                };
                // What was running then was killed.
                if interrupt::requested() {
                    return Ok(());
                }
                if on_report(&mut report).is_break() {
                    enough.store(true, Ordering::Relaxed);
                }
                *reports[index].lock().expect("no thread panics while it holds this lock") = Some(report);
            }
            // The worker ends with the thread that has started it, so nobody else can have it.
            Ok(())
        };
        if self.options.in_process {
            // On the thread that the program began with.
            work(0)?;
        }
        let (done, is_done) = mpsc::channel();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..self.options.jobs {
                let (work, done) = (&work, done.clone());
                threads.push(scope.spawn(move || {
                    let ended = work(number);
                    // Nobody listens any more once there are as many as there may be.
                    let _ = done.send(());
                    ended
                }));
                // Twice as many, and again, as long as those that are there do not get done.
                let waits = (number + 1).is_power_of_two();
                if waits && is_done.recv_timeout(UNTIL_MORE).is_ok() {
                    break;
                }
            }
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err(NoRun::Harness("a thread of the runner panicked".to_owned())))
            })
        })?;
        let ended: Vec<_> = reports.into_iter().filter_map(|report| report.into_inner().ok().flatten()).collect();
        if ended.len() < checks.len() && !interrupt::requested() && !enough.into_inner() {
            return Err(NoRun::Harness("a check was lost".to_owned()));
        }
        Ok(ended)
    }

    /// The name of the generation that the target speaks.
    fn generation(&self) -> String {
        self.older.get().map_or(TODAY, |older| &older.generation.name).to_owned()
    }

    /// Runs one check on this thread's worker, and again if it fails: that tells what fails each time from what fails now and
    /// then, and has the calls told that a check which passes need not tell. One that was late or filled a disk would only do that
    /// again, and of one that is known nothing more is asked.
    fn run_one(
        &self,
        check: &Check,
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
    ) -> Result<CheckReport, NoRun> {
        if self.options.in_process {
            return self.run_here(check, standing);
        }
        let (mut report, end) = match self.run_beside_others(check, standing, slot, number, false)? {
            Some(reported) => reported,
            None => return self.run_alone(check, standing, slot, number),
        };
        let is_costly = report.outcome == Outcome::Timeout || matches!(end, End::Wrote | End::Multiplied);
        if is_costly {
            program::leave_out(
                &mut report,
                "it takes too much of something, and is not run again, which is when a program is written",
            );
        }
        if !report.outcome.is_broken() || is_costly || self.known.describe(&report) {
            return Ok(report);
        }
        let (mut repeated, mut told) = (Repeated { runs: 1, failed: 1 }, false);
        for _ in 0..self.options.repeats {
            let Some((again, _)) = self.run_beside_others(check, standing, slot, number, true)? else { break };
            repeated.runs += 1;
            if again.outcome.is_broken() {
                repeated.failed += 1;
                if !told && again.breaks_as(&report) {
                    (report, told) = (CheckReport { duration_us: report.duration_us, ..again }, true);
                }
            }
        }
        if !told && self.options.repeats > 0 {
            program::leave_out(&mut report, "it did not fail in this way again");
        }
        Ok(CheckReport { repeated: (repeated.runs > 1).then_some(repeated), ..report })
    }

    /// Runs one check in this process.
    fn run_here(&self, check: &Check, standing: &Standing) -> Result<CheckReport, NoRun> {
        let start = Instant::now();
        let setting: Setting = serde_json::from_slice(&fs::read(&self.setting_path)?).map_err(io::Error::from)?;
        let generation = self.generation();
        let record =
            child::run_here(check.id, self.options.seed_of(check.id), self.options.cases, &generation, &setting);
        let (trail, output, micros) = (Trail::default(), String::new(), start.elapsed().as_micros() as u64);
        Ok(self.reporter.ended(
            check,
            message::Ended { record: Some(record), end: End::Exited(0), trail, output, micros },
            standing,
        ))
    }

    /// Runs one check while others run. No report where what happened may be another check's doing, such as the loss of the
    /// worker or of files, or the suite's.
    fn run_beside_others(
        &self,
        check: &Check,
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
        telling: bool,
    ) -> Result<Option<(CheckReport, End)>, NoRun> {
        let _others_run = self.alone.read().expect("no thread panics while it holds this lock");
        let before = self.scratch.damages();
        let first = self.try_one(check, standing, slot, number, telling);
        let passed = matches!(&first, Try::Reported(report, _) if report.outcome == Outcome::Pass);
        let after = if passed { self.scratch.mended_if_changed()? } else { self.scratch.mended()? };
        let damage = after.since(before);
        Ok(match first {
            Try::Reported(report, end) if damage.is_none() && report.outcome != Outcome::Error => Some((*report, end)),
            _ if interrupt::requested() => {
                Some((self.reporter.harness_error(check, "it was interrupted"), End::Exited(0)))
            }
            _ => {
                *slot = None;
                None
            }
        })
    }

    /// Runs one check while no other runs, and believes what happens.
    fn run_alone(
        &self,
        check: &Check,
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
    ) -> Result<CheckReport, NoRun> {
        let _nothing_else_runs = self.alone.write().expect("no thread panics while it holds this lock");
        let before = self.scratch.mended()?;
        let second = self.try_one(check, standing, slot, number, true);
        if let Some(damage) = self.scratch.mended()?.since(before) {
            *slot = None;
            return Ok(self.reporter.damaged(check, damage));
        }
        Ok(match second {
            Try::Reported(report, _) => *report,
            Try::Lost(lost) if !lost.is_ours() => self.reporter.watcher_lost(check, lost),
            Try::Lost(lost) => self.reporter.harness_error(check, format!("the worker {lost}")),
            Try::Disabled(problem) if self.was_disabled() => self.reporter.watcher_disabled(check, &problem),
            Try::Disabled(problem) | Try::Failed(problem) => self.reporter.harness_error(check, problem),
        })
    }

    /// Runs one check on this thread's worker, starting a worker first if there is none.
    fn try_one(
        &self,
        check: &Check,
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
        telling: bool,
    ) -> Try {
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => match self.start_worker(&number.to_string()) {
                Ok(Start::Ready(worker)) => worker,
                Ok(Start::Refused(reason)) => return Try::Failed(reason),
                Ok(Start::DiedOpening { end, .. }) => return Try::Lost(Lost::Ended(end)),
                Err(error) => return Try::Failed(format!("no worker could be started ({error})")),
            },
        };
        let deadline_ms = self.options.timeout.as_millis() as u64 * u64::from(check.patience);
        let (id, seed) = (check.id.to_owned(), self.options.seed_of(check.id));
        let task = Task::Check { id, seed, cases: self.options.cases, telling, generation: self.generation() };
        // A worker that is lost or cannot start children is dropped, and killed; the next check gets another.
        match worker.run(&Job { task, deadline_ms, fresh: check.fresh }) {
            Ok(Reply::Ended(ended)) => {
                *slot = Some(worker);
                let end = ended.end;
                Try::Reported(Box::new(self.reporter.ended(check, *ended, standing)), end)
            }
            Ok(Reply::Failed(problem)) => Try::Disabled(format!("the worker could not run it ({problem})")),
            Err(lost) => Try::Lost(lost),
        }
    }
}
