//! Progress on standard error. The interface to the `indicatif` crate is here and nowhere else.

use std::{
    fmt,
    io::{self, IsTerminal},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use clap::ValueEnum;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use tvm_ffi_reports::{CheckReport, Outcome, text};

use super::output::width_of;
use crate::trial::check::Check;

/// How progress is shown.
#[derive(Clone, Copy, ValueEnum)]
pub enum Progress {
    Auto,
    Bar,
    Lines,
    None,
}

/// How far, what came of it, how long it took and will take, and the last check. Narrow terminals show less of the end.
const TEMPLATE: &str = "{bar:16} {pos}/{len} · {prefix} · {elapsed}{left} · {wide_msg}";
/// How often the time is shown anew, even if no check ends.
const TICK: Duration = Duration::from_millis(500);

/// Shows each check as it ends.
pub struct Observer {
    bar: Option<ProgressBar>,
    lines: bool,
    strict: bool,
    failed: AtomicU32,
    blocked: AtomicU32,
}

impl Observer {
    /// An observer of a run of these checks; in a strict one every failure counts.
    pub fn new(progress: Progress, checks: &[&'static Check], strict: bool) -> Self {
        let terminal = io::stderr().is_terminal();
        let style =
            ProgressStyle::with_template(TEMPLATE).unwrap_or(ProgressStyle::default_bar()).with_key("left", left);
        let wanted = matches!(progress, Progress::Bar) || (matches!(progress, Progress::Auto) && terminal);
        let bar = wanted.then(|| ProgressBar::new(checks.len() as u64).with_style(style).with_prefix(told(0, 0)));
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        let (failed, blocked) = Default::default();
        Self { bar, lines: matches!(progress, Progress::Lines), strict, failed, blocked }
    }

    /// Shows that a check has ended; called from several threads.
    pub fn saw(&self, report: &CheckReport) {
        if report.breaks_conformance(self.strict) {
            let count = if report.outcome == Outcome::Blocked { &self.blocked } else { &self.failed };
            count.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_prefix(told(self.failed.load(Ordering::Relaxed), self.blocked.load(Ordering::Relaxed)));
            bar.set_message(report.id.clone());
        }
        if self.lines {
            let mut line = Vec::new();
            // Writing to memory does not fail.
            let _ = text::check_line(report, width_of(io::stderr()), &mut line);
            anstream::eprint!("{}", String::from_utf8_lossy(&line));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How long it will take, once there is something to tell it from.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // What is not shown is no failure.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

fn told(failed: u32, blocked: u32) -> String {
    if blocked == 0 { format!("{failed} failed") } else { format!("{failed} failed, {blocked} blocked") }
}
