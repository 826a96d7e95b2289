//! The parent: starts workers, hands them checks, collects what came of them.

use std::{
    fs, io,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tvm_ffi_reports::CheckReport;

use super::{
    options::Options,
    outcome::Reporter,
    plan::Capabilities,
    process::message::{End, Job, Probed, Record, Reply, Setting, Task},
    worker_handle::{Start, Worker},
};
use crate::{
    target::{self, Target},
    trial::check::Check,
};

/// What a run found.
pub struct Findings {
    /// The version that the target claims.
    pub version: Option<String>,
    /// What it has and lacks.
    pub capabilities: Capabilities,
    /// What came of each check, in the order given.
    pub checks: Vec<CheckReport>,
}

/// Why a run could not take place.
#[derive(Debug)]
pub enum NoRun {
    /// The dynamic loader would not open the target, for this reason.
    Refused(String),
    /// The suite itself failed.
    Harness(String),
}

impl From<io::Error> for NoRun {
    fn from(error: io::Error) -> Self {
        NoRun::Harness(error.to_string())
    }
}

/// Runs the checks on the target; `on_report` is told of each as it ends, from several threads.
pub fn run(
    target: &Target,
    checks: &[&'static Check],
    options: &Options,
    on_report: &(dyn Fn(&CheckReport) + Sync),
) -> Result<Findings, NoRun> {
    let fixtures = options.scratch.join("fixtures");
    fs::create_dir_all(&fixtures)?;
    for (name, bytes) in tvm_ffi_fixtures::LIBRARIES {
        fs::write(fixtures.join(name), bytes)?;
    }
    let setting = Setting { target: target.path.clone(), fixtures, isolation: options.isolation };
    let setting_path = options.scratch.join("setting.json");
    fs::write(&setting_path, serde_json::to_vec(&setting).map_err(io::Error::from)?)?;
    let run = Run { options, reporter: Reporter { target, options }, setting_path };

    let probed = match run.probe()? {
        Probe::Answered(probed) => probed,
        // What it exports can be told without running it.
        Probe::Died => exported(target),
        Probe::DiedOpening(report) => {
            on_report(&report);
            let capabilities = Capabilities::of(&exported(target));
            return Ok(Findings { version: None, capabilities, checks: vec![*report] });
        }
    };
    let capabilities = Capabilities::of(&probed);
    let checks = run.run_all(checks, &capabilities, on_report)?;
    let version = probed.version.map(|(major, minor, patch)| format!("{major}.{minor}.{patch}"));
    Ok(Findings { version, capabilities, checks })
}

/// What a target claims and has, as far as its file shows.
fn exported(target: &Target) -> Probed {
    let exported = target::exports(&target.path).map(|exports| exports.symbols).unwrap_or_default();
    Probed { exported, ..Probed::default() }
}

/// What came of asking a target what it has.
enum Probe {
    Answered(Probed),
    /// It was opened, and did not survive the question.
    Died,
    /// It did not survive being opened, which is all there is to report.
    DiedOpening(Box<CheckReport>),
}

struct Run<'a> {
    options: &'a Options,
    reporter: Reporter<'a>,
    setting_path: PathBuf,
}

impl Run<'_> {
    fn probe(&self) -> Result<Probe, NoRun> {
        let mut worker = match self.start_worker("probe")? {
            Start::Ready(worker) => worker,
            Start::Refused(reason) => return Err(NoRun::Refused(reason)),
            Start::DiedOpening { end, output } => return Ok(self.died_opening(end, output)),
        };
        let deadline_ms = self.options.timeout.as_millis() as u64;
        let ended = match worker.run(&Job { task: Task::Probe, deadline_ms, fresh: false })? {
            Reply::Ended(ended) => ended,
            Reply::Failed(problem) => return Err(NoRun::Harness(problem)),
        };
        match ended.record {
            Some(Record::Probed(probed)) => Ok(Probe::Answered(probed)),
            Some(Record::Refused(reason)) => Err(NoRun::Refused(reason)),
            None if ended.trail.opening => Ok(self.died_opening(ended.end, ended.output)),
            None | Some(Record::Held | Record::Broke(_)) => Ok(Probe::Died),
        }
    }

    fn died_opening(&self, end: End, output: String) -> Probe {
        Probe::DiedOpening(Box::new(self.reporter.died_opening(end, output)))
    }

    fn start_worker(&self, name: &str) -> io::Result<Start> {
        Worker::start(self.options, &self.setting_path, name)
    }

    fn run_all(
        &self,
        checks: &[&'static Check],
        capabilities: &Capabilities,
        on_report: &(dyn Fn(&CheckReport) + Sync),
    ) -> Result<Vec<CheckReport>, NoRun> {
        let next = AtomicUsize::new(0);
        let reports: Vec<Mutex<Option<CheckReport>>> = checks.iter().map(|_| Mutex::new(None)).collect();
        let work = |number: usize| -> Result<(), NoRun> {
            let mut worker = None;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(check) = checks.get(index) else { return Ok(()) };
                let report = match capabilities.excuse(check) {
                    Some(excuse) => self.reporter.excused(check, excuse),
                    None => self.run_one(check, &mut worker, number)?,
                };
                on_report(&report);
                *reports[index].lock().expect("no thread panics while it holds this lock") = Some(report);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.options.jobs).map(|number| scope.spawn(move || work(number))).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err(NoRun::Harness("a thread of the runner panicked".to_owned())))
            })
        })?;
        let taken = reports.into_iter().map(|report| report.into_inner().ok().flatten());
        taken.collect::<Option<Vec<_>>>().ok_or_else(|| NoRun::Harness("a check was lost".to_owned()))
    }

    /// Runs one check on this thread's worker, starting a worker first if there is none.
    fn run_one(&self, check: &Check, slot: &mut Option<Worker>, number: usize) -> Result<CheckReport, NoRun> {
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => match self.start_worker(&number.to_string())? {
                Start::Ready(worker) => worker,
                Start::Refused(reason) => return Ok(self.reporter.harness_error(check, reason)),
                Start::DiedOpening { end, .. } => {
                    let problem = format!("a worker {end} while it opened the target");
                    return Ok(self.reporter.harness_error(check, problem));
                }
            },
        };
        let deadline_ms = self.options.timeout.as_millis() as u64 * u64::from(check.patience);
        let task = Task::Check { id: check.id.to_owned(), seed: self.seed_of(check), cases: self.options.cases };
        // A worker that is lost or cannot start children is dropped, and killed; the next check gets another.
        match worker.run(&Job { task, deadline_ms, fresh: check.fresh }) {
            Ok(Reply::Ended(ended)) => {
                *slot = Some(worker);
                Ok(self.reporter.ended(check, *ended))
            }
            Ok(Reply::Failed(problem)) => {
                Ok(self.reporter.harness_error(check, format!("the worker could not run it ({problem})")))
            }
            Err(error) => Ok(self.reporter.harness_error(check, format!("the worker was lost ({error})"))),
        }
    }

    /// A seed for each check, so that choosing fewer checks does not change what the others try.
    fn seed_of(&self, check: &Check) -> u64 {
        // FNV-1a
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        check.id.bytes().fold(self.options.seed ^ 0xcbf2_9ce4_8422_2325, mix)
    }
}
