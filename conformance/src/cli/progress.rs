//! Progress on standard error. The interface to the `indicatif` crate is here and nowhere else.

use std::io::{self, IsTerminal};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use tvm_ffi_reports::{CheckReport, text};

use crate::trial::check::Check;

/// How progress is shown.
#[derive(Clone, Copy, ValueEnum)]
pub enum Progress {
    Auto,
    Bar,
    Lines,
    None,
}

/// Shows each check as it ends.
pub struct Observer {
    bar: Option<ProgressBar>,
    lines: bool,
}

impl Observer {
    /// An observer of a run of these checks.
    pub fn new(progress: Progress, checks: &[&'static Check]) -> Self {
        let terminal = io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").unwrap_or(ProgressStyle::default_bar());
        let wanted = matches!(progress, Progress::Bar) || (matches!(progress, Progress::Auto) && terminal);
        let bar = wanted.then(|| ProgressBar::new(checks.len() as u64).with_style(style));
        Self { bar, lines: matches!(progress, Progress::Lines) }
    }

    /// Shows that a check has ended; called from several threads.
    pub fn saw(&self, report: &CheckReport) {
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

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
