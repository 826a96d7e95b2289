//! How checks are run, for every command that runs some: its options, the run itself, and the report of it.

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use tvm_ffi_reports::{Demands, Report, RunInfo, exit};
use tvm_ffi_spec::{
    abi::abi,
    clause::{self, Basis},
    generation::{Generation, today},
    layer::Layer,
    part::Part,
};

use super::{files, names, output::complain, progress::Progress, version};
use crate::{
    checks,
    harness::{
        asked::Asked,
        generation::{self as spoken, NotJudged},
        known::KnownFailures,
        lacking,
        no_run::NoRun,
        older::Older,
        options::Options,
        plan::{Levels, Pattern},
        process::message::Isolation,
        requirement::Requirement,
        runner::{self, Findings, OnReport},
    },
    target::Target,
    trial::check::Check,
};

/// Which checks run, and how.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Run only these checks: a check or clause id, the beginning of one, or a glob; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub only: Vec<Pattern>,
    /// Do not run these checks; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub skip: Vec<Pattern>,
    /// How checks are kept apart
    #[arg(long, value_enum, default_value = "shared")]
    isolation: Isolation,
    /// What random choices start from [default: a new one for each run]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many cases a property check tries
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,
    /// How often a check that fails is run again, to tell what fails each time from what fails now and then, which counts as
    /// broken, too. One that is late or known is not run again [default: 2; of compare 0, which runs again what ends differently]
    #[arg(long, value_name = "N")]
    pub repeat: Option<u32>,
    #[command(flatten)]
    pub limits: Limits,
    /// Show progress on standard error: a bar with failures and time, a line for each check, or nothing; auto is a bar on a
    /// terminal
    #[arg(long, value_enum, default_value = "auto")]
    progress: Progress,
}

/// What processes may take, for every command that has some.
#[derive(clap::Args)]
pub struct Limits {
    /// How many checks, or functions of kernels, run at once [default: two more than there are cores, as some only wait]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// How long an ordinary check, a call, or opening the target may take, in seconds; where it waits for a processor or a disk that others
    /// keep busy, up to four times as long
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// How much memory the target may take in a process, such as 512M or 8G; 0 for any amount
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = size)]
    memory: u64,
    /// How much the target may write in a check, deleted or not, and keep in the folder for what is temporary and in /dev/shm,
    /// such as 100M; when it has written ten times that to disks in all, the run ends. 0 for any amount
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    disk: u64,
    /// The library of the sanitizer that the target is built with, loaded before all others; found through the compiler if
    /// not given; repeatable
    #[arg(long, value_name = "PATH")]
    pub sanitizer_runtime: Vec<PathBuf>,
}

impl Limits {
    /// As the harness takes it, for a run with its files in that folder; what is about checks alone is as if nothing were said.
    pub fn options(&self, scratch: &Path) -> io::Result<Options> {
        Ok(Options {
            program: std::env::current_exe()?,
            scratch: scratch.to_owned(),
            jobs: self.jobs.map_or_else(|| cores() + 2, usize::from),
            timeout: self.timeout,
            isolation: Isolation::Fork,
            seed: 0,
            cases: 0,
            repeats: 0,
            in_process: false,
            memory: self.memory,
            disk: self.disk,
            sanitizer_runtimes: self.sanitizer_runtime.clone(),
            older: None,
            facts: false,
            verbose: false,
        })
    }
}

/// How often a check that fails is run again.
const REPEATS: u32 = 2;

impl RunArgs {
    /// How progress is shown, where nothing is to be printed if that is `quiet`.
    pub fn progress(&self, quiet: bool) -> Progress {
        if quiet { Progress::None } else { self.progress }
    }

    /// As the harness takes it, for a run with its files in that folder.
    pub fn options(&self, scratch: &Path) -> io::Result<Options> {
        Ok(Options {
            isolation: self.isolation,
            seed: self.seed.unwrap_or_else(new_seed),
            cases: self.cases,
            repeats: self.repeat.unwrap_or(REPEATS),
            facts: true,
            ..self.limits.options(scratch)?
        })
    }
}

/// A pattern. One that no check answers to is refused, with what may have been meant.
fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::parse(text).map_err(|problem| {
        let ids = clause::every().map(|clause| &*clause.id).chain(checks::every().map(|check| check.id));
        match names::nearest(text, ids).as_slice() {
            [] => problem,
            near => format!("{problem}; similar: {}", near.join(", ")),
        }
    })
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

/// Which clauses are decided, and which of them count.
pub struct Selection {
    /// Clauses of which levels are decided.
    pub level: Levels,
    /// What they rest on.
    pub basis: Vec<Basis>,
    /// How much of the ABI the target is held to.
    pub profile: Layer,
    /// Whether SHOULD clauses count like MUST clauses.
    pub strict: bool,
    /// The generation of the ABI that the target has to speak, if not just the one that is judged.
    pub generation: Option<&'static Generation>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { level: Levels::All, basis: Basis::ALL.to_vec(), profile: Layer::Full, strict: false, generation: None }
    }
}

/// Why a target was not judged.
pub enum Unfit {
    /// It was said, and this is the code to exit with.
    Code(u8),
    /// It speaks an older generation that nobody has asked for.
    Older(&'static str),
}

impl From<u8> for Unfit {
    fn from(code: u8) -> Self {
        Self::Code(code)
    }
}

impl Unfit {
    /// Does something by today's generation, or by this, and again by the one that it turns out to be about.
    pub fn retried<T>(
        mut generation: Option<&'static Generation>,
        mut act: impl FnMut(Option<&'static Generation>) -> Result<T, Self>,
    ) -> Result<T, u8> {
        loop {
            match act(generation) {
                // What is said of it is in the report, too.
                Err(Self::Older(name)) => generation = tvm_ffi_spec::generation::generation(name),
                Err(Self::Code(code)) => return Err(code),
                Ok(done) => return Ok(done),
            }
        }
    }
}

/// What is said of a mistake of the user's, and the code to exit with.
pub fn usage(problem: String) -> u8 {
    complain(&problem, exit::USAGE)
}

/// The same of a failure of the suite's own.
pub fn harness(problem: impl std::fmt::Display) -> u8 {
    complain(&problem.to_string(), exit::HARNESS_FAILED)
}

/// One run of the program.
pub struct Run<'a> {
    pub selection: &'a Selection,
    pub checks: &'a [&'static Check],
    pub options: &'a Options,
    started: SystemTime,
    clock: Instant,
}

impl<'a> Run<'a> {
    /// A run of these checks that begins now.
    pub fn new(selection: &'a Selection, checks: &'a [&'static Check], options: &'a Options) -> Self {
        Self { selection, checks, options, started: SystemTime::now(), clock: Instant::now() }
    }

    /// Runs the checks. What went wrong is said, and answered is the code to exit with.
    pub fn judge(
        &self,
        target: &Target,
        requirement: &Requirement,
        known: &KnownFailures,
        on_report: OnReport,
    ) -> Result<Findings, Unfit> {
        let (in_force, profile) = (requirement.in_force(), self.selection.profile);
        let generation = self.selection.generation;
        let asked = Asked { checks: self.checks, in_force, profile, known, generation };
        let found = runner::run(target, &asked, self.options, on_report).map(|mut findings| {
            lacking::put_down(&mut findings, &asked, self.options);
            findings
        });
        found.map_err(|problem| {
            Unfit::Code(match problem {
                NoRun::Generation(NotJudged::Unasked(name)) => return Unfit::Older(name),
                NoRun::Refused(reason) => usage(format!("{} cannot be opened: {reason}", target.path.display())),
                NoRun::NotOne => {
                    let judges = |older: &Generation| {
                        format!(
                            "; it has functions of the {0} generation, by which --generation {0} judges it",
                            older.name
                        )
                    };
                    let advice = spoken::named_by(target).map(judges).unwrap_or_default();
                    let path = target.path.display();
                    usage(format!("{path} has no function of the ABI: it is no libtvm_ffi.so{advice}"))
                }
                NoRun::Generation(NotJudged::Another(told)) => usage(format!("{} {told}", target.named())),
                NoRun::Sanitizer(problem) => usage(format!("{}: {problem}", target.path.display())),
                NoRun::Harness(problem) => harness(problem),
            })
        })
    }

    /// The report that was saved in a file, or else that of a run on the library there, in a folder of its own. The checks
    /// are the same.
    pub fn report_on(&self, path: &Path, folder: &str, on_report: OnReport) -> Result<Report, Unfit> {
        if is_saved(path) {
            let text = files::read_text(path).map_err(usage)?;
            let no_report = |error| usage(format!("{}: is no report ({error})", path.display()));
            return Ok(serde_json::from_str(&text).map_err(no_report)?);
        }
        let options = Options { scratch: self.options.scratch.join(folder), ..self.options.clone() };
        std::fs::create_dir_all(&options.scratch).map_err(harness)?;
        let generation = self.selection.generation.unwrap_or_else(today);
        let target =
            Target::locate(Some(path), generation, &options.scratch).map_err(|problem| usage(problem.to_string()))?;
        let run = Run { options: &options, ..*self };
        let findings = run.judge(&target, &Requirement::default(), &KnownFailures::default(), on_report)?;
        Ok(run.report(target, findings, Demands::default()))
    }

    /// What was asked for beside the clauses, and what came of it.
    pub fn demands(&self, requirement: &Requirement, findings: &Findings, untrue: Vec<String>) -> Demands {
        let required = requirement.told();
        let wanted = |part: &Part| requirement.wants(part) && self.selection.profile.includes(Layer::of_part(part));
        let mut missing = findings.standing.missing(wanted);
        missing.extend(requirement.lost(&findings.standing.beyond));
        if !required.is_empty() && !findings.standing.answered() {
            missing.push("what is registered (the target does not survive being asked)".to_owned());
        }
        Demands { required, missing, untrue }
    }

    /// The report of what was found.
    pub fn report(&self, target: Target, findings: Findings, demands: Demands) -> Report {
        let Findings { version, standing, facts, checks, ended, older, beside } = findings;
        let releases: Vec<_> = abi().releases_of(&target.sha256).collect();
        let is_yanked_claim = version.as_deref().is_some_and(|version| abi().is_yanked_claim(version));
        let implied = |part: &Part| {
            let claimed = version.as_deref().is_some_and(|version| abi().implied_by_claim(version, part));
            claimed && self.selection.profile.includes(Layer::of_part(part))
        };
        let report = Report::new(
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
                generation: older.map(Older::told),
                beside,
                sanitizers: target.instrumented.sanitizers.iter().map(|one| one.as_str().to_owned()).collect(),
            },
            RunInfo {
                seed: self.options.seed,
                cases: self.options.cases,
                level: self.selection.level.as_str().to_owned(),
                basis: self.selection.basis.clone(),
                profile: self.selection.profile.as_str().to_owned(),
                strict: self.selection.strict,
                isolation: self.options.isolation.as_str().to_owned(),
                jobs: self.options.jobs as u32,
                started: rfc3339(self.started),
                duration_ms: self.clock.elapsed().as_millis() as u64,
                ended,
            },
            demands,
            checks,
        );
        match facts {
            Some(facts) => report.showing(facts),
            None => report,
        }
    }
}

/// Whether a path is that of a saved report and not of a library.
pub fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
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
