//! `tvm-ffi-verify check`.

use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    path::PathBuf,
    str::FromStr,
    time::{Duration, Instant, SystemTime},
};

use anstream::AutoStream;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use tvm_ffi_reports::{CheckReport, Report, RunInfo, Tool, exit, json, junit, text};

use super::{Format, complain};
use crate::{
    checks,
    harness::{
        known::KnownFailures,
        plan::{self, Levels, Pattern},
        process::message::Isolation,
        runner::{self, NoRun, Options},
    },
    target::Target,
    trial::check::Check,
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
    /// Print a line for every check, not only for those that did not pass
    #[arg(long, short)]
    verbose: bool,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Show progress on standard error: a bar, a line for each check, or nothing; auto is a bar on a terminal
    #[arg(long, value_enum, default_value = "auto")]
    progress: Progress,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, ValueEnum)]
enum Progress {
    Auto,
    Bar,
    Lines,
    None,
}

type Render = fn(&Report, &mut dyn Write) -> io::Result<()>;

/// A report that is written to a file.
#[derive(Clone)]
struct ReportFile {
    render: Render,
    path: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORMATS: &[(&str, Render)] = &[("json", json::render), ("junit", junit::render)];
        let known = || FORMATS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
        let (format, path) = text.split_once('=').ok_or_else(|| format!("expected FORMAT=PATH, FORMAT {}", known()))?;
        let (_, render) = FORMATS
            .iter()
            .find(|(name, _)| *name == format)
            .ok_or_else(|| format!("`{format}` is not a report format; expected {}", known()))?;
        if path.is_empty() {
            Err("the path is empty".to_owned())
        } else {
            Ok(Self { render: *render, path: path.into() })
        }
    }
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
    let checks = plan::select(args.level, &args.only, &args.skip);
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
            strict: args.strict,
            isolation: options.isolation.as_str().to_owned(),
            jobs: options.jobs as u32,
            started: rfc3339(started),
            duration_ms: clock.elapsed().as_millis() as u64,
        },
        findings.checks,
    );
    match print(args, &report) {
        // A reader that has gone away (`| head`) is no failure; the exit code still tells.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(harness(&error)),
        _ => {}
    }
    for file in &args.report {
        let written = File::create(&file.path).and_then(|file_handle| {
            let mut out = BufWriter::new(file_handle);
            (file.render)(&report, &mut out)?;
            out.flush()
        });
        written.map_err(|error| usage(format!("{}: {error}", file.path.display())))?;
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

fn print(args: &Args, report: &Report) -> io::Result<()> {
    let choice = match args.color {
        Color::Auto => AutoStream::choice(&io::stdout()),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let mut out = BufWriter::new(AutoStream::new(io::stdout(), choice));
    match (args.format, args.verbose) {
        (Format::Json, _) => json::render(report, &mut out),
        (Format::Text, false) => text::render(report, &mut out),
        (Format::Text, true) => text::render_verbose(report, &mut out),
    }?;
    out.flush()
}

/// Shows progress on standard error. The interface to the `indicatif` crate is here and nowhere else.
struct Observer {
    bar: Option<ProgressBar>,
    lines: bool,
}

impl Observer {
    fn new(progress: Progress, checks: &[&'static Check]) -> Self {
        let terminal = io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").unwrap_or(ProgressStyle::default_bar());
        let wanted = matches!(progress, Progress::Bar) || (matches!(progress, Progress::Auto) && terminal);
        let bar = wanted.then(|| ProgressBar::new(checks.len() as u64).with_style(style));
        Self { bar, lines: matches!(progress, Progress::Lines) }
    }

    fn saw(&self, report: &CheckReport) {
        if let Some(bar) = &self.bar {
            bar.set_message(report.id.clone());
            bar.inc(1);
        }
        if self.lines {
            let mut line = Vec::new();
            // Writing to memory does not fail.
            let _ = text::check_line(report, &mut line);
            anstream::eprint!("{}", String::from_utf8_lossy(&line));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
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

/// A moment as RFC 3339 text, in UTC.
fn rfc3339(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

/// Year, month and day of a number of days since 1970-01-01 (Howard Hinnant's `civil_from_days`).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_rfc_3339() {
        let at = |seconds| rfc3339(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_795_201_445), "2026-11-20T19:04:05Z");
    }
}
