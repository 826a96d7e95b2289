//! `tvm-ffi-verify reference`.

use std::path::PathBuf;

use tvm_ffi_reports::exit;

use super::output::{complain, print_with};
use crate::installation;

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
DIR gets lib/libtvm_ffi.so, the headers in include/, lib/pkgconfig/tvm_ffi.pc, and bin/tvm-ffi-config, which answers --cflags,
--ldflags, --libs and so on as the command of that name does that comes with the Python package. All of it may be moved.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The folder to write to; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write over files that this command has not written, or that were changed since
    #[arg(long)]
    force: bool,
    /// Print nothing
    #[arg(long, short)]
    quiet: bool,
}

/// Writes the files and answers the exit code.
pub fn main(args: &Args) -> u8 {
    match installation::install(&args.out, args.force) {
        Ok(_) if args.quiet => exit::CONFORMS,
        Ok(paths) => {
            print_with(|out| paths.iter().try_for_each(|path| writeln!(out, "{}", args.out.join(path).display())))
        }
        Err(problem) => complain(&problem, exit::USAGE),
    }
}
