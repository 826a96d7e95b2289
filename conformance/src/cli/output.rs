//! Where an answer goes: to standard output and into files, in the formats that are asked for.

use std::{
    io::{self, BufWriter, Write},
    os::fd::AsFd,
    path::{Path, PathBuf},
    str::FromStr,
};

use anstream::AutoStream;
use clap::ValueEnum;
use serde::Serialize;
use tvm_ffi_reports::{Answer, badge, exit, github, json, layout::Width, sarif};

use super::{choices::Rendering, files};

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

/// The path that stands for standard output.
const STDOUT: &str = "-";

/// Where an answer goes, and in which format: the same for every command that has one.
#[derive(clap::Args)]
pub struct Outputs {
    /// Write the answer to a file, as FORMAT=PATH, where FORMAT is one that --format takes; repeatable. The path - is standard
    /// output, in place of the text
    #[arg(long, value_name = "FORMAT=PATH")]
    report: Vec<ReportFile>,
    /// What is printed on standard output
    #[arg(long, value_enum, default_value = "text")]
    format: Rendering,
    /// Report on what is as it should be, too: checks that pass, with what they printed in JSON; every symbol
    #[arg(long, short)]
    pub verbose: bool,
    /// Print nothing: the exit code tells, and what --report writes
    #[arg(long, short, conflicts_with_all = ["format", "verbose"])]
    pub quiet: bool,
    /// Use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
}

impl Outputs {
    /// Makes sure, before anything runs, that what is to be written can be, and that nothing that is `taken` is written over:
    /// files, each with what it is.
    pub fn try_out(&self, taken: &[(&Path, &str)]) -> Result<(), String> {
        let mut taken = taken.to_vec();
        for file in &self.report {
            let path = file.path().unwrap_or(Path::new("/dev/stdout"));
            if file.path().is_some() {
                files::try_out(path, &taken)?;
            } else {
                files::differs(path, &taken)?;
            }
            taken.push((path, "another report"));
        }
        Ok(())
    }

    /// The files that reports are written to.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.report.iter().filter_map(ReportFile::path)
    }

    /// Whether the answer is wanted in that format.
    pub fn has(&self, rendering: Rendering) -> bool {
        let printed = !self.quiet && self.format == rendering;
        printed || self.report.iter().any(|file| file.rendering == rendering)
    }

    /// Prints the answer and writes the reports. What comes back is the exit code, which is another one where that cannot be done.
    pub fn write(&self, answer: &impl Answer) -> u8 {
        let to_file =
            |file: &ReportFile| file.write(answer, self.verbose).map_err(|problem| complain(&problem, exit::USAGE));
        let written = self.print(answer).and_then(|()| self.report.iter().try_for_each(to_file));
        written.map_or_else(|code| code, |()| answer.exit_code())
    }

    fn print(&self, answer: &impl Answer) -> Result<(), u8> {
        if self.quiet || self.report.iter().any(|file| file.path().is_none()) {
            return Ok(());
        }
        let choice = match self.color {
            Color::Auto => AutoStream::choice(&io::stdout()),
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        let mut out = BufWriter::new(AutoStream::new(io::stdout(), choice));
        let written = match self.format {
            Rendering::Text => answer.text(width_of(io::stdout()), self.verbose, &mut out),
            rendering => render(answer, rendering, self.verbose, &mut out),
        };
        tolerate_absent_reader(written.and_then(|()| out.flush()))
            .map_err(|error| complain(&error.to_string(), exit::HARNESS_FAILED))
    }
}

/// Writes an answer for files: text as long as it is.
fn render(answer: &impl Answer, rendering: Rendering, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    match rendering {
        Rendering::Text => {
            let mut styled = Vec::new();
            answer.text(Width::Unlimited, verbose, &mut styled)?;
            // Styles are for terminals.
            write!(out, "{}", anstream::adapter::strip_str(&String::from_utf8_lossy(&styled)))
        }
        Rendering::Json => json::render(answer, out),
        Rendering::Sarif => sarif::render(&answer.findings(), out),
        Rendering::Markdown => answer.markdown(out),
        Rendering::Html => answer.html(out),
        Rendering::Junit => answer.junit(out),
        Rendering::Github => github::render(&answer.findings(), out),
        Rendering::Badge => badge::render(&answer.findings(), out),
    }
}

/// A report that is written to a file, or to standard output.
#[derive(Clone)]
struct ReportFile {
    rendering: Rendering,
    path: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || {
            let names = Rendering::value_variants().iter().filter_map(Rendering::to_possible_value);
            names.map(|name| name.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let (format, path) =
            text.split_once('=').ok_or_else(|| format!("expected FORMAT=PATH, FORMAT one of {}", known()))?;
        let rendering = Rendering::from_str(format, false)
            .map_err(|_| format!("`{format}` is not a report format; expected one of {}", known()))?;
        if path.is_empty() { Err("the path is empty".to_owned()) } else { Ok(Self { rendering, path: path.into() }) }
    }
}

impl ReportFile {
    /// The file; `None` for standard output.
    fn path(&self) -> Option<&Path> {
        (self.path != Path::new(STDOUT)).then_some(&self.path)
    }

    /// Writes the report. The error names the file.
    fn write(&self, answer: &impl Answer, verbose: bool) -> Result<(), String> {
        match self.path() {
            Some(path) => files::replace(path, |out| render(answer, self.rendering, verbose, out)),
            None => {
                let mut out = BufWriter::new(io::stdout());
                let written = render(answer, self.rendering, verbose, &mut out).and_then(|()| out.flush());
                tolerate_absent_reader(written).map_err(|error| format!("standard output: {error}"))
            }
        }
    }
}

/// A reader that has gone away (`| head`) is no failure; the exit code still tells.
fn tolerate_absent_reader(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
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
