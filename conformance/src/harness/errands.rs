//! Jobs for workers that are no checks: each is run in a child, and a worker that is lost is replaced.

use std::{fs, io, time::Duration};

use tvm_ffi_spec::generation::today;

use super::{
    generation::Question,
    instrumented::Surroundings,
    interrupt,
    no_run::NoRun,
    options::Options,
    process::{
        descendants::{self, Household},
        message::{Ended, Job, Record, Reply, Setting, Task},
    },
    scratch::Scratch,
    worker_handle::{Start, Worker},
};
use crate::target::{Target, sanitizer::Instrumented};

/// Runs jobs beside a library.
pub struct Errands<'a> {
    options: &'a Options,
    surroundings: Surroundings,
    scratch: Scratch,
    household: Household,
}

/// What became of a job.
pub enum Came {
    /// Its process has ended.
    Ended(Box<Ended>),
    /// So has what watched it, each time that it was tried, in this way.
    WatcherLost(String),
}

impl<'a> Errands<'a> {
    /// Jobs beside that library, in processes that load what is instrumented so.
    ///
    /// # Errors
    /// A sanitizer that cannot be served, or a failure of the suite's own.
    pub fn new(library: &Target, instrumented: &Instrumented, options: &'a Options) -> Result<Self, NoRun> {
        let surroundings = Surroundings::of(instrumented, &options.sanitizer_runtimes).map_err(NoRun::Sanitizer)?;
        let mut scratch = Scratch::new(&options.scratch, options.disk);
        if library.path.starts_with(&options.scratch) {
            scratch.add(library.path.clone(), fs::read(&library.path)?);
        }
        let setting = Setting {
            target: library.path.clone(),
            withheld: Vec::new(),
            fixtures: options.scratch.join("fixtures"),
            isolation: options.isolation,
            memory: options.memory,
            disk: options.disk,
            sanitized: surroundings.sanitized(),
        };
        scratch.add(options.scratch.join(SETTING), serde_json::to_vec(&setting).map_err(io::Error::from)?);
        scratch.lay_out()?;
        let household = descendants::household();
        descendants::adopt()?;
        Ok(Self { options, surroundings, scratch, household })
    }

    /// Runs a job on the caller's worker, which is started if there is none.
    ///
    /// # Errors
    /// A library that cannot be opened, or a failure of the suite's own.
    pub fn run(&self, slot: &mut Option<Worker>, name: &str, task: &Task, deadline: Duration) -> Result<Came, NoRun> {
        match self.try_to_run(slot, name, task, deadline) {
            // What ran, or was about to, was killed.
            Err(_) if interrupt::requested() => Ok(Came::WatcherLost("was interrupted".to_owned())),
            came => came,
        }
    }

    /// Refuses a library of an older generation of the ABI in the place of one of today's. Of most, exports tell; else new objects are looked at.
    ///
    /// # Errors
    /// What it speaks, or a failure of the suite's own.
    pub fn refuse_older(&self, library: &Target) -> Result<(), NoRun> {
        let question = Question::new(&library.linkage.symbols, Some(today()));
        question.by_exports()?;
        let Some(asked) = question.open().filter(|_| question.can_be_asked()) else { return Ok(()) };
        let shown = match self.run(&mut None, "generation", &Task::Objects, self.options.timeout)? {
            Came::Ended(ended) => match ended.record {
                Some(Record::Saw(shown)) => Some(shown),
                _ => None,
            },
            Came::WatcherLost(_) => None,
        };
        question.by_object(asked, shown.as_ref())?;
        Ok(())
    }

    fn try_to_run(
        &self,
        slot: &mut Option<Worker>,
        name: &str,
        task: &Task,
        deadline: Duration,
    ) -> Result<Came, NoRun> {
        const TRIES: usize = 2;
        let mut lost = String::new();
        for _ in 0..TRIES {
            let mut worker = match slot.take() {
                Some(worker) => worker,
                None => self.start(name)?,
            };
            match worker.run(&Job { task: task.clone(), deadline_ms: deadline.as_millis() as u64, fresh: false }) {
                Ok(Reply::Ended(ended)) => {
                    *slot = Some(worker);
                    return Ok(Came::Ended(ended));
                }
                Ok(Reply::Failed(problem)) => return Err(NoRun::Harness(problem)),
                Err(ours) if ours.is_ours() => return Err(NoRun::Harness(format!("the worker {ours}"))),
                Err(theirs) => lost = theirs.to_string(),
            }
        }
        Ok(Came::WatcherLost(lost))
    }

    fn start(&self, name: &str) -> Result<Worker, NoRun> {
        self.scratch.mended()?;
        let setting = self.options.scratch.join(SETTING);
        match Worker::start(self.options, &self.surroundings, &setting, &self.scratch.temporary, name)? {
            Start::Ready(worker) => Ok(worker),
            Start::Refused(reason) => Err(NoRun::Refused(reason)),
            Start::DiedOpening { end, .. } => Err(NoRun::Refused(format!("the process {end} when it was opened"))),
        }
    }
}

const SETTING: &str = "setting.json";

impl Drop for Errands<'_> {
    fn drop(&mut self) {
        // Nothing outlives the run.
        descendants::end_all(&self.household);
    }
}
