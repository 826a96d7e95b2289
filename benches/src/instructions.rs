//! Instructions for each run of an operation, counted by callgrind: exact, and the same on a busy machine.
//!
//! One process for each library runs all operations under valgrind, each so many times and then twice as many. Callgrind
//! writes down what was executed before and after; what the second time has more is what the runs themselves take. Operations
//! on many elements are left out: they have the instructions of those on fewer, and valgrind takes its time.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    library::Library,
    operations::{self, operation::Operation},
    report::Row,
    task::Task,
};

/// The argument that has the program run the operations for callgrind.
pub const ARGUMENT: &str = "run-for-callgrind";
/// Operations on more elements are left out.
const MOST: usize = 10_000;
/// The file that takes what a process writes to its standard error.
const SAID: &str = "said";

/// Counts the instructions of the operations whose name contains `filter`, of the release and of the reference.
///
/// # Panics
/// If valgrind cannot be run, or a process fails.
pub fn compare(program: &Path, paths: [&Path; 2], filter: &str) -> Vec<Row> {
    // Both at the same time: counts do not depend on who else runs.
    let counting = paths.map(|path| Counting::start(program, path, filter));
    let [release, ours] = counting.map(Counting::finish);
    let rows = chosen(filter).into_iter().zip(release.into_iter().zip(ours));
    rows.map(|(operation, (release, ours))| Row::of(&operation, "instructions", &[[release, ours]])).collect()
}

fn chosen(filter: &str) -> Vec<Operation> {
    let counted = |operation: &Operation| {
        operation.size.unwrap_or(0) <= MOST && !operation.name.contains("threads") && operation.id().contains(filter)
    };
    operations::all().into_iter().filter(counted).collect()
}

/// A process of one library under valgrind.
struct Counting {
    process: std::process::Child,
    folder: tempfile::TempDir,
    operations: Vec<Operation>,
}

impl Counting {
    fn start(program: &Path, path: &Path, filter: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let process = Command::new("valgrind")
            .args(["--tool=callgrind", "--dump-before=tvm_ffi_benches_counted", "--dump-after=tvm_ffi_benches_counted"])
            .args(["--dump-line=no", "--compress-strings=no", "--quiet"])
            .arg(format!("--callgrind-out-file={}", folder.path().join("out").display()))
            .arg(program)
            .args([ARGUMENT.as_ref(), path.as_os_str(), filter.as_ref()])
            .stdout(Stdio::null())
            // Valgrind's remarks on system calls, of interest only if the process fails.
            .stderr(fs::File::create(folder.path().join(SAID)).expect("a file can be made"))
            .spawn()
            .expect("valgrind can be run; it is a package of its own");
        Self { process, folder, operations: chosen(filter) }
    }

    /// Instructions for each run, by operation.
    fn finish(mut self) -> Vec<f64> {
        let status = self.process.wait().expect("the process can be waited for");
        let said = || fs::read_to_string(self.folder.path().join(SAID)).unwrap_or_default();
        assert!(status.success(), "a process under valgrind has failed: {status}\n{}", said());
        let counts = self.operations.iter().enumerate().map(|(at, operation)| {
            // Four dumps for each: before and after so many runs, before and after twice as many.
            let [once, twice] = [2, 4].map(|dump| total(&dump_file(self.folder.path(), 4 * at + dump)));
            (twice - once) as f64 / times(operation) as f64
        });
        counts.collect()
    }
}

fn dump_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("out.{number}"))
}

/// What a dump counts in all.
fn total(dump: &Path) -> u64 {
    let text = fs::read_to_string(dump).unwrap_or_else(|problem| panic!("{}: {problem}", dump.display()));
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    total.unwrap_or_else(|| panic!("{} has no total", dump.display()))
}

/// How often an operation runs.
fn times(operation: &Operation) -> u64 {
    (1_000 / operation.size.unwrap_or(1).max(1)).clamp(2, 200) as u64
}

/// Runs the operations on the library at a path: what a process under valgrind does.
pub fn run(path: &Path, filter: &str) {
    let library = Library::open(path);
    for operation in chosen(filter) {
        let (mut task, times) = (operation.set_up(&library, MOST), times(&operation));
        task.run(times);
        tvm_ffi_benches_counted(&mut task, times);
        tvm_ffi_benches_counted(&mut task, 2 * times);
    }
}

/// The function at which callgrind begins and ends to count, by its name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "Rust" fn tvm_ffi_benches_counted(task: &mut Task, times: u64) {
    task.run(times);
}
