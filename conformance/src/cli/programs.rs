//! The folder of programs that repeat failures.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tvm_ffi_reports::{CheckReport, Program};

use super::files;

/// Makes sure that programs can be written to that folder, which is made if it is not there, and that none of them is written over
/// a file that is `taken`.
pub fn try_out<'a>(folder: &Path, ids: impl Iterator<Item = &'a str>, taken: &[(&Path, &str)]) -> Result<(), String> {
    let refuse = |error: std::io::Error| format!("{}: programs cannot be written there ({error})", folder.display());
    fs::create_dir_all(folder).map_err(refuse)?;
    tempfile::tempfile_in(folder).map(drop).map_err(refuse)?;
    ids.map(|id| place(folder, id)).filter(|path| path.exists()).try_for_each(|path| files::try_out(&path, taken))
}

/// Where the program of a check is written.
fn place(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.c"))
}

/// Writes the program of each check that has one to a file of its name, and notes where.
pub fn write(folder: &Path, checks: &mut [CheckReport]) -> Result<(), String> {
    for CheckReport { id, broken, .. } in checks {
        let program = broken.as_mut().and_then(|broken| broken.program.as_mut());
        if let Some(Program { source: Some(source), file, .. }) = program {
            let path = place(folder, id);
            files::replace(&path, |out| out.write_all(source.as_bytes()))?;
            *file = Some(path.display().to_string());
        }
    }
    Ok(())
}
