//! Where commands write files for use, and how they say so.

use std::path::PathBuf;

use tvm_ffi_reports::exit;

use super::output::{complain, print_with};
use crate::installation::{self, Kit};

#[derive(clap::Args)]
pub struct Destination {
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

/// Writes the files, prints their paths and answers the exit code.
pub fn install(kit: Kit, to: &Destination) -> u8 {
    match installation::install(kit, &to.out, to.force) {
        Ok(_) if to.quiet => exit::CONFORMS,
        Ok(paths) => {
            print_with(|out| paths.iter().try_for_each(|path| writeln!(out, "{}", to.out.join(path).display())))
        }
        Err(problem) => complain(&problem, exit::USAGE),
    }
}
