//! The worker: opens the target once, then starts and watches a child for each job.

use std::{
    fs::File,
    io,
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
        unix::net::UnixStream,
        unix::process::CommandExt,
    },
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    pipe::{PipeFlags, pipe_with},
    process::Pid,
};

use super::{
    child,
    message::{Inbox, Isolation, Job, Record, Reply, Setting, Task, send},
    supervise::{self, Child},
};
use crate::{
    crumb::Crumbs,
    library::{self, Opened, Scope},
};

/// The main function of a worker. `control` is a socket to the parent; `setting` is a file that tells what to open.
pub fn main(control: RawFd, setting: &Path) -> io::Result<()> {
    // SAFETY: the parent left this descriptor open for this process, which owns it from here on.
    let control = UnixStream::from(unsafe { OwnedFd::from_raw_fd(control) });
    rustix::io::fcntl_setfd(&control, rustix::io::FdFlags::CLOEXEC)?;
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    no_core_dumps();
    let path = setting;
    let setting: Setting = serde_json::from_slice(&std::fs::read(setting)?)?;
    let opened = match setting.isolation {
        Isolation::Exec => None,
        Isolation::Fork => match library::open(&setting.target, Scope::Global) {
            Ok(opened) => Some(opened),
            Err(reason) => return send(&control, &Reply::Refused(reason)),
        },
    };
    send(&control, &Reply::Ready)?;
    let crumb_fd = memfd_create("breadcrumbs", MemfdFlags::empty())?;
    let crumbs = Crumbs::map(&crumb_fd)?;
    let mut inbox = Inbox::new(control.try_clone()?);
    let mut rehearsed = false;
    while let Some(job) = inbox.receive::<Job>()? {
        let is_check = matches!(job.task, Task::Check { .. });
        if let Some(opened) = opened.as_ref().filter(|_| is_check && !rehearsed) {
            rehearsed = true;
            read_symbols(&setting, opened, crumbs, &control)?;
        }
        crumbs.clear();
        let started = match opened.as_ref().filter(|_| !job.fresh) {
            Some(opened) => fork(&job.task, &setting, opened, crumbs, &control),
            None => exec(&job.task, path, &crumb_fd),
        };
        let deadline = Duration::from_millis(job.deadline_ms);
        let reply = match started.and_then(|child| supervise::watch(child, deadline, &crumbs)) {
            Ok(ended) => Reply::Ended(Box::new(ended)),
            Err(error) => Reply::Failed(error.to_string()),
        };
        send(&control, &reply)?;
    }
    Ok(())
}

/// Every error has a backtrace, and the first one in a process takes longer than most checks do. So it is taken here, and
/// the children inherit the symbols that were read for it. A child goes first, in case the target does not survive it.
fn read_symbols(setting: &Setting, opened: &Opened, crumbs: Crumbs, control: &UnixStream) -> io::Result<()> {
    const DEADLINE: Duration = Duration::from_secs(5);
    let child = fork(&Task::Rehearse, setting, opened, crumbs, control)?;
    if let Some(Record::Held) = supervise::watch(child, DEADLINE, &crumbs)?.record {
        library::take_backtrace(opened);
    }
    Ok(())
}

/// Starts a child that is a copy of this process.
fn fork(task: &Task, setting: &Setting, opened: &Opened, crumbs: Crumbs, control: &UnixStream) -> io::Result<Child> {
    let (record_in, record_out) = pipe_with(PipeFlags::CLOEXEC)?;
    let (output_in, output_out) = pipe_with(PipeFlags::CLOEXEC)?;
    let nothing = File::open("/dev/null")?;
    let seal = new_seal();
    // SAFETY: this process has one thread, so the copy is whole.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            let kept = into_child(&nothing, &output_out, &record_out, control);
            child::run(task, setting, opened, crumbs, kept, seal)
        }
        pid => {
            let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("fork answered no process"))?;
            // Both sides set the group, so that it exists whichever runs first.
            let _ = rustix::process::setpgid(Some(pid), Some(pid));
            Ok(Child { pid, record: record_in, output: output_in, seal })
        }
    }
}

/// Cuts a forked child off from its parent: a process group of its own, no way to the control socket, standard streams
/// of its own, and the record's descriptor out of the way of a target that closes or writes to low ones. Answers that
/// descriptor.
fn into_child(nothing: &File, output: &OwnedFd, record: &OwnedFd, control: &UnixStream) -> RawFd {
    const OUT_OF_THE_WAY: RawFd = 900;
    // SAFETY: descriptors that this process owns; failures leave the child without a record, which is never a pass.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::dup2(nothing.as_raw_fd(), 0);
        libc::dup2(output.as_raw_fd(), 1);
        libc::dup2(output.as_raw_fd(), 2);
        let kept = libc::fcntl(record.as_raw_fd(), libc::F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
        libc::close(record.as_raw_fd());
        libc::close(output.as_raw_fd());
        libc::close(control.as_raw_fd());
        kept
    }
}

/// Starts a child that is a fresh process.
fn exec(task: &Task, setting: &Path, crumbs: &OwnedFd) -> io::Result<Child> {
    let (record_in, record_out) = pipe_with(PipeFlags::empty())?;
    rustix::io::fcntl_setfd(&record_in, rustix::io::FdFlags::CLOEXEC)?;
    let (output_in, output_out) = pipe_with(PipeFlags::CLOEXEC)?;
    let seal = new_seal();
    let child = Command::new(std::env::current_exe()?)
        .arg("__child")
        .arg(setting)
        .arg(serde_json::to_string(task)?)
        .args([record_out.as_raw_fd().to_string(), crumbs.as_raw_fd().to_string(), seal.to_string()])
        .stdin(Stdio::null())
        .stdout(output_out.try_clone()?)
        .stderr(output_out)
        .process_group(0)
        .spawn()?;
    let pid = Pid::from_raw(child.id() as i32).ok_or_else(|| io::Error::other("spawn answered no process"))?;
    Ok(Child { pid, record: record_in, output: output_in, seal })
}

/// A word that a target cannot guess, made of the keys with which the standard library protects its hash tables.
fn new_seal() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// A crash is an outcome here, not an accident to be kept on disk.
fn no_core_dumps() {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a limit of this process and its children, read from a local.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
}
