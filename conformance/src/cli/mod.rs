//! The command line. Its options, its machine-readable output and its exit codes are an interface; its human output is
//! not. The interface to the `clap` crate is in this folder and nowhere else.

mod abi;
mod audit;
mod check;
mod choices;
mod compare;
mod config;
mod destination;
mod docs;
mod explain;
mod files;
mod kernel;
mod list;
mod matrix;
mod names;
mod output;
mod programs;
mod progress;
mod reference;
mod run;
mod version;
mod watch;

use std::{path::PathBuf, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use output::complain;
use tvm_ffi_reports::exit;

use crate::harness::{folder, process};

#[derive(Parser)]
#[command(version = version::line(), about, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  the target conforms; clients find what they need; functions and clients keep every rule; nothing differs that counts
  1  the target does not conform; a client does not find what it needs; a function or a client breaks a rule; something differs that counts
  2  the command line, or something it names, is wrong: a target that speaks another generation of the ABI, too
  3  the suite itself failed, or cannot run where it is
  4  nothing ran, so nothing is known, as of a generation of the ABI that is not judged yet; nothing matches what `list`
     was asked for; or `audit` was given nothing that uses the library, `kernel` nothing that exports functions,
     `watch` no program that calls the library
  5  the run was interrupted";

#[derive(Subcommand)]
enum Command {
    /// Check a library, a directory that holds one, or a wheel; without TARGET, the reference
    Check(Box<check::Args>),
    /// Compare two libraries, wheels or saved reports: what changed, and whom it breaks
    Compare(Box<compare::Args>),
    /// Tell what libraries, object files and wheels need of the library, which releases have it, and what they offer
    Audit(audit::Args),
    /// Call the functions that libraries export, as good and as hostile clients do: no crash, no leak, no write outside of tensors
    Kernel(kernel::Args),
    /// Run a program that uses the library, and tell what it does wrong as a client
    Watch(watch::Args),
    /// Put saved reports of several libraries side by side, for publishing
    Matrix(matrix::Args),
    /// List checks, clauses or promises: all, or those of some text, area, level, basis or layer
    List(list::Args),
    /// Explain a clause, a check, or anything that has a name in the ABI: what it is, why it matters, what decides it
    Explain(explain::Args),
    /// Print the ABI: functions, structs, constants, capabilities, generations
    Abi(abi::Args),
    /// Write the reference for use: library, headers, and what tells compilers how to find them
    Reference(reference::Args),
    /// Write the specification as pages for a browser, the manual, and completions for shells
    Docs(docs::Args),
    /// Start a worker (internal)
    #[command(name = "__worker", hide = true)]
    Worker { control: i32, setting: PathBuf },
    /// Clear up when a run cannot (internal)
    #[command(name = "__keeper", hide = true)]
    Keeper { folder: PathBuf },
    /// Start a child (internal)
    #[command(name = "__child", hide = true)]
    Child { setting: PathBuf, task: String, record: i32, crumbs: i32 },
}

/// The main function of `tvm-ffi-verify`.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are what was asked for; everything else is a mistake.
            let code = if error.use_stderr() { exit::USAGE } else { exit::CONFORMS };
            let _ = error.print();
            return code.into();
        }
    };
    let code = match cli.command {
        Command::Check(args) => check::main(&args),
        Command::Compare(args) => compare::main(&args),
        Command::Audit(args) => audit::main(&args),
        Command::Kernel(args) => kernel::main(&args),
        Command::Watch(args) => watch::main(&args),
        Command::Matrix(args) => matrix::main(&args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Abi(args) => abi::abi(&args),
        Command::Reference(args) => reference::main(&args),
        Command::Docs(args) => docs::main(&args, &Cli::command()),
        Command::Worker { control, setting } => match process::worker::main(control, &setting) {
            Ok(()) => exit::CONFORMS,
            Err(error) => complain(&format!("worker: {error}"), exit::HARNESS_FAILED),
        },
        Command::Keeper { folder } => {
            folder::keep(&folder);
            exit::CONFORMS
        }
        Command::Child { setting, task, record, crumbs } => process::child::main(&setting, &task, crumbs, record),
    };
    code.into()
}
