//! The parent: asks the target what it has, has the checks run, and puts together what came of them.

use std::{
    fs, io,
    sync::{Mutex, OnceLock, RwLock},
};

use tvm_ffi_reports::{CheckReport, Ended, Facts, Outcome, facts::NEXT};
use tvm_ffi_spec::generation::{Generation, today};

pub use super::crew::OnReport;
use super::{
    asked::Asked,
    crew::Crew,
    generation::{self, Question},
    in_file,
    instrumented::Surroundings,
    interrupt, layouts,
    no_run::NoRun,
    older::Older,
    options::Options,
    outcome::Reporter,
    process::{
        descendants,
        facts::Subject,
        message::{End, Record, Reply, Setting, Task},
        objects_shown::ObjectsShown,
    },
    scratch::Scratch,
    standing::Standing,
    steps::{Probe, Registered},
    worker_handle::{Lost, Start, Worker},
};
use crate::target::Target;

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
    let crew = Crew {
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
    let findings = crew.judge(target, asked, &question, spoken, on_report);
    // Nothing outlives the run.
    crew.put_idle(None);
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

impl Crew<'_> {
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

    fn died_opening(&self, end: End, output: String) -> Probe {
        Probe::DiedOpening(Box::new(self.reporter.died_opening(end, output)))
    }
}
