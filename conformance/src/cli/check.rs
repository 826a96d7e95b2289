//! `tvm-ffi-verify check`.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use tempfile::TempDir;
use tvm_ffi_reports::{Demands, Report, RunInfo, exit};
use tvm_ffi_spec::{abi::abi, clause::Basis, layer::Layer, part::Part};

use super::{
    choices::{ByBasis, ByLayer},
    config::Config,
    files,
    output::{Outputs, complain},
    progress::{Observer, Progress},
    version,
};
use crate::{
    checks,
    harness::{
        instrumented::Surroundings,
        interrupt,
        known::KnownFailures,
        options::Options,
        plan::{self, Levels, Pattern},
        process::{descendants, message::Isolation},
        requirement::{Baseline, Requirement},
        runner::{self, Asked, Findings, NoRun, OnReport},
    },
    target::Target,
    trial::check::Check,
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
A list of known failures is a TOML file with entries such as
  [[known]]
  check = \"tensor.import-*\"           # the id of a check, or a glob
  outcome = \"crash\"                   # if given: only this outcome is known
  message = \"strides of the tensor\"   # if given: only messages that hold this are known
  reason = \"mended in the next release\"

tvm-ffi-verify.toml in the current directory may hold `target`, `require`, `baseline`, `known-failures`, `level`,
`basis`, `profile` and `strict`, each as the option of that name; what stands on the command line comes first.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A libtvm_ffi.so, a directory that holds one, or an apache-tvm-ffi wheel; the reference if not given
    target: Option<PathBuf>,
    /// Run only these checks: a check or clause id, the beginning of one, or a glob; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    only: Vec<Pattern>,
    /// Do not run these checks; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    skip: Vec<Pattern>,
    /// Have the target have everything that this release has, or what shows this capability, and the clauses that go with it
    /// in force: comma-separated or repeated
    #[arg(long, value_name = "RELEASE|CAPABILITY", value_delimiter = ',')]
    require: Vec<String>,
    /// Have the target have what OLD has, and pass what OLD passes: a library, a wheel, or a report that was saved as JSON
    #[arg(long, value_name = "OLD")]
    baseline: Option<PathBuf>,
    /// How much of the ABI the target is held to [default: full]
    #[arg(long, value_enum)]
    profile: Option<ByLayer>,
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
    /// How many checks run at once [default: two more than there are cores, as some only wait]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// How long an ordinary check may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// How checks are kept apart: forked from a process that has opened the target, or each in a fresh process
    #[arg(long, value_enum, default_value = "fork")]
    isolation: Isolation,
    /// What random choices start from [default: a new one for each run]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many cases a property check tries
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,
    /// How often a check that fails is run again, to tell what fails each time from what fails now and then, which counts as
    /// broken, too. One that is late or known is not run again
    #[arg(long, value_name = "N", default_value = "2")]
    repeat: u32,
    /// Run the one check that is selected in this very process, for a debugger: without a deadline or a limit, and whatever
    /// ends the check ends the program
    #[arg(long)]
    in_process: bool,
    /// Stop when this many checks have failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_failures: Option<u32>,
    /// How much memory the target may take in a process, such as 512M or 8G; 0 for any amount
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = size)]
    memory: u64,
    /// How much the target may keep in the folder for what is temporary, such as 100M; 0 for any amount
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    disk: u64,
    /// The library of the sanitizer that the target is built with, loaded before all others; found through the compiler if
    /// not given; repeatable
    #[arg(long, value_name = "PATH")]
    sanitizer_runtime: Vec<PathBuf>,
    /// A file of failures that are known and tolerated
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
    /// Have the file of known failures list what fails in this run; what did not run stays as it is
    #[arg(long)]
    bless: bool,
    /// Show progress on standard error: a bar with failures and time, a line for each check, or nothing; auto is a bar on a
    /// terminal
    #[arg(long, value_enum, default_value = "auto")]
    progress: Progress,
    #[command(flatten)]
    outputs: Outputs,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => 0,
    };
    let number: Option<u64> = digits.parse().ok().filter(|_| unit > 0);
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(|| "expected a size such as 512M or 8G".to_owned())
}

/// Runs the checks and answers the exit code.
pub fn main(args: &Args) -> u8 {
    match run(args) {
        Ok(code) | Err(code) => code,
    }
}

fn usage(problem: String) -> u8 {
    complain(&problem, exit::USAGE)
}

fn harness(problem: impl std::fmt::Display) -> u8 {
    complain(&problem.to_string(), exit::HARNESS_FAILED)
}

fn run(args: &Args) -> Result<u8, u8> {
    let settings = Settings::of(args).map_err(usage)?;
    let known = settings.known_failures(args.bless).map_err(usage)?;
    let checks = plan::select(settings.level, &settings.basis, settings.profile, &args.only, &args.skip);
    if checks.is_empty() {
        return Err(complain("no check is left to run; nothing can be said of the target", exit::NOTHING_RAN));
    }
    if args.in_process && checks.len() != 1 {
        return Err(usage(format!("--in-process runs one check, and {} are selected", checks.len())));
    }
    interrupt::watch(descendants::household()).map_err(harness)?;
    let scratch = tempfile::Builder::new().prefix("tvm-ffi-verify-").tempdir().map_err(harness)?;
    let target =
        Target::locate(settings.target.as_deref(), scratch.path()).map_err(|problem| usage(problem.to_string()))?;
    settings.try_outputs(args, &target).map_err(usage)?;
    if args.in_process {
        begin_anew(&target, args, &scratch)?;
    }
    let options = Options {
        program: std::env::current_exe().map_err(harness)?,
        scratch: scratch.path().to_owned(),
        jobs: args.jobs.map_or_else(|| cores() + 2, usize::from),
        timeout: args.timeout,
        isolation: args.isolation,
        seed: args.seed.unwrap_or_else(new_seed),
        cases: args.cases,
        repeats: args.repeat,
        in_process: args.in_process,
        memory: args.memory,
        disk: args.disk,
        sanitizer_runtimes: args.sanitizer_runtime.clone(),
        verbose: args.outputs.verbose,
    };
    let run = Run {
        settings: &settings,
        checks: &checks,
        options: &options,
        started: SystemTime::now(),
        clock: Instant::now(),
    };
    let baseline = settings.baseline.as_deref().map(|path| run.baseline(path)).transpose()?;
    let requirement = Requirement::parse(&settings.require, baseline).map_err(usage)?;

    let progress = if args.outputs.quiet { Progress::None } else { args.progress };
    let (observer, failures) = (Observer::new(progress, &checks, settings.strict), AtomicU32::new(0));
    let findings = run.judge(&target, &requirement, &known, &|report| {
        report.kept_by_baseline = requirement.keeps(&report.id);
        known.mark(report);
        observer.saw(report);
        let failed = u32::from(report.breaks_conformance(settings.strict));
        let failed = failures.fetch_add(failed, Ordering::Relaxed) + failed;
        if args.max_failures.is_some_and(|most| failed >= most) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    observer.finish();
    let mut findings = findings?;

    let all: Vec<_> = checks::all().map(|check| check.id).collect();
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
    let demands = run.demands(&requirement, &findings, known.untrue(&findings.checks, &all));
    let report = run.report(target, findings, demands);
    Ok(args.outputs.write(&report))
}

/// Begins the program anew if the target has to have the libraries of a sanitizer loaded before all others: a process gets
/// these when it begins.
fn begin_anew(target: &Target, args: &Args, scratch: &TempDir) -> Result<(), u8> {
    let problem = |problem: String| usage(format!("{}: {problem}", target.path.display()));
    let surroundings = Surroundings::of(&target.instrumented, &args.sanitizer_runtime).map_err(problem)?;
    surroundings.begin_anew(|| std::fs::remove_dir_all(scratch.path())).map_err(harness)
}

/// What is asked for: on the command line, or else in the repository's settings.
struct Settings {
    target: Option<PathBuf>,
    require: Vec<String>,
    baseline: Option<PathBuf>,
    known_failures: Option<PathBuf>,
    level: Levels,
    basis: Vec<Basis>,
    profile: Layer,
    strict: bool,
}

impl Settings {
    fn of(args: &Args) -> Result<Self, String> {
        let config = Config::read(args.config.as_deref())?;
        let first =
            |given: &[String], configured: Vec<String>| if given.is_empty() { configured } else { given.to_vec() };
        let basis: Vec<_> = if args.basis.is_empty() { config.basis } else { args.basis.clone() };
        let settings = Self {
            target: args.target.clone().or(config.target),
            require: first(&args.require, config.require),
            baseline: args.baseline.clone().or(config.baseline),
            known_failures: args.known_failures.clone().or(config.known_failures),
            level: args.level.or(config.level).unwrap_or(Levels::All),
            basis: if basis.is_empty() {
                Basis::ALL.to_vec()
            } else {
                basis.into_iter().map(|ByBasis(basis)| basis).collect()
            },
            profile: args.profile.or(config.profile).map_or(Layer::Full, |ByLayer(layer)| layer),
            strict: args.strict || config.strict,
        };
        // Before a baseline is run for nothing.
        Requirement::parse(&settings.require, None)?;
        if args.bless && settings.known_failures.is_none() {
            return Err("--bless needs --known-failures FILE, the file to write to".to_owned());
        }
        Ok(settings)
    }

    /// The list. One that is about to be written need not be there.
    fn known_failures(&self, to_be_written: bool) -> Result<KnownFailures, String> {
        let Some(path) = self.known_failures.as_deref().filter(|path| !to_be_written || path.exists()) else {
            return Ok(KnownFailures::default());
        };
        KnownFailures::parse(files::read_text(path)?).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    /// Makes sure that what is to be written can be, and that nothing of the user's is written over.
    fn try_outputs(&self, args: &Args, target: &Target) -> Result<(), String> {
        let mut taken: Vec<(&Path, &str)> = vec![(&target.path, "the target")];
        let inputs = [(&self.target, "the target"), (&self.baseline, "the baseline"), (&args.config, "the settings")];
        taken.extend(inputs.into_iter().filter_map(|(path, role)| Some((path.as_deref()?, role))));
        if let Some(list) = &self.known_failures {
            if args.bless {
                files::try_out_beside(list, &taken)?;
            }
            taken.push((list, "the list of known failures"));
        }
        args.outputs.try_out(&taken)
    }
}

/// One run of the program.
struct Run<'a> {
    settings: &'a Settings,
    checks: &'a [&'static Check],
    options: &'a Options,
    started: SystemTime,
    clock: Instant,
}

impl Run<'_> {
    fn judge(
        &self,
        target: &Target,
        requirement: &Requirement,
        known: &KnownFailures,
        on_report: OnReport,
    ) -> Result<Findings, u8> {
        let (in_force, profile) = (requirement.in_force(), self.settings.profile);
        let asked = Asked { checks: self.checks, in_force, profile, known };
        runner::run(target, &asked, self.options, on_report).map_err(|problem| match problem {
            NoRun::Refused(reason) => usage(format!("{} cannot be opened: {reason}", target.path.display())),
            NoRun::NotOne => {
                usage(format!("{} has no function of the ABI: it is no libtvm_ffi.so", target.path.display()))
            }
            NoRun::Sanitizer(problem) => usage(format!("{}: {problem}", target.path.display())),
            NoRun::Harness(problem) => harness(problem),
        })
    }

    /// What a library or a report has and keeps.
    fn baseline(&self, path: &Path) -> Result<Baseline, u8> {
        let name = path.display().to_string();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = files::read_text(path).map_err(usage)?;
            let report =
                serde_json::from_str(&text).map_err(|error| usage(format!("{name}: is no report ({error})")))?;
            return Ok(Baseline::of(name, report));
        }
        let options = Options { scratch: self.options.scratch.join("baseline"), ..self.options.clone() };
        std::fs::create_dir_all(&options.scratch).map_err(harness)?;
        let target = Target::locate(Some(path), &options.scratch).map_err(|problem| usage(problem.to_string()))?;
        let run = Run { options: &options, ..*self };
        let findings =
            run.judge(&target, &Requirement::default(), &KnownFailures::default(), &|_| ControlFlow::Continue(()))?;
        Ok(Baseline::of(name, run.report(target, findings, Demands::default())))
    }

    fn demands(&self, requirement: &Requirement, findings: &Findings, untrue: Vec<String>) -> Demands {
        let required = requirement.told();
        let wanted = |part: &Part| requirement.wants(part) && self.settings.profile.includes(Layer::of_part(part));
        let mut missing = findings.standing.missing(wanted);
        missing.extend(requirement.lost(&findings.standing.beyond));
        if !required.is_empty() && !findings.standing.answered() {
            missing.push("what is registered (the target does not survive being asked)".to_owned());
        }
        Demands { required, missing, untrue }
    }

    fn report(&self, target: Target, findings: Findings, demands: Demands) -> Report {
        let Findings { version, standing, checks, ended } = findings;
        let releases: Vec<_> = abi().releases_of(&target.sha256).collect();
        let is_yanked_claim = version.as_deref().is_some_and(|version| abi().is_yanked_claim(version));
        let implied = |part: &Part| {
            let claimed = version.as_deref().is_some_and(|version| abi().implied_by_claim(version, part));
            claimed && self.settings.profile.includes(Layer::of_part(part))
        };
        Report::new(
            version::tool(),
            tvm_ffi_reports::Target {
                path: target.path.display().to_string(),
                releases: releases.iter().map(|release| release.name.clone()).collect(),
                yanked: if releases.is_empty() {
                    is_yanked_claim
                } else {
                    releases.iter().all(|release| release.yanked)
                },
                sha256: target.sha256,
                capabilities: standing.capabilities.report(),
                origin: target.origin,
                has: standing.has(),
                lacks: standing.missing(implied),
                beyond: standing.beyond.parts,
                claimed_version: version,
                sanitizers: target.instrumented.sanitizers.iter().map(|one| one.as_str().to_owned()).collect(),
            },
            RunInfo {
                seed: self.options.seed,
                cases: self.options.cases,
                level: self.settings.level.as_str().to_owned(),
                basis: self.settings.basis.clone(),
                profile: self.settings.profile.as_str().to_owned(),
                strict: self.settings.strict,
                isolation: self.options.isolation.as_str().to_owned(),
                jobs: self.options.jobs as u32,
                started: rfc3339(self.started),
                duration_ms: self.clock.elapsed().as_millis() as u64,
                ended,
            },
            demands,
            checks,
        )
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn new_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Short enough to be typed.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// A moment as RFC 3339 text, in UTC. The interface to the `chrono` crate is here and nowhere else.
fn rfc3339(moment: SystemTime) -> String {
    DateTime::<Utc>::from(moment).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_rfc_3339() {
        let at = |millis| rfc3339(SystemTime::UNIX_EPOCH + Duration::from_millis(millis));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400_999), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_795_201_445_000), "2026-11-20T19:04:05Z");
    }
}
