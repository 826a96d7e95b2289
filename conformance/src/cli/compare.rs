//! `tvm-ffi-verify compare`.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use tvm_ffi_reports::{
    Outcome, Report,
    comparison::{Comparison, FailOn, Side},
};
use tvm_ffi_spec::generation::{Generation, TODAY, generation, today};

use super::{
    files,
    output::Outputs,
    progress::Observer,
    run::{Run, RunArgs, Selection, Unfit, harness, is_saved, usage},
    version,
};
use crate::{
    harness::{folder::Folder, interrupt, plan, process::descendants},
    trial::check::Check,
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
A saved report is a file whose name ends with .json, from `check --report json=FILE` or `compare --report json=FILE`; of
the latter the new library is taken. Save one of each release, and continuous integration needs no old library.

Exit codes:
  0  no difference that --fail-on has count
  1  one that it has count
  2  the command line, or something it names, is wrong
  3  the suite itself failed, or cannot run where it is
  4  nothing could be compared
  5  the run was interrupted";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The old one: a libtvm_ffi.so, a directory that holds one, an apache-tvm-ffi wheel, a release such as
    /// apache-tvm-ffi==0.1.12, or a saved report
    old: PathBuf,
    /// The new one, as one of these
    new: PathBuf,
    /// Exit with 1 if there is such a difference
    #[arg(long, value_enum, default_value = "breaking", value_name = "WHICH")]
    fail_on: FailOnWhich,
    /// Compare what the libraries show of themselves, and run no checks
    #[arg(long, conflicts_with_all = ["only", "skip"])]
    no_checks: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    outputs: Outputs,
}

/// A choice of differences.
#[derive(Clone, Copy, ValueEnum)]
enum FailOnWhich {
    /// What breaks prebuilt clients or sources, and promises that are kept no more
    Breaking,
    /// These, and whatever is new
    Addition,
    /// Any difference
    Any,
}

impl From<FailOnWhich> for FailOn {
    fn from(which: FailOnWhich) -> Self {
        match which {
            FailOnWhich::Breaking => FailOn::Breaking,
            FailOnWhich::Addition => FailOn::Addition,
            FailOnWhich::Any => FailOn::Any,
        }
    }
}

/// Compares two libraries and answers the exit code.
pub fn main(args: &Args) -> u8 {
    match run(args) {
        Ok(code) | Err(code) => code,
    }
}

fn run(args: &Args) -> Result<u8, u8> {
    Unfit::retried(None, |generation| run_on(args, generation))
}

/// Compares them by the generation of the ABI that one of them has been found to speak, or else today's.
fn run_on(args: &Args, found: Option<&'static Generation>) -> Result<u8, Unfit> {
    let scratch = Folder::new().map_err(harness)?;
    interrupt::watch(descendants::household()).map_err(harness)?;
    let mut old = Library::new(&args.old, "old")?;
    let mut new = Library::new(&args.new, "new")?;
    let generation = found.or_else(|| old.generation()).or_else(|| new.generation());
    let selection = Selection { generation, ..Selection::default() };
    let Selection { level, basis, profile, .. } = &selection;
    let generation = &generation.unwrap_or_else(today).name;
    let checks = match args.no_checks {
        true => Vec::new(),
        false => plan::select(generation, *level, basis, *profile, &args.run.only, &args.run.skip),
    };
    args.outputs.try_out(&[(&args.old, "the old library"), (&args.new, "the new library")]).map_err(usage)?;
    let mut options = args.run.options(scratch.path()).map_err(harness)?;
    // What ends differently is run again here.
    options.repeats = args.run.repeat.unwrap_or(0);
    // What was saved has tried what its seed chose, and so does the other library.
    if let (Some(side), None) = (old.side.as_ref().or(new.side.as_ref()), args.run.seed) {
        options.seed = side.run.seed;
    }
    let run = Run::new(&selection, &checks, &options);
    old.judge(&run, args)?;
    new.judge(&run, args)?;
    if let (Some(one), Some(other)) = (old.generation(), new.generation())
        && one.name != other.name
    {
        return Err(Unfit::Code(usage(format!(
            "{} speaks the {} generation of the ABI and {} the {} one: no client of one is one of the other, and nothing is compared",
            args.old.display(),
            one.name,
            args.new.display(),
            other.name
        ))));
    }
    let differing: Vec<_> = checks.iter().copied().filter(|check| old.outcome(check) != new.outcome(check)).collect();
    // What one of them does by chance is no difference.
    if !differing.is_empty() && !interrupt::requested() {
        let run = Run::new(&selection, &differing, &options);
        old.judge_again(&run)?;
        new.judge_again(&run)?;
    }
    let (old, new) = (old.side.into_iter(), new.side.into_iter());
    let comparison =
        old.zip(new).next().map(|(old, new)| Comparison::of(version::tool(), old, new, args.fail_on.into()));
    let comparison = comparison.ok_or_else(|| harness("a library was not judged"))?;
    Ok(args.outputs.write(&comparison))
}

/// One of the two.
struct Library<'a> {
    path: &'a Path,
    /// Where its runs keep their files.
    folder: &'static str,
    /// What is known of it: from the beginning, if it was saved.
    side: Option<Side>,
}

impl<'a> Library<'a> {
    fn new(path: &'a Path, folder: &'static str) -> Result<Self, u8> {
        let side = if is_saved(path) { Some(read(path).map_err(usage)?) } else { None };
        Ok(Self { path, folder, side })
    }

    /// The generation of the ABI that it speaks, where that is known.
    fn generation(&self) -> Option<&'static Generation> {
        generation(self.side.as_ref()?.target.generation_name().unwrap_or(TODAY))
    }

    /// Runs the checks, unless what came of them was saved.
    fn judge(&mut self, run: &Run, args: &Args) -> Result<(), Unfit> {
        if self.side.is_none() {
            let observer = Observer::new(args.run.progress(args.outputs.quiet), run.checks, false);
            let report = run.report_on(self.path, self.folder, &|report| {
                observer.saw(report);
                ControlFlow::Continue(())
            });
            observer.finish();
            self.side = Some(Side::of(self.path.display().to_string(), report?));
        }
        Ok(())
    }

    /// Runs checks again, to tell what a library does each time from what it does now and then.
    fn judge_again(&mut self, run: &Run) -> Result<(), Unfit> {
        let Some(side) = self.side.as_mut().filter(|_| !is_saved(self.path)) else { return Ok(()) };
        let again = run.report_on(self.path, &format!("{}-again", self.folder), &|_| ControlFlow::Continue(()))?;
        for ran in &mut side.checks {
            let again = again.checks.iter().find(|again| again.id == ran.id);
            ran.unsteady |= again.is_some_and(|again| again.outcome.is_broken() != ran.outcome.is_broken());
        }
        Ok(())
    }

    fn outcome(&self, check: &Check) -> Option<Outcome> {
        let mut ran = self.side.iter().flat_map(|side| &side.checks);
        ran.find(|ran| ran.id == check.id).map(|ran| ran.outcome)
    }
}

/// What was saved of a library: by `check`, or by `compare` as the new one.
fn read(path: &Path) -> Result<Side, String> {
    let text = files::read_text(path)?;
    match (serde_json::from_str::<Report>(&text), serde_json::from_str::<Comparison>(&text)) {
        (Ok(report), _) => Ok(Side::of(path.display().to_string(), report)),
        (_, Ok(comparison)) => Ok(comparison.new),
        (Err(error), _) => Err(format!("{}: is no report ({error})", path.display())),
    }
}
