//! Where a report goes: to standard output and into files.

use std::{
    io::{self, BufWriter, Write},
    os::fd::AsFd,
    path::{Path, PathBuf},
    str::FromStr,
};

use anstream::AutoStream;
use clap::ValueEnum;
use serde::Serialize;
use tvm_ffi_reports::{Report, exit, json, junit, layout::Width, text};

use super::{choices::Format, files};

/// Whether standard output is coloured.
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// One clear line on standard error, and the code to exit with.
pub fn complain(problem: &str, code: u8) -> u8 {
    anstream::eprintln!("tvm-ffi-verify: {problem}");
    code
}

type Render = fn(&Report, &mut dyn Write) -> io::Result<()>;

/// The path that stands for standard output.
const STDOUT: &str = "-";

/// A report that is written to a file, or to standard output.
#[derive(Clone)]
pub struct ReportFile {
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

impl ReportFile {
    /// The file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        (self.path != Path::new(STDOUT)).then_some(&self.path)
    }

    /// Writes the report. The error names the file.
    pub fn write(&self, report: &Report) -> Result<(), String> {
        match self.path() {
            Some(path) => files::replace(path, |out| (self.render)(report, out)),
            None => {
                let mut out = BufWriter::new(io::stdout());
                let written = (self.render)(report, &mut out).and_then(|()| out.flush());
                tolerate_absent_reader(written).map_err(|error| format!("standard output: {error}"))
            }
        }
    }
}

/// A reader that has gone away (`| head`) is no failure; the exit code still tells.
fn tolerate_absent_reader(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Prints the report.
pub fn print(report: &Report, format: Format, verbose: bool, color: Color) -> io::Result<()> {
    let choice = match color {
        Color::Auto => AutoStream::choice(&io::stdout()),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let mut out = BufWriter::new(AutoStream::new(io::stdout(), choice));
    let written = match (format, verbose) {
        (Format::Json, _) => json::render(report, &mut out),
        (Format::Text, false) => text::render(report, width_of(io::stdout()), &mut out),
        (Format::Text, true) => text::render_verbose(report, width_of(io::stdout()), &mut out),
    };
    tolerate_absent_reader(written.and_then(|()| out.flush()))
}

/// Prints to standard output what `write` writes, and answers the exit code.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> u8 {
    let mut out = BufWriter::new(anstream::stdout());
    match tolerate_absent_reader(write(&mut out).and_then(|()| out.flush())) {
        Ok(()) => exit::CONFORMS,
        Err(error) => complain(&error.to_string(), exit::HARNESS_FAILED),
    }
}

/// Prints a value as JSON to standard output, and answers the exit code.
pub fn print_json(value: &impl Serialize) -> u8 {
    print_with(|out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

/// The width of a stream, which may be a terminal. The interface to the `terminal_size` crate is here and nowhere else.
pub fn width_of(stream: impl AsFd) -> Width {
    terminal_size::terminal_size_of(stream).map_or(Width::Unlimited, |(width, _)| Width::Terminal(width.0.into()))
}
