//! What the whole suite says of a library, which it runs on once for all tests: a run takes seconds of both processors.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde_json::Value;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

use crate::{library, program};

/// A strict run of every check.
pub struct Whole {
    pub library: String,
    pub code: Option<i32>,
    /// Where its report is, in JSON.
    pub report: String,
    /// What it said to people.
    pub said: String,
}

impl Whole {
    fn new(library: &Path, arguments: &[&str]) -> Self {
        let library = library.display().to_string();
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole").join(Path::new(&library).file_stem().unwrap());
        fs::create_dir_all(&folder).unwrap();
        let report = folder.join("report.json");
        // That of an earlier run says nothing of this one.
        let _ = fs::remove_file(&report);
        let report = report.display().to_string();
        let mut run = program::run();
        run.args(["check", &library, "--strict", "--progress", "none", "--report", &format!("json={report}")]);
        let output = run.args(arguments).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        Self { library, code: output.status.code(), report, said: String::from_utf8_lossy(&said).into_owned() }
    }

    pub fn read(&self) -> Value {
        serde_json::from_slice(&fs::read(&self.report).unwrap()).unwrap()
    }
}

pub fn reference() -> &'static Whole {
    static REFERENCE: LazyLock<Whole> = LazyLock::new(|| Whole::new(&library::of(None), &[]));
    &REFERENCE
}

/// The newest release, excused from its known failures, unless releases are left out.
pub fn newest() -> Option<&'static Whole> {
    static NEWEST: LazyLock<Option<Whole>> = LazyLock::new(|| {
        let known = known_failures(&abi().newest_peer().name);
        Some(Whole::new(&peers::newest()?, &["--known-failures", known.to_str().unwrap()]))
    });
    NEWEST.as_ref()
}

/// Where the known failures of a release are, if it has any.
pub fn known_failures(release: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures").join(format!("{release}.toml"))
}
