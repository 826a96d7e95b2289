//! `tvm-ffi-verify reference`.

use tvm_ffi_reports::exit;
use tvm_ffi_spec::generation::today;

use super::{
    choices::ByGeneration,
    destination::{Destination, install},
    output::complain,
};
use crate::installation;

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
DIR gets lib/libtvm_ffi.so, the headers in include/, lib/pkgconfig/tvm_ffi.pc, and bin/tvm-ffi-config, which answers --cflags,
--ldflags, --libs and so on as the command of that name does that comes with the Python package. All of it may be moved. Of the
legacy generation, these are lib/libtvm_runtime.so, its headers, and lib/pkgconfig/tvm_runtime.pc.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The generation of the ABI whose reference is written [default: combined]
    #[arg(long, value_enum)]
    generation: Option<ByGeneration>,
    #[command(flatten)]
    to: Destination,
}

/// Writes the files and answers the exit code.
pub fn main(args: &Args) -> u8 {
    let generation = args.generation.map_or(today(), |ByGeneration(generation)| generation);
    match installation::reference(generation) {
        Some(kit) => install(kit, "reference", &args.to),
        None => complain(&format!("this program has no reference of the {} generation", generation.name), exit::USAGE),
    }
}
