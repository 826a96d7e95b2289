//! `tvm-ffi-verify check`.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use tvm_ffi_reports::exit;
use tvm_ffi_spec::{
    generation::{Generation, generations, today},
    layer::Layer,
};

use super::{
    choices::{ByBasis, ByGeneration, ByLayer, Rendering},
    config::Config,
    files,
    output::{Outputs, complain},
    programs,
    progress::Observer,
    run::{Run, RunArgs, Selection, Unfit, harness, usage},
};
use crate::{
    checks,
    harness::{
        folder::Folder,
        instrumented::Surroundings,
        interrupt,
        known::KnownFailures,
        options::Options,
        plan::{self, Levels},
        process::descendants,
        requirement::{Baseline, Requirement},
    },
    target::Target,
    trial::check::Check,
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
A list of known failures is a TOML file with entries such as
  [[known]]
  check = \"tensor.import-*\"           # the id of a check, or a glob
  outcome = \"crash\"                   # only this outcome; if not given, any that breaks a clause
  message = \"strides of the tensor\"   # if given: only messages that hold this are known
  reason = \"mended in the next release\"
A check that is blocked is tolerated only where `outcome = \"blocked\"` says so.

tvm-ffi-verify.toml in the current directory may hold `target`, `require`, `baseline`, `known-failures`, `level`,
`basis`, `profile`, `generation` and `strict`, each as the option of that name; what stands on the command line comes first.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A libtvm_ffi.so, a directory that holds one, an apache-tvm-ffi wheel, or a release such as apache-tvm-ffi==0.1.12; the
    /// reference if not given
    target: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
    /// Have the target have everything that this release has, or what shows this capability, and the clauses that go with it
    /// in force: comma-separated or repeated
    #[arg(long, value_name = "RELEASE|CAPABILITY", value_delimiter = ',')]
    require: Vec<String>,
    /// Have the target have what OLD has, and pass what OLD passes: a library, a wheel, or a report that was saved as JSON. Symbols
    /// of OLD's own count, too, but for what it merely carries: weak ones, those in std, and reserved names
    #[arg(long, value_name = "OLD")]
    baseline: Option<PathBuf>,
    /// How much of the ABI the target is held to [default: full]
    #[arg(long, value_enum)]
    profile: Option<ByLayer>,
    /// The generation of the ABI that the target has to speak, and of which the reference is judged if no target is given
    /// [default: the one that the target shows to speak, and of the reference today's]
    #[arg(long, value_enum)]
    generation: Option<ByGeneration>,
    /// Settings for this repository [default: tvm-ffi-verify.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Which clauses to decide [default: all]
    #[arg(long, value_enum)]
    level: Option<Levels>,
    /// Decide only what rests on this: comma-separated or repeated [default: all]
    #[arg(long, value_enum, value_name = "BASIS", value_delimiter = ',')]
    basis: Vec<ByBasis>,
    /// Have SHOULD clauses count like MUST clauses; otherwise those that are not kept are only mentioned
    #[arg(long)]
    strict: bool,
    /// Run the one check that is selected in this very process, for a debugger: without a deadline or a limit, and whatever
    /// ends the check ends the program
    #[arg(long)]
    in_process: bool,
    /// Stop when this many checks have failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_failures: Option<u32>,
    /// Write a C program for each failure that repeats it without the suite, as CHECK.c in this folder; it is compiled with the
    /// headers and the library alone
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// A file of failures that are known and tolerated
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
    /// Have the file of known failures list what fails in this run; what did not run stays as it is
    #[arg(long)]
    bless: bool,
    /// Leave out of reports as JSON what the target shows of itself, without which nothing but the checks can be compared
    #[arg(long)]
    no_facts: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// Runs the checks and answers the exit code.
pub fn main(args: &Args) -> u8 {
    match run(args) {
        Ok(code) | Err(code) => code,
    }
}

fn run(args: &Args) -> Result<u8, u8> {
    let mut settings = Settings::of(args).map_err(usage)?;
    Unfit::retried(settings.selection.generation, |generation| {
        settings.selection.generation = generation;
        run_on(args, &settings)
    })
}

/// Judges the target by the generation that is asked for, or else today's.
fn run_on(args: &Args, settings: &Settings) -> Result<u8, Unfit> {
    let known = settings.known_failures(args.bless).map_err(usage)?;
    let generation = settings.selection.generation.unwrap_or_else(today);
    let strict = settings.selection.strict;
    if !generation.shares_functions() && settings.selection.profile != Layer::Full {
        return Err(Unfit::Code(usage(format!(
            "--profile names layers of today's ABI, which the {} generation does not have",
            generation.name
        ))));
    }
    let checks = settings.checks(generation, &args.run);
    // The target may show to speak another generation, of which there are some.
    let is_open = settings.target.is_some() && settings.selection.generation.is_none();
    if checks.is_empty() && !is_open {
        return Err(settings.nothing_left(generation, &args.run));
    }
    if !generation.is_today() && !settings.require.is_empty() {
        return Err(Unfit::Code(usage(format!(
            "--require names releases and capabilities, which the {} generation of the ABI does not have",
            generation.name
        ))));
    }
    if args.in_process && checks.len() > 1 {
        return Err(Unfit::Code(usage(format!("--in-process runs one check, and {} are selected", checks.len()))));
    }
    let scratch = Folder::new().map_err(harness)?;
    interrupt::watch(descendants::household()).map_err(harness)?;
    let target = Target::locate(settings.target.as_deref(), generation, scratch.path())
        .map_err(|problem| usage(problem.to_string()))?;
    if args.programs.is_some() && args.run.repeat == Some(0) {
        return Err(Unfit::Code(usage(
            "--programs writes what happens when a failure is repeated, and --repeat 0 has none be".to_owned(),
        )));
    }
    settings.try_outputs(args, &target, &checks).map_err(usage)?;
    if args.in_process {
        begin_anew(&target, args, &scratch)?;
    }
    let options = args.run.options(scratch.path()).map_err(harness)?;
    // Nothing but JSON holds them.
    let facts = args.outputs.has(Rendering::Json) && !args.no_facts;
    let older = (!generation.is_today()).then_some(generation.name.as_str());
    let options = Options { in_process: args.in_process, older, facts, verbose: args.outputs.verbose, ..options };
    let run = Run::new(&settings.selection, &checks, &options);
    let baseline = settings.baseline.as_deref().map(|path| baseline(&run, path)).transpose()?;
    let requirement = Requirement::parse(&settings.require, baseline).map_err(usage)?;

    let progress = args.run.progress(args.outputs.quiet);
    let (observer, failures) = (Observer::new(progress, &checks, strict), AtomicU32::new(0));
    let findings = run.judge(&target, &requirement, &known, &|report| {
        report.kept_by_baseline = requirement.keeps(&report.id);
        known.mark(report);
        observer.saw(report);
        // What is blocked has not failed: it waits for something that did, or is missing.
        let failed = u32::from(report.outcome.is_broken() && report.breaks_conformance(strict));
        let failed = failures.fetch_add(failed, Ordering::Relaxed) + failed;
        if args.max_failures.is_some_and(|most| failed >= most) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    observer.finish();
    let mut findings = findings?;
    if checks.is_empty() {
        return Err(settings.nothing_left(generation, &args.run));
    }

    let all: Vec<_> = checks::every().map(|check| check.id).collect();
    let known = match (args.bless, &settings.known_failures) {
        (true, Some(path)) => {
            let known = known.blessed(&findings.checks, &all).map_err(harness)?;
            files::replace(path, |out| out.write_all(known.text().as_bytes())).map_err(usage)?;
            let count = known.count();
            anstream::eprintln!("{} now has {count} entries; explain each before you rely on it", path.display());
            findings.checks.iter_mut().for_each(|check| known.mark(check));
            known
        }
        _ => known,
    };
    if let Some(folder) = &args.programs {
        programs::write(folder, &mut findings.checks).map_err(usage)?;
    }
    let demands = run.demands(&requirement, &findings, known.untrue(&findings.checks, &all));
    let report = run.report(target, findings, demands);
    Ok(args.outputs.write(&report))
}

/// What a library or a report has and keeps.
fn baseline(run: &Run, path: &Path) -> Result<Baseline, Unfit> {
    let report = run.report_on(path, "baseline", &|_| ControlFlow::Continue(()))?;
    Ok(Baseline::of(path.display().to_string(), report))
}

/// Begins the program anew if the target has to have the libraries of a sanitizer loaded before all others: a process gets
/// these when it begins.
fn begin_anew(target: &Target, args: &Args, scratch: &Folder) -> Result<(), u8> {
    let problem = |problem: String| usage(format!("{}: {problem}", target.path.display()));
    let surroundings = Surroundings::of(&target.instrumented, &args.run.limits.sanitizer_runtime).map_err(problem)?;
    surroundings.begin_anew(|| std::fs::remove_dir_all(scratch.path())).map_err(harness)
}

/// What is asked for: on the command line, or else in the repository's settings.
struct Settings {
    target: Option<PathBuf>,
    require: Vec<String>,
    baseline: Option<PathBuf>,
    known_failures: Option<PathBuf>,
    selection: Selection,
}

impl Settings {
    fn of(args: &Args) -> Result<Self, String> {
        let config = Config::read(args.config.as_deref())?;
        let first =
            |given: &[String], configured: Vec<String>| if given.is_empty() { configured } else { given.to_vec() };
        let basis: Vec<_> = if args.basis.is_empty() { config.basis } else { args.basis.clone() };
        let all = Selection::default();
        let mut settings = Self {
            target: args.target.clone().or(config.target),
            require: first(&args.require, config.require),
            baseline: args.baseline.clone().or(config.baseline),
            known_failures: args.known_failures.clone().or(config.known_failures),
            selection: Selection {
                level: args.level.or(config.level).unwrap_or(all.level),
                basis: if basis.is_empty() { all.basis } else { basis.into_iter().map(|ByBasis(one)| one).collect() },
                profile: args.profile.or(config.profile).map_or(all.profile, |ByLayer(layer)| layer),
                strict: args.strict || config.strict,
                generation: args.generation.or(config.generation).map(|ByGeneration(generation)| generation),
            },
        };
        // The reference that is judged where nothing else is said is today's.
        if settings.target.is_none() {
            settings.selection.generation.get_or_insert(today());
        }
        // Before a baseline is run for nothing.
        Requirement::parse(&settings.require, None)?;
        if args.bless && settings.known_failures.is_none() {
            return Err("--bless needs --known-failures FILE, the file to write to".to_owned());
        }
        Ok(settings)
    }

    /// The checks of a generation that are asked for.
    fn checks(&self, generation: &Generation, run: &RunArgs) -> Vec<&'static Check> {
        let Selection { level, basis, profile, .. } = &self.selection;
        plan::select(&generation.name, *level, basis, *profile, &run.only, &run.skip)
    }

    /// Says that no check of a generation is asked for, and which other has some.
    fn nothing_left(&self, generation: &Generation, run: &RunArgs) -> Unfit {
        let others = generations().iter().filter(|other| !self.checks(other, run).is_empty());
        let others: Vec<_> = others.map(|other| format!("--generation {}", other.name)).collect();
        let advice = match others.as_slice() {
            [] => String::new(),
            others => format!(
                "; the {} generation has none that is asked for: {} has some",
                generation.name,
                others.join(" or ")
            ),
        };
        let problem = format!("no check is left to run; nothing can be said of the target{advice}");
        Unfit::Code(complain(&problem, exit::NOTHING_RAN))
    }

    /// The list. One that is about to be written need not be there.
    fn known_failures(&self, to_be_written: bool) -> Result<KnownFailures, String> {
        let Some(path) = self.known_failures.as_deref().filter(|path| !to_be_written || path.exists()) else {
            return Ok(KnownFailures::default());
        };
        KnownFailures::parse(files::read_text(path)?).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    /// Makes sure that what is to be written can be, and that nothing that the run reads or writes elsewhere is written over.
    fn try_outputs(&self, args: &Args, target: &Target, checks: &[&Check]) -> Result<(), String> {
        let mut taken: Vec<(&Path, &str)> = vec![(&target.path, "the target")];
        let config = Config::file(args.config.as_deref());
        let inputs = [
            (self.target.as_deref(), "the target"),
            (self.baseline.as_deref(), "the baseline"),
            (config, "the settings"),
        ];
        taken.extend(inputs.into_iter().filter_map(|(path, role)| Some((path?, role))));
        if let Some(list) = &self.known_failures {
            if args.bless {
                files::try_out(list, &taken)?;
            }
            taken.push((list, "the list of known failures"));
        }
        args.outputs.try_out(&taken)?;
        let Some(folder) = &args.programs else { return Ok(()) };
        taken.extend(args.outputs.files().map(|path| (path, "a report")));
        programs::try_out(folder, checks.iter().map(|check| check.id), &taken)
    }
}
