//! Where commands write files for use, and how they say so.

use std::path::{Path, PathBuf};

use tvm_ffi_reports::{
    exit,
    written::{Written, WrittenFile},
};

use super::{
    output::{Outputs, complain},
    version,
};
use crate::installation::{self, Kit};

#[derive(clap::Args)]
pub struct Destination {
    /// The folder to write to; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write over files that this command has not written, or that were changed since
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// Writes the files, answers for the command which they are, and with its exit code.
pub fn install(kit: Kit, command: &str, to: &Destination) -> u8 {
    let paths: Vec<_> = kit.items.iter().map(|item| to.out.join(&item.path)).collect();
    let taken: Vec<(&Path, &str)> = paths.iter().map(|path| (path.as_path(), "a file that is to be written")).collect();
    let written = to.outputs.try_out(&taken).and_then(|()| installation::install(kit, &to.out, to.force));
    match written {
        Ok(files) => {
            let files = files.into_iter().map(|(path, sha256)| WrittenFile { path, sha256 }).collect();
            to.outputs.write(&Written::new(version::tool(), command, to.out.display().to_string(), files))
        }
        Err(problem) => complain(&problem, exit::USAGE),
    }
}
