//! `tvm-ffi-verify audit`.

use std::path::{Path, PathBuf};

use tvm_ffi_reports::exit;
use tvm_ffi_spec::generation::today;

use super::{
    output::{Outputs, complain},
    version,
};
use crate::{audit, target::Target};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
What is looked at are symbols: `TVMFFI...` and what is in the C++ namespace `tvm::ffi`, as needed; `__tvm_ffi_...`, as offered. Files are
read and never loaded. A client that needs what TVM 0.7 to 0.20 had in place of these, such as `TVMFuncCall`, is said to speak the legacy
generation of the ABI, of which the library has nothing. Which layouts a client has compiled in, its file does not show.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A shared library, an object file, an archive of these, a wheel, a folder of all that, or a release such as
    /// apache-tvm-ffi==0.1.12; several to compare them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Hold the files against this library, symbol by symbol: a libtvm_ffi.so, a directory that holds one, a wheel, or a
    /// release
    #[arg(long, value_name = "LIB")]
    against: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Looks at the files and answers the exit code.
pub fn main(args: &Args) -> u8 {
    run(args).unwrap_or_else(|code| code)
}

fn run(args: &Args) -> Result<u8, u8> {
    let usage = |problem: String| complain(&problem, exit::USAGE);
    let files = args.files.iter().map(|path| (path.as_path(), "a file to look at"));
    let against = args.against.iter().map(|path| (path.as_path(), "the library"));
    let taken: Vec<(&Path, &str)> = files.chain(against).collect();
    args.outputs.try_out(&taken).map_err(usage)?;
    let scratch = tempfile::Builder::new().prefix("tvm-ffi-verify-").tempdir();
    let scratch = scratch.map_err(|error| complain(&error.to_string(), exit::HARNESS_FAILED))?;
    let against = args.against.as_deref().map(|path| Target::locate(Some(path), today(), scratch.path())).transpose();
    let against = against.map_err(|problem| usage(problem.to_string()))?;
    match audit::audit(version::tool(), &args.files, against.as_ref()) {
        Ok(audit) => Ok(args.outputs.write(&audit)),
        Err(problems) => {
            for problem in &problems {
                complain(problem, exit::USAGE);
            }
            Err(exit::USAGE)
        }
    }
}
