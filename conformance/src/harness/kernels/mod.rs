//! Calls the functions that libraries export, as good and as hostile clients do, each call in a process of its own.

mod judge;

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use judge::Judged;
use tvm_ffi_reports::{
    audit::Exported,
    kernel::{Breach, Function, KnownFrom, Tested, rules},
};

use super::{
    errands::{Came, Errands},
    interrupt,
    no_run::NoRun,
    options::Options,
    process::message::Task,
    worker_handle::Worker,
};
use crate::{
    kernel::{
        calls::{Call, Outcome},
        errand::{Errand, Seen, Step, StepSeen, Work},
        given::{Given, written},
        hostile::{self, Aim, Good, Scenario},
        schema::{self, Types},
    },
    target::{Target, sanitizer::Instrumented},
};

/// A library whose functions are called.
pub struct Kernel {
    /// The file, as it was named.
    pub file: String,
    /// Its absolute path.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub sha256: String,
    /// What it was built with beyond the ordinary.
    pub instrumented: Instrumented,
    /// The functions that it exports.
    pub functions: Vec<Exported>,
}

/// What is asked.
pub struct Asked<'a> {
    /// The libraries.
    pub kernels: &'a [Kernel],
    /// What good clients call.
    pub calls: &'a [Call],
    /// Libraries that are loaded first, for all to see.
    pub beside: &'a [PathBuf],
}

/// Why functions were not called.
pub enum NotCalled {
    /// The library that they are called beside cannot be used, or the suite failed.
    NoRun(NoRun),
    /// A file cannot be loaded, for this reason.
    Refused(PathBuf, String),
}

impl From<NoRun> for NotCalled {
    fn from(problem: NoRun) -> Self {
        Self::NoRun(problem)
    }
}

/// Calls all functions of the kernels beside a library.
pub fn run(library: &Target, asked: &Asked, options: &Options) -> Result<Vec<Tested>, NotCalled> {
    let instrumented =
        asked.kernels.iter().fold(library.instrumented.clone(), |all, kernel| all.and(&kernel.instrumented));
    let errands = Errands::new(library, &instrumented, options)?;
    errands.refuse_older(library)?;
    let run = Run { errands: &errands, asked, options };
    let jobs: Vec<(&Kernel, &Exported)> =
        asked.kernels.iter().flat_map(|kernel| kernel.functions.iter().map(move |each| (kernel, each))).collect();
    let mut slot = None;
    for kernel in asked.kernels {
        run.load(kernel, &mut slot)?;
    }
    drop(slot);
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Function>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = |number: usize| -> Result<(), NotCalled> {
        let mut slot = None;
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(kernel, function)) = jobs.get(place) else { return Ok(()) };
            let mut of =
                OfFunction { run: &run, kernel, function, name: number.to_string(), slot, found: blank(function) };
            of.test()?;
            slot = of.slot;
            if interrupt::requested() {
                return Ok(());
            }
            *done[place].lock().expect("no thread panics while it holds this lock") = Some(of.found);
        }
    };
    let threads = options.jobs.min(jobs.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(NoRun::Harness("a thread of the suite panicked".to_owned()).into()))
        })
    })?;
    let mut done = done.into_iter().map(|function| function.into_inner().ok().flatten());
    let tested = |kernel: &Kernel| Tested {
        file: kernel.file.clone(),
        sha256: kernel.sha256.clone(),
        functions: done.by_ref().take(kernel.functions.len()).flatten().collect(),
    };
    Ok(asked.kernels.iter().map(tested).collect())
}

fn blank(function: &Exported) -> Function {
    Function {
        name: function.name.clone(),
        known_from: KnownFrom::Nothing,
        good: None,
        calls: 0,
        succeeded: 0,
        refused: 0,
        breaches: Vec::new(),
        undecided: Vec::new(),
        good_calls: 0,
        not_tried: Vec::new(),
    }
}

/// The device of a tensor among arguments that has elements there, if there is one.
fn out_of_reach(args: &[Given]) -> Option<(i32, i32)> {
    args.iter().find_map(|given| match given {
        Given::Tensor(tensor) if tensor.is_out_of_reach() => Some(tensor.device),
        _ => None,
    })
}

struct Run<'a> {
    errands: &'a Errands<'a>,
    asked: &'a Asked<'a>,
    options: &'a Options,
}

impl Run<'_> {
    fn errand(&self, file: &Path, function: &str, work: Work) -> Task {
        let beside = self.asked.beside.to_vec();
        Task::Call(Box::new(Errand { file: file.to_owned(), beside, function: function.to_owned(), work }))
    }

    /// Finds out whether a file can be loaded at all.
    fn load(&self, kernel: &Kernel, slot: &mut Option<Worker>) -> Result<(), NotCalled> {
        let Some(first) = kernel.functions.first() else { return Ok(()) };
        let task = self.errand(&kernel.path, &first.name, Work::Load);
        let problem = match self.errands.run(slot, "load", &task, self.options.timeout)? {
            Came::Ended(ended) => judge::not_loaded(&ended),
            Came::WatcherLost(lost) => Some(format!("the process that watches it {lost}")),
        };
        match problem {
            Some(problem) if !interrupt::requested() => Err(NotCalled::Refused(kernel.path.clone(), problem)),
            _ => Ok(()),
        }
    }
}

/// One function, and what was found of it so far.
struct OfFunction<'a> {
    run: &'a Run<'a>,
    kernel: &'a Kernel,
    function: &'a Exported,
    name: String,
    slot: Option<Worker>,
    found: Function,
}

/// A good call of which it is known what came of it.
struct Succeeded {
    args: Vec<Given>,
    seen: StepSeen,
    /// Whether the same came of it each time.
    steady: bool,
}

impl OfFunction<'_> {
    fn test(&mut self) -> Result<(), NotCalled> {
        let types = self.types()?;
        let asked = self.run.asked;
        let calls: Vec<_> = asked.calls.iter().filter(|call| call.function == self.function.name).collect();
        let mut refused = None;
        if !calls.is_empty() {
            self.found.known_from = KnownFrom::Calls;
            for call in calls {
                let pointers = vec![false; call.args.len()];
                let good = Good { args: call.args.clone(), pointers };
                self.of_good(&good, Aim::Known(call.outcome.clone()), types.as_ref(), &mut refused)?;
            }
            return Ok(());
        }
        if let Some(types) = &types
            && let Some(args) = &types.good
        {
            self.found.known_from = KnownFrom::Metadata;
            let good = Good { args: args.clone(), pointers: types.pointers.clone() };
            return self.of_good(&good, Aim::Either, Some(types), &mut refused);
        }
        self.of_unknown(types.as_ref())
    }

    /// The types that the function's metadata tells.
    fn types(&mut self) -> Result<Option<Types>, NotCalled> {
        if !self.function.metadata {
            return Ok(None);
        }
        let name = &self.function.name;
        let task = self.run.errand(&self.kernel.path, name, Work::Metadata);
        let came = self.run.errands.run(&mut self.slot, &self.name, &task, self.run.options.timeout)?;
        if let Some(problem) = judge::not_done(&came) {
            return Err(problem.into());
        }
        let problem = match came {
            Came::Ended(ended) => match judge::seen(&ended) {
                Some(Seen::Metadata(text)) => match schema::read(text) {
                    Ok(types) => return Ok(types),
                    Err(problem) => format!("it {problem}: {text}"),
                },
                Some(Seen::Calls(steps)) => judge::no_text(steps),
                _ => judge::how_it_ended(&ended).0,
            },
            Came::WatcherLost(lost) => format!("the process that watches it {lost}"),
        };
        let call = format!("__tvm_ffi__metadata_{name}()");
        let judged = Judged { rule: &rules::METADATA, message: problem, output: None };
        self.note(judged, call, "no arguments".to_owned());
        Ok(None)
    }

    /// A function of which nothing is known: if it takes tensors, that is a good call.
    fn of_unknown(&mut self, types: Option<&Types>) -> Result<(), NotCalled> {
        let (mut refused, mut succeeded) = (None, None);
        for scenario in hostile::of_unknown() {
            let seen = self.try_one(&scenario, None, types, &mut refused)?;
            let args = &scenario.steps[0].args;
            if args.is_empty() && seen.is_some() {
                self.try_one(&hostile::into_a_number(&scenario.steps[0]), None, types, &mut refused)?;
            }
            let may_be_good = hostile::may_be_good(args);
            let good = seen.filter(|seen| may_be_good && seen.status == 0 && seen.broken.is_empty());
            if good.is_some() && succeeded.is_none() {
                succeeded = Some(args.clone());
            }
        }
        match succeeded {
            Some(args) => {
                self.found.known_from = KnownFrom::Trial;
                let pointers = vec![false; args.len()];
                self.of_good(&Good { args, pointers }, Aim::Either, types, &mut refused)
            }
            None => {
                self.not_tried("a good call: none is known; --calls can name one".to_owned());
                self.leaks(None, refused.as_ref())
            }
        }
    }

    /// All that is tried of a good call.
    fn of_good(
        &mut self,
        good: &Good,
        aim: Aim,
        types: Option<&Types>,
        refused: &mut Option<Step>,
    ) -> Result<(), NotCalled> {
        self.found.good.get_or_insert_with(|| written(&self.function.name, &good.args));
        if let Some(device) = out_of_reach(&good.args)
            && !matches!(&aim, Aim::Known(Outcome { raises: Some(_), .. }))
        {
            self.not_tried(format!(
                "{}, and what comes of it: it needs memory of device {device:?}, which cannot be laid down from here",
                written(&self.function.name, &good.args)
            ));
            for scenario in hostile::of_good(good) {
                self.try_one(&scenario, None, types, refused)?;
            }
            return self.leaks(None, refused.as_ref());
        }
        let rule =
            if matches!(&aim, Aim::Known(Outcome { raises: Some(_), .. })) { &rules::EXPECTED } else { &rules::CRASH };
        let situation = "a good call".to_owned();
        let first = Scenario { situation, rule, steps: vec![Step::of(good.args.clone())], aim };
        let seen = self.try_one(&first, None, types, refused)?;
        self.note_good(&first.aim, seen.as_ref());
        let mut succeeded = None;
        if let Some(seen) = seen.filter(|seen| seen.status == 0) {
            let mut known = Succeeded { args: good.args.clone(), seen, steady: false };
            let broken = self.found.breaches.len();
            // A function of which no file says what comes of it may do something once.
            let known_of = matches!(first.aim, Aim::Known(_)).then_some(&known);
            let again = self.try_one(&hostile::again(&good.args), known_of, types, refused)?;
            known.steady =
                broken == self.found.breaches.len() && again.is_some_and(|again| judge::same(&again, &known.seen));
            succeeded = Some(known);
        }
        let known = succeeded.as_ref().filter(|known| known.steady);
        for scenario in hostile::of_good(good) {
            self.try_one(&scenario, known, types, refused)?;
        }
        if let Some(known) = known {
            for scenario in hostile::of_success(&known.args) {
                self.try_one(&scenario, Some(known), types, refused)?;
            }
            if let Some(refused) = refused.clone() {
                self.try_one(&hostile::after(&refused, &known.args), Some(known), types, &mut None)?;
            }
        }
        let good = succeeded.map(|known| Step::of(known.args));
        self.leaks(good.as_ref(), refused.as_ref())
    }

    /// Notes whether a good call came to what it has to, and says so if that was not to be seen.
    fn note_good(&mut self, aim: &Aim, seen: Option<&StepSeen>) {
        match (aim, seen) {
            (_, Some(seen)) if seen.status == 0 || matches!(aim, Aim::Known(_)) => self.found.good_calls += 1,
            (_, Some(StepSeen { error: Some((kind, message)), .. })) => {
                let from = self.found.known_from.as_str();
                let why = format!("{from} tells of no call that it takes ({kind}: {message})");
                self.not_tried(format!("a good call: {why}; --calls can name one"));
            }
            _ => {}
        }
    }

    fn not_tried(&mut self, what: String) {
        if !self.found.not_tried.contains(&what) {
            self.found.not_tried.push(what);
        }
    }

    /// Whether calls that succeed, and calls that fail, make the heap grow.
    fn leaks(&mut self, good: Option<&Step>, refused: Option<&Step>) -> Result<(), NotCalled> {
        for (step, situation) in [(good, "a good call"), (refused, "a call that fails")] {
            if let Some(step) = step {
                self.try_one(&hostile::over_and_over(step, situation), None, None, &mut None)?;
            }
        }
        Ok(())
    }

    /// Runs one scenario and notes what it broke. Answers what came of its last call, and keeps the first call that was refused.
    fn try_one(
        &mut self,
        scenario: &Scenario,
        good: Option<&Succeeded>,
        types: Option<&Types>,
        refused: &mut Option<Step>,
    ) -> Result<Option<StepSeen>, NotCalled> {
        /// What is repeated, or larger, takes so many times as long.
        const PATIENCE: u32 = 6;
        if interrupt::requested() || self.hangs() {
            return Ok(None);
        }
        let repeats = matches!(scenario.aim, Aim::NoGrowth);
        let work = match &*scenario.steps {
            [step] if repeats => Work::Repeat(step.clone()),
            steps => Work::Calls(steps.to_vec()),
        };
        let takes_longer = repeats || matches!(scenario.aim, Aim::Larger);
        let deadline = self.run.options.timeout * if takes_longer { PATIENCE } else { 1 };
        let task = self.run.errand(&self.kernel.path, &self.function.name, work);
        let came = self.run.errands.run(&mut self.slot, &self.name, &task, deadline)?;
        if interrupt::requested() {
            return Ok(None);
        }
        let step = scenario.steps.last().cloned().unwrap_or_else(|| Step::of(Vec::new()));
        let call = written(&self.function.name, &step.args);
        if let Some(problem) = judge::not_done(&came) {
            return Err(problem.into());
        }
        if let Came::Ended(ended) = &came
            && let Some(symbol) = judge::undefined(ended)
        {
            let problem = format!("it needs {symbol}, which nothing has that is loaded; --load names what has it");
            return Err(NotCalled::Refused(self.kernel.path.clone(), problem));
        }
        let (judged, undecided, seen) = match &came {
            Came::Ended(ended) => {
                let good = good.map(|good| &good.seen);
                let judged = judge::judge(scenario, ended, good, types, &self.kernel.path);
                (judged.broken, judged.undecided, judge::last(ended, scenario.steps.len()))
            }
            Came::WatcherLost(lost) => {
                let message = format!("the process that watches it {lost}, each time that it was tried");
                (vec![Judged { rule: scenario.rule, message, output: None }], None, None)
            }
        };
        if !repeats {
            self.found.calls += 1;
            match seen.as_ref().map(|seen| seen.status) {
                Some(0) => self.found.succeeded += 1,
                Some(_) => self.found.refused += 1,
                None => {}
            }
        }
        if let Some(why) = undecided.filter(|why| !self.found.undecided.contains(why)) {
            self.found.undecided.push(why);
        }
        if seen.as_ref().is_some_and(|seen| seen.status != 0 && seen.broken.is_empty()) && !step.args.is_empty() {
            refused.get_or_insert(step);
        }
        for each in judged {
            self.note(each, call.clone(), scenario.situation.clone());
        }
        Ok(seen)
    }

    /// Whether it has hung so often that the rest would take too long.
    fn hangs(&mut self) -> bool {
        const ENOUGH: u32 = 3;
        let hangs = self.found.breaches.iter().find(|breach| breach.rule == rules::HANGS.id);
        let enough = hangs.is_some_and(|breach| breach.others + 1 >= ENOUGH);
        let why = format!("what else it does: it has hung {ENOUGH} times");
        if enough && !self.found.undecided.contains(&why) {
            self.found.undecided.push(why);
        }
        enough
    }

    /// Notes that a rule was broken: in full when it is the first time.
    fn note(&mut self, judged: Judged, call: String, situation: String) {
        let Judged { rule, message, output } = judged;
        match self.found.breaches.iter_mut().find(|known| known.rule == rule.id) {
            Some(known) => known.others += 1,
            None => {
                let (rule, level) = (rule.id.to_owned(), rule.level);
                self.found.breaches.push(Breach { rule, level, call, situation, message, others: 0, output });
            }
        }
    }
}
