//! `tvm-ffi-verify check`.

use std::{
    path::PathBuf,
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use tvm_ffi_reports::{Report, RunInfo, Tool, exit};
use tvm_ffi_spec::clause::Basis;

use super::{
    choices::{self, Format},
    output::{self, Color, ReportFile, complain},
    progress::{Observer, Progress},
};
use crate::{
    checks,
    harness::{
        known::KnownFailures,
        options::Options,
        plan::{self, Levels, Pattern},
        process::message::Isolation,
        runner::{self, NoRun},
    },
    target::Target,
};

#[derive(clap::Args)]
pub struct Args {
    /// A libtvm_ffi.so, a directory that holds one, or an apache-tvm-ffi wheel; the reference if not given
    target: Option<PathBuf>,
    /// Run only these checks: a check or clause id, the beginning of one, or a glob; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    only: Vec<Pattern>,
    /// Do not run these checks; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::parse)]
    skip: Vec<Pattern>,
    /// Which clauses to decide
    #[arg(long, value_enum, default_value = "all")]
    level: Levels,
    /// Decide only what rests on this: comma-separated or repeated [default: all]
    #[arg(long, value_parser = choices::basis(), value_name = "BASIS", value_delimiter = ',')]
    basis: Vec<Basis>,
    /// Have SHOULD clauses count like MUST clauses; otherwise those that are not kept are only mentioned
    #[arg(long)]
    strict: bool,
    /// How many checks run at once [default: one per core]
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
    /// A file of failures that are known and tolerated
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
    /// Rewrite the file of known failures so that it lists what fails in this run
    #[arg(long, requires = "known_failures")]
    bless: bool,
    /// Write a report to a file, as json=PATH or junit=PATH; repeatable
    #[arg(long, value_name = "FORMAT=PATH")]
    report: Vec<ReportFile>,
    /// What is printed on standard output
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Report on every check as on those that did not pass: a line for each in text, and what it printed in JSON
    #[arg(long, short)]
    verbose: bool,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Show progress on standard error: a bar, a line for each check, or nothing; auto is a bar on a terminal
    #[arg(long, value_enum, default_value = "auto")]
    progress: Progress,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}

/// Runs the checks and answers the exit code.
pub fn main(args: &Args) -> u8 {
    match run(args) {
        Ok(code) | Err(code) => code,
    }
}

fn run(args: &Args) -> Result<u8, u8> {
    let usage = |problem: String| complain(&problem, exit::USAGE);
    let harness = |problem: &dyn std::fmt::Display| complain(&problem.to_string(), exit::HARNESS_FAILED);

    let known = match &args.known_failures {
        Some(path) => KnownFailures::read(path, args.bless).map_err(usage)?,
        None => KnownFailures::default(),
    };
    let bases = if args.basis.is_empty() { Basis::ALL } else { &args.basis };
    let checks = plan::select(args.level, bases, &args.only, &args.skip);
    if checks.is_empty() {
        return Err(complain("no check is left to run; nothing can be said of the target", exit::NOTHING_RAN));
    }
    let scratch = tempfile::Builder::new().prefix("tvm-ffi-verify-").tempdir().map_err(|error| harness(&error))?;
    let target =
        Target::locate(args.target.as_deref(), scratch.path()).map_err(|problem| usage(problem.to_string()))?;
    let options = Options {
        program: std::env::current_exe().map_err(|error| harness(&error))?,
        scratch: scratch.path().to_owned(),
        jobs: args.jobs.map_or_else(cores, usize::from),
        timeout: args.timeout,
        isolation: args.isolation,
        seed: args.seed.unwrap_or_else(new_seed),
        cases: args.cases,
        verbose: args.verbose,
    };

    let (started, clock) = (SystemTime::now(), Instant::now());
    let observer = Observer::new(args.progress, &checks);
    let findings = runner::run(&target, &checks, &options, &|report| observer.saw(report));
    observer.finish();
    let mut findings = findings.map_err(|problem| match problem {
        NoRun::Refused(reason) => usage(format!("{} cannot be opened: {reason}", target.path.display())),
        NoRun::Harness(problem) => harness(&problem),
    })?;

    let all: Vec<_> = checks::all().map(|check| check.id).collect();
    let stale = known.apply(&mut findings.checks, &all).map_err(usage)?;
    let report = Report::new(
        Tool { name: "tvm-ffi-verify".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        tvm_ffi_reports::Target {
            path: target.path.display().to_string(),
            sha256: target.sha256,
            claimed_version: findings.version,
            capabilities: findings.capabilities.report(),
            origin: target.origin,
        },
        RunInfo {
            seed: options.seed,
            cases: options.cases,
            level: args.level.as_str().to_owned(),
            basis: bases.to_vec(),
            strict: args.strict,
            isolation: options.isolation.as_str().to_owned(),
            jobs: options.jobs as u32,
            started: rfc3339(started),
            duration_ms: clock.elapsed().as_millis() as u64,
        },
        findings.checks,
    );
    output::print(&report, args.format, args.verbose, args.color).map_err(|error| harness(&error))?;
    for file in &args.report {
        file.write(&report).map_err(usage)?;
    }
    if let (true, Some(path)) = (args.bless, &args.known_failures) {
        let count = known.bless(path, &report.checks).map_err(|error| harness(&error))?;
        anstream::eprintln!("{} now lists {count} known failures; explain each before you rely on it", path.display());
        return Ok(exit::CONFORMS);
    }
    for problem in &stale {
        complain(problem, exit::DOES_NOT_CONFORM);
    }
    let code = report.summary.exit_code;
    Ok(if stale.is_empty() || code != exit::CONFORMS { code } else { exit::DOES_NOT_CONFORM })
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
