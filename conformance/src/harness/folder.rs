//! The folder of a run, and who clears up when the run cannot: a process beside it, which waits for its end.
//!
//! Workers end with the process that has started them, however that ends. What a target has started and left behind, and the folder
//! itself, would stay.

use std::{
    env, fs,
    io::{self, Read},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use rustix::{
    fs::{StatVfsMountFlags, statvfs},
    process::{Pid, Signal, kill_process, setsid},
};
use tempfile::TempDir;

/// The folder that a run keeps its files in. It is gone when this is dropped, and when the process is killed.
pub struct Folder {
    folder: Option<TempDir>,
    keeper: Child,
}

impl Folder {
    /// A new one, where files that are temporary belong. To be called before what has been started is counted.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("tvm-ffi-verify-").tempdir().map_err(|problem| {
            let reason = problem.kind();
            unfit(&format!("no folder can be made in {}: {reason}", env::temp_dir().display()))
        })?;
        // A check that loads a library of ours would put that down to the target.
        if statvfs(folder.path())?.f_flag.contains(StatVfsMountFlags::NOEXEC) {
            return Err(unfit(&format!("nothing can be loaded from {}, mounted noexec", env::temp_dir().display())));
        }
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("__keeper").arg(folder.path()).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // What is sent to all of a group or a terminal is not for it.
        // SAFETY: the closure makes one system call, which is allowed between fork and exec.
        unsafe { command.pre_exec(|| Ok(setsid().map(drop)?)) };
        Ok(Self { keeper: command.spawn()?, folder: Some(folder) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.as_ref().expect("it is there until it is dropped").path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(self.folder.take());
        // Which ends it.
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn unfit(problem: &str) -> io::Error {
    io::Error::other(format!(
        "{problem}; set TMPDIR to a folder for files that are written, and libraries that are loaded"
    ))
}

/// The main function of the process beside a run: its standard input ends when the run does.
pub fn keep(folder: &Path) {
    const ROUNDS: u32 = 500;
    let _ = io::stdin().read_to_end(&mut Vec::new());
    for _ in 0..ROUNDS {
        let left = working_in(folder);
        if left.is_empty() && !folder.exists() {
            return;
        }
        for pid in left {
            let _ = kill_process(pid, Signal::KILL);
        }
        // What still runs may write to it meanwhile.
        let _ = fs::remove_dir_all(folder);
        thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that were told to keep there what is temporary.
fn working_in(folder: &Path) -> Vec<Pid> {
    let told = format!("TMPDIR={}/", folder.display());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let ours = processes.filter(|process: &i32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(told.as_bytes()))
    });
    ours.filter_map(Pid::from_raw).collect()
}
