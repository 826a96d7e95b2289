//! The worker: opens the target once, then starts and watches a child for each job.

use std::{
    fs::File,
    io::{self, Write},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
        unix::net::UnixStream,
        unix::process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    pipe::{PipeFlags, pipe_with},
    process::{Pid, Resource, Rlimit, getrlimit, setrlimit},
};
use tvm_ffi_spec::abi;

use super::{
    child::{self, Outbox, meet_cxx, meet_sanitizer},
    descendants::{self, Household},
    fence::{self, Shared},
    message::{End, Ended, Greeting, Inbox, Isolation, Job, Record, Reply, Setting, Task},
    pages,
    supervise::{self, Child, Disk},
    written::{Count, Written},
};
use crate::{
    checks,
    client::{crumb::Crumbs, memory, names, shown},
    harness::interrupt,
    target::{
        library::{self, Opened, Scope},
        withheld::withhold,
    },
    trial::property,
};

/// The main function of a worker. `control` is a socket to the parent; `setting` is a file that tells what to open.
pub fn main(control: RawFd, setting: &Path) -> io::Result<()> {
    // SAFETY: the parent left this descriptor open for this process, which owns it from here on.
    let control = UnixStream::from(unsafe { OwnedFd::from_raw_fd(control) });
    rustix::io::fcntl_setfd(&control, rustix::io::FdFlags::CLOEXEC)?;
    let inbox = Inbox::new(control);
    let setting_path = setting.to_owned();
    let setting: Setting = serde_json::from_slice(&std::fs::read(setting)?)?;
    // A sanitizer has threads of its own, which are not in a copy.
    let mut shared = fence::part(setting.disk, !setting.sanitized);
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    interrupt::take_signals()?;
    descendants::adopt()?;
    fence::keep_from_parent();
    allow(Resource::Nofile, ENOUGH_DESCRIPTORS)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, LARGEST_FILE)?;
    if setting.memory > 0 {
        limit(Resource::As, address_space()?.saturating_add(setting.memory))?;
    }
    if setting.sanitized {
        meet_sanitizer();
    }
    // Before the target is there, which may leave this process less than it needs.
    let crumb_fd = memfd_create("breadcrumbs", MemfdFlags::empty())?;
    let (crumbs, nothing) = (Crumbs::map(&crumb_fd)?, File::open("/dev/null")?);
    let opened = match setting.isolation {
        Isolation::Exec => None,
        Isolation::Shared | Isolation::Fork => {
            inbox.answer(&Greeting::Opening)?;
            match library::open(&setting.target, Scope::Global) {
                Ok(mut opened) => {
                    withhold(&mut opened.table, &setting.withheld);
                    meet_cxx();
                    Some(opened)
                }
                Err(reason) => return inbox.answer(&Greeting::Refused(reason)),
            }
        }
    };
    expect_children();
    let household = descendants::household();
    shared.settle();
    inbox.answer(&Greeting::Ready)?;
    Worker { inbox, setting_path, setting, opened, household, shared, crumb_fd, crumbs, nothing }.serve()
}

struct Worker {
    /// The socket to the parent.
    inbox: Inbox,
    setting_path: PathBuf,
    setting: Setting,
    /// The target, unless each child opens it for itself.
    opened: Option<Opened>,
    /// What the target started when it was opened.
    household: Household,
    /// Memory with names that it shares with its children alone.
    shared: Shared,
    crumb_fd: OwnedFd,
    crumbs: Crumbs,
    /// What children have for standard input.
    nothing: File,
}

impl Worker {
    fn serve(mut self) -> io::Result<()> {
        let mut rehearsed = false;
        // Made here once rather than in every child: the list of checks, the ABI as data, and where this thread's frames, the heap
        // and the program's constants lie, which reading from them finds out.
        let _ = (checks::find(""), abi::abi(), shown::type_key(0));
        names::prepare();
        property::prepare();
        memory::survey();
        while let Some(job) = self.inbox.receive::<Job>()? {
            // Before the first question, as it asks for the same tables.
            if !rehearsed && matches!(job.task, Task::Probe | Task::Check { .. } | Task::Checks { .. } | Task::Call(_))
            {
                rehearsed = true;
                self.rehearse();
            }
            let deadline = Duration::from_millis(job.deadline_ms);
            let mut disk = Disk {
                written: Written::from_now(&self.household, Count::ToAnywhere),
                room: self.setting.disk,
                printed: 0,
            };
            let watched = self.start(&job).and_then(|child| supervise::watch(child, deadline, &mut disk, &self.crumbs));
            let is_over = descendants::end_all(&self.household);
            self.shared.clear();
            let reply = match watched {
                // By what had not been seen until it ended.
                Ok(ended) if disk.was_filled() => {
                    Reply::Ended(Box::new(Ended { record: None, end: End::Wrote, ..ended }))
                }
                Ok(ended) if !is_over => Reply::Ended(Box::new(Ended { record: None, end: End::Multiplied, ..ended })),
                Ok(ended) => Reply::Ended(Box::new(ended)),
                Err(error) => Reply::Failed(error.to_string()),
            };
            self.inbox.answer(&reply)?;
            // What cannot be ended one by one ends with the space of processes that this one belongs to.
            if !is_over {
                break;
            }
        }
        Ok(())
    }

    /// What a target does at first use takes longer than most checks do: it reads symbols for a backtrace, and fills tables. So
    /// that is done here, and the children inherit what comes of it. A child goes first, in case the target does not survive it. A
    /// check for which this matters asks for a fresh process.
    ///
    /// Where no process can be started, the job that comes next says so.
    fn rehearse(&self) {
        const DEADLINE: Duration = Duration::from_secs(5);
        let Some(opened) = &self.opened else { return };
        let mut disk = Disk {
            written: Written::from_now(&self.household, Count::ToAnywhere),
            room: self.setting.disk,
            printed: 0,
        };
        let child = self.fork(&Task::Rehearse, opened);
        let ended = child.and_then(|child| supervise::watch(child, DEADLINE, &mut disk, &self.crumbs));
        if ended.is_ok_and(|ended| matches!(ended.record, Some(Record::Held))) {
            library::rehearse(opened);
            pages::gather();
        }
    }

    fn start(&self, job: &Job) -> io::Result<Child> {
        self.crumbs.clear();
        expect_children();
        match &self.opened {
            Some(opened) if !job.fresh => self.fork(&job.task, opened),
            _ => self.exec(&job.task),
        }
    }

    /// Starts a child that is a copy of this process.
    fn fork(&self, task: &Task, opened: &Opened) -> io::Result<Child> {
        let (record_in, record_out) = pipe_with(PipeFlags::CLOEXEC)?;
        let (output_in, output_out) = pipe_with(PipeFlags::CLOEXEC)?;
        let seal = new_seal();
        // SAFETY: this process has one thread, so the copy is whole.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let ours = [self.inbox.as_fd(), self.crumb_fd.as_fd(), record_in.as_fd(), output_in.as_fd()];
                let record = into_child(&self.nothing, &output_out, &record_out, &ours);
                child::run(task, &self.setting, opened, self.crumbs, Outbox { record, seal })
            }
            pid => {
                let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("fork answered no process"))?;
                // Both sides set the group, so that it exists whichever runs first.
                let _ = rustix::process::setpgid(Some(pid), Some(pid));
                Ok(Child { pid, record: record_in, output: output_in, seal })
            }
        }
    }

    /// Starts a child that is a fresh process.
    fn exec(&self, task: &Task) -> io::Result<Child> {
        let (record_in, record_out) = pipe_with(PipeFlags::empty())?;
        rustix::io::fcntl_setfd(&record_in, rustix::io::FdFlags::CLOEXEC)?;
        let (output_in, output_out) = pipe_with(PipeFlags::CLOEXEC)?;
        let seal = new_seal();
        let mut command = Command::new(std::env::current_exe()?);
        let ends_with_us =
            || Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?);
        // SAFETY: the closure makes one system call, which is allowed between fork and exec.
        unsafe { command.pre_exec(ends_with_us) };
        let mut child = command
            .arg("__child")
            .arg(&self.setting_path)
            .arg(serde_json::to_string(task)?)
            .args([record_out.as_raw_fd().to_string(), self.crumb_fd.as_raw_fd().to_string()])
            .stdin(Stdio::piped())
            .stdout(output_out.try_clone()?)
            .stderr(output_out)
            .process_group(0)
            .spawn()?;
        // Not as an argument, which the target could read. A process that has ended is told nothing.
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(&seal.to_ne_bytes());
        }
        let pid = Pid::from_raw(child.id() as i32).ok_or_else(|| io::Error::other("spawn answered no process"))?;
        Ok(Child { pid, record: record_in, output: output_in, seal })
    }
}

/// Cuts a forked child off from its worker: a process group of its own, standard streams of its own, the record's
/// descriptor out of the way of a target that closes or writes to low ones (unless it may not have so many), and none of the
/// worker's other descriptors. (Those that the target has opened stay: it may need them.) Answers the record's descriptor.
fn into_child(nothing: &File, output: &OwnedFd, record: &OwnedFd, ours: &[BorrowedFd]) -> RawFd {
    const OUT_OF_THE_WAY: RawFd = 900;
    // SAFETY: descriptors of this process, which ends without using them again; failures leave the child without a
    // record, which is never a pass.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::dup2(nothing.as_raw_fd(), 0);
        libc::dup2(output.as_raw_fd(), 1);
        libc::dup2(output.as_raw_fd(), 2);
        let moved = libc::fcntl(record.as_raw_fd(), libc::F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
        let kept = if moved < 0 { record.as_raw_fd() } else { moved };
        let passed_on = [nothing.as_raw_fd(), output.as_raw_fd(), record.as_raw_fd()];
        for descriptor in ours.iter().map(AsRawFd::as_raw_fd).chain(passed_on).filter(|descriptor| *descriptor != kept)
        {
            libc::close(descriptor);
        }
        kept
    }
}

/// A word that a target cannot guess, made of the keys with which the standard library protects its hash tables.
fn new_seal() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// Has this process learn how its children end, though a target ignores its own.
fn expect_children() {
    // SAFETY: restores the default action, which has no precondition.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// How many descriptors a process may have where the system allows it: with fewer, which a shell may have set, a target could
/// not open what checks ask of it.
const ENOUGH_DESCRIPTORS: u64 = 1024;

/// Lifts a limit of this process and of all that it starts, as far as the system lets it.
fn allow(resource: Resource, least: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let most = maximum.map_or(least, |maximum| maximum.min(least));
    if current.is_some_and(|current| current < most) {
        setrlimit(resource, Rlimit { current: Some(most), maximum })?;
    }
    Ok(())
}

/// No file that a target writes is larger: more would fill the disk.
const LARGEST_FILE: u64 = 256 << 20;

/// Limits this process and all that it starts, unless it is limited to less. A crash is an outcome here, not an accident to
/// be kept on disk.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// The size of this process's address space in bytes.
fn address_space() -> io::Result<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = pages.split(' ').next().and_then(|size| size.parse().ok()).unwrap_or_default();
    Ok(pages * rustix::param::page_size() as u64)
}
