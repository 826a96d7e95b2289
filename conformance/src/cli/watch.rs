//! `tvm-ffi-verify watch`.

use std::{
    ffi::OsString,
    fs::File,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::Stdio,
};

use tvm_ffi_reports::watch::{Ended, Watched};
use tvm_ffi_spec::generation::{generation, today};

use super::{
    output::{Outputs, complain},
    run::{harness, usage},
    version,
};
use crate::{
    harness::{folder::Folder, generation as spoken, interrupt, process::descendants},
    target::Target,
    watching::{self, Older, Setup},
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
The program runs with the library that it uses, whichever that is and whenever it is loaded; our checks stand in front of it. What its
processes do wrong as clients is reported when it has ended. What the program prints on standard output goes to standard error, where the
answer is printed on standard output; with --quiet, everything stays where it is.

A program that is linked to the library statically cannot be watched: then no process is seen to call the library, and the exit code is 4.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The program, and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
    /// Put this library in the place of the program's own: a libtvm_ffi.so, a directory that holds one, a wheel, or a release;
    /// `reference` is the one that this program carries
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Look for objects that were never released and that nobody can reach, when a process ends
    #[arg(long)]
    leaks: bool,
    /// Have rules that are only mentioned count like the others
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// Runs the program and answers the exit code.
pub fn main(args: &Args) -> u8 {
    run(args).unwrap_or_else(|code| code)
}

fn run(args: &Args) -> Result<u8, u8> {
    args.outputs.try_out(&[]).map_err(usage)?;
    let scratch = Folder::new().map_err(harness)?;
    interrupt::watch(descendants::household()).map_err(harness)?;
    let library = args.library.as_deref().map(|path| locate(path, scratch.path())).transpose().map_err(usage)?;
    let setup = Setup::lay_out(scratch.path()).map_err(harness)?;
    let program = start(args, &setup, library.as_ref())?;
    let command = args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let seen = watching::read(&setup.records().map_err(harness)?);
    if let Some(older) = seen.older.first() {
        return Err(usage(not_watched(older)));
    }
    let seen = (seen.processes, seen.findings);
    let answer = Watched::new(version::tool(), command, args.strict, program, seen, interrupt::requested());
    Ok(args.outputs.write(&answer))
}

/// The library that takes the place of the program's own. Of which generation it is, its exports tell, or else the program's run.
fn locate(path: &Path, scratch: &Path) -> Result<Target, String> {
    let named = (path != Path::new("reference")).then_some(path);
    let library = Target::locate(named, today(), scratch).map_err(|problem| problem.to_string())?;
    spoken::refuse_by_exports(&library).map_err(|told| format!("{} {told}", library.named()))?;
    Ok(library)
}

fn not_watched(Older { program, library, generation: name }: &Older) -> String {
    let period = generation(name).map(|generation| generation.period.as_str()).unwrap_or_default();
    format!(
        "{program} uses {library}, which speaks the {name} generation of the ABI ({period}); only clients of today's are watched"
    )
}

/// Runs the program to its end.
fn start(args: &Args, setup: &Setup, library: Option<&Target>) -> Result<Ended, u8> {
    let (program, rest) = args.command.split_first().expect("clap asks for a program");
    let mut command = setup.command(Path::new(program), library.map(|library| library.path.as_path()), args.leaks);
    command.args(rest);
    if !args.outputs.quiet {
        let errors: OwnedFd = io::stderr().as_fd().try_clone_to_owned().map_err(harness)?;
        command.stdout(Stdio::from(File::from(errors)));
    }
    // SAFETY: what is called between fork and exec allocates nothing and takes no lock.
    unsafe { command.pre_exec(|| interrupt::take_signals().map_err(io::Error::from)) };
    let named = Path::new(program).display();
    let mut running = command
        .spawn()
        .map_err(|error| complain(&format!("{named}: cannot be run: {error}"), tvm_ffi_reports::exit::USAGE))?;
    let status = running.wait().map_err(harness)?;
    Ok(Ended { code: status.code(), signal: status.signal() })
}
