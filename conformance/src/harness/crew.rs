//! The workers of a run, and how the checks are handed to them: several at a time that share a process, and one by one what is not passed
//! in such company.

use std::{
    cmp::Reverse,
    fs, io,
    ops::{ControlFlow, Range},
    path::PathBuf,
    sync::{
        Mutex, OnceLock, RwLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use tvm_ffi_reports::{CheckReport, Outcome, Repeated};
use tvm_ffi_spec::{generation::TODAY, part::Kind};

use super::{
    instrumented::Surroundings,
    interrupt,
    known::KnownFailures,
    left::Left,
    no_run::NoRun,
    older::Older,
    options::Options,
    outcome::Reporter,
    plan::Excuse,
    process::{
        child,
        message::{self, End, Isolation, Job, Record, Reply, Setting, Task},
    },
    program,
    scratch::Scratch,
    standing::Standing,
    steps::Try,
    worker_handle::{Lost, Start, Worker},
};
use crate::trial::check::Check;

/// Told of each check as it ends, from several threads; says whether to go on.
pub type OnReport<'a> = &'a (dyn Fn(&mut CheckReport) -> ControlFlow<()> + Sync);

/// How long a run goes on with the workers that it has before it starts more: to start one takes as long as some dozens of checks do.
const UNTIL_MORE: Duration = Duration::from_millis(25);
/// How many checks may share a process: with as many, what it costs is little beside them, and little is run again where one does not pass.
const COMPANY: usize = 16;
/// What part of the time that one check may take they may take together: those that share a process are short.
const HASTE: u32 = 4;

/// The workers of a run.
pub struct Crew<'a> {
    pub options: &'a Options,
    pub reporter: Reporter<'a>,
    pub known: &'a KnownFailures,
    pub surroundings: Surroundings,
    pub setting_path: PathBuf,
    pub scratch: Scratch,
    /// The worker that has asked the target what it has, until somebody uses it.
    pub idle: Mutex<Option<Worker>>,
    /// Held by whoever runs a check, alone or with others.
    pub alone: RwLock<()>,
    /// The older generation that the target speaks, if it does, and the state of that.
    pub older: OnceLock<Older>,
}

impl Crew<'_> {
    /// Runs the checks, and answers what came of each that has ended, in the order given.
    pub fn run_all(
        &self,
        checks: &[&'static Check],
        standing: &Standing,
        on_report: OnReport,
    ) -> Result<Vec<CheckReport>, NoRun> {
        let enough = AtomicBool::new(false);
        let reports: Vec<Mutex<Option<CheckReport>>> = checks.iter().map(|_| Mutex::new(None)).collect();
        let is_over = || enough.load(Ordering::Relaxed) || interrupt::requested();
        let report = |index: usize, mut report: CheckReport| {
            // What was running when that was asked for was killed.
            if !interrupt::requested() {
                if on_report(&mut report).is_break() {
                    enough.store(true, Ordering::Relaxed);
                }
                *reports[index].lock().expect("no thread panics while it holds this lock") = Some(report);
            }
        };
        let (excused, mut order): (Vec<_>, Vec<_>) = (0..checks.len())
            .map(|index| (index, self.undecided(checks[index], standing)))
            .partition(|(_, excuse)| excuse.is_some());
        // Those that may take long begin first, so that nothing waits for them alone at the end.
        order.sort_by_key(|&(index, _)| Reverse(checks[index].patience));
        for (index, undecided) in excused {
            if let (Some(undecided), false) = (undecided, is_over()) {
                report(index, undecided);
            }
        }
        let order: Vec<_> = order.into_iter().map(|(index, _)| index).collect();
        let left = Left::new(self.groups(&order, checks));
        let work = |number: usize| -> Result<(), NoRun> {
            let mut worker = self.take_idle();
            while let (Some(taken), false) = (left.take(), is_over()) {
                if let [index] = taken.checks[..] {
                    let ended = self.run_one(checks[index], standing, &mut worker, number)?;
                    let later = self.older.get().and_then(|older| older.came_later(&ended));
                    report(index, later.map_or(ended, |reason| self.reporter.excused(checks[index], reason)));
                } else {
                    let group: Vec<_> = taken.checks.iter().map(|&index| checks[index]).collect();
                    let (passed, rest) = self.run_together(&group, standing, &mut worker, number)?;
                    taken.put_back(rest);
                    passed.into_iter().zip(&taken.checks).for_each(|(passed, &index)| report(index, passed));
                }
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

    /// Keeps a worker for whoever needs the next one, in the place of the one that is kept.
    pub fn put_idle(&self, worker: Option<Worker>) {
        *self.idle.lock().expect("no thread panics while it holds this lock") = worker;
    }

    fn take_idle(&self) -> Option<Worker> {
        self.idle.lock().expect("no thread panics while it holds this lock").take()
    }

    /// Has a worker do something.
    pub fn ask(&self, worker: &mut Worker, task: Task) -> Result<Reply, Lost> {
        worker.run(&Job { task, deadline_ms: self.options.timeout.as_millis() as u64, fresh: false })
    }

    /// Whether it is the target's doing that a worker could start no process: another is started, which does all that before the target
    /// is open.
    pub fn was_disabled(&self) -> bool {
        matches!(self.start_worker("another"), Ok(Start::Ready(_)))
    }
    /// Starts a worker, whose log has that name.
    pub fn start_worker(&self, name: &str) -> io::Result<Start> {
        Worker::start(self.options, &self.surroundings, &self.setting_path, &self.scratch.temporary, name)
    }

    /// The report of a check that is not run, because the target need not pass it or it could tell nothing.
    fn undecided(&self, check: &Check, standing: &Standing) -> Option<CheckReport> {
        let instrumented = || check.plain.filter(|_| self.reporter.sanitized).map(str::to_owned);
        let excuse = standing.capabilities.excuse(check);
        let excuse = excuse.or_else(|| self.older.get().and_then(|older| older.excuse(check)));
        Some(match excuse.or_else(|| instrumented().map(Excuse::NotInForce))? {
            Excuse::NotInForce(reason) => self.reporter.excused(check, reason),
            Excuse::Hidden(function) => self.reporter.blocked(check, Kind::Function.part(function)),
        })
    }

    /// Checks in groups that may share a process, in the order given: those that follow each other there, but for those that may take
    /// long, are known to fail, or need a process of their own.
    fn groups(&self, order: &[usize], checks: &[&Check]) -> Vec<Vec<usize>> {
        // What a process has printed is told of a check only where it is that check's.
        let shared = self.options.isolation == Isolation::Shared && !self.reporter.sanitized && !self.options.verbose;
        let can_share = |index: usize| {
            let check = checks[index];
            shared && !check.fresh && check.patience == 1 && !self.known.name(check.id)
        };
        let alike = order.chunk_by(|&one, &next| can_share(one) && can_share(next));
        alike.flat_map(|group| group.chunks(COMPANY).map(<[usize]>::to_vec)).collect()
    }

    /// Runs checks in one process, and answers the reports of the first of them, which passed, and where the others are that are to
    /// be run again, in groups.
    fn run_together(
        &self,
        group: &[&Check],
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
    ) -> Result<(Vec<CheckReport>, Vec<Range<usize>>), NoRun> {
        let _others_run = self.alone.read().expect("no thread panics while it holds this lock");
        let before = self.scratch.damages();
        let asked = group.iter().map(|check| (check.id.to_owned(), self.options.seed_of(check.id))).collect();
        let task = Task::Checks { checks: asked, cases: self.options.cases, generation: self.generation() };
        let deadline_ms = (self.options.timeout / HASTE).as_millis() as u64;
        let ended = self.try_job(&Job { task, deadline_ms, fresh: false }, slot, number);
        let is_damaged = self.scratch.mended_if_changed()?.since(before).is_some();
        let (passed, next_broke) = match ended {
            Ok(message::Ended { record: Some(Record::Passed { micros, next_broke }), .. })
                if !is_damaged && (1..=group.len()).contains(&(micros.len() + usize::from(next_broke))) =>
            {
                (micros, next_broke)
            }
            // What the process noted says at which check it ended, if the target left that as it was.
            ended => {
                let broken = ended.map_or(0, |ended| ended.trail.passed).min(group.len() - 1);
                return Ok((Vec::new(), around(broken, 0..group.len())));
            }
        };
        let behind = passed.len()..group.len();
        let rest = if next_broke { around(passed.len(), behind) } else { vec![behind] };
        let report = |(check, micros): (&&Check, u64)| {
            self.reporter.ended(check, message::Ended::by_itself(Record::Held, micros), standing)
        };
        Ok((group.iter().zip(passed).map(report).collect(), rest))
    }

    /// The name of the generation that the target speaks.
    pub fn generation(&self) -> String {
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
        let ended = message::Ended::by_itself(record, start.elapsed().as_micros() as u64);
        Ok(self.reporter.ended(check, ended, standing))
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

    /// Runs one check on this thread's worker.
    fn try_one(
        &self,
        check: &Check,
        standing: &Standing,
        slot: &mut Option<Worker>,
        number: usize,
        telling: bool,
    ) -> Try {
        let deadline_ms = self.options.timeout.as_millis() as u64 * u64::from(check.patience);
        let (id, seed) = (check.id.to_owned(), self.options.seed_of(check.id));
        let task = Task::Check { id, seed, cases: self.options.cases, telling, generation: self.generation() };
        match self.try_job(&Job { task, deadline_ms, fresh: check.fresh }, slot, number) {
            Ok(ended) => {
                let end = ended.end;
                Try::Reported(Box::new(self.reporter.ended(check, ended, standing)), end)
            }
            Err(failed) => failed,
        }
    }

    /// How the child ended to which this thread's worker has given a job; the worker is started first if there is none.
    fn try_job(&self, job: &Job, slot: &mut Option<Worker>, number: usize) -> Result<message::Ended, Try> {
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => match self.start_worker(&number.to_string()) {
                Ok(Start::Ready(worker)) => worker,
                Ok(Start::Refused(reason)) => return Err(Try::Failed(reason)),
                Ok(Start::DiedOpening { end, .. }) => return Err(Try::Lost(Lost::Ended(end))),
                Err(error) => return Err(Try::Failed(format!("no worker could be started ({error})"))),
            },
        };
        // A worker that is lost or cannot start children is dropped, and killed; the next job gets another.
        match worker.run(job) {
            Ok(Reply::Ended(ended)) => {
                *slot = Some(worker);
                Ok(*ended)
            }
            Ok(Reply::Failed(problem)) => Err(Try::Disabled(format!("the worker could not run it ({problem})"))),
            Err(lost) => Err(Try::Lost(lost)),
        }
    }
}

/// Checks in groups: those before one that did not pass, that one, and those behind it; each of these alone where it was the first, as
/// what is broken is rarely alone.
fn around(broken: usize, checks: Range<usize>) -> Vec<Range<usize>> {
    let behind = broken + 1..checks.end;
    let mut groups = vec![checks.start..broken, broken..broken + 1];
    match broken {
        0 => groups.extend(behind.map(|one| one..one + 1)),
        _ => groups.push(behind),
    }
    groups
}
