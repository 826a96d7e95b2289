//! `tvm-ffi-verify reference`.

use super::destination::{Destination, install};
use crate::installation;

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
DIR gets lib/libtvm_ffi.so, the headers in include/, lib/pkgconfig/tvm_ffi.pc, and bin/tvm-ffi-config, which answers --cflags,
--ldflags, --libs and so on as the command of that name does that comes with the Python package. All of it may be moved.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    to: Destination,
}

/// Writes the files and answers the exit code.
pub fn main(args: &Args) -> u8 {
    install(installation::reference(), "reference", &args.to)
}
