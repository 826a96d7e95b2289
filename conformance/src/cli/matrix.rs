//! `tvm-ffi-verify matrix`.

use std::path::{Path, PathBuf};

use tvm_ffi_reports::{Report, exit, matrix::Matrix};

use super::{
    files,
    output::{Outputs, complain},
    version,
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
The rows stand in the order of the reports. Nothing in a matrix comes from the machine or the time of a run, and the same libraries give
the same matrix. The exit code is the highest of the reports'.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Reports that `check --report json=FILE` saved, one for each library
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Reads the reports, writes the matrix and answers the exit code.
pub fn main(args: &Args) -> u8 {
    let taken: Vec<(&Path, &str)> = args.reports.iter().map(|path| (path.as_path(), "a report to read")).collect();
    let reports = args.outputs.try_out(&taken).and_then(|()| args.reports.iter().map(|path| read(path)).collect());
    match reports {
        Ok(reports) => {
            let reports: Vec<Report> = reports;
            args.outputs.write(&Matrix::of(version::tool(), &reports))
        }
        Err(problem) => complain(&problem, exit::USAGE),
    }
}

fn read(path: &Path) -> Result<Report, String> {
    let text = files::read_text(path)?;
    serde_json::from_str(&text).map_err(|error| format!("{}: is no report ({error})", path.display()))
}
