//! The parent: starts workers, hands them checks, collects what came of them.

use std::{
    ffi::OsString,
    fs, io,
    os::{
        fd::AsRawFd,
        unix::{net::UnixStream, process::CommandExt, process::ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tvm_ffi_reports::{Broken, CheckReport, Dump, Outcome};
use tvm_ffi_spec::clause;

use crate::{
    client::{Failure, FailureKind},
    harness::{
        plan::{self, Capabilities},
        process::message::{End, Ended, Inbox, Isolation, Job, Probed, Record, Reply, Setting, Task, send},
    },
    target::{self, Target},
    trial::check::Check,
};

/// The check to which everything is put down that happens while the target is opened.
const OPENING: &str = "symbols.opens";
/// How much longer than a child's deadline its worker may take to answer.
const GRACE: Duration = Duration::from_secs(30);

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// This program; workers are started from it.
    pub program: PathBuf,
    /// A directory for settings, fixtures and logs.
    pub scratch: PathBuf,
    /// How many workers.
    pub jobs: usize,
    /// How long an ordinary check may take.
    pub timeout: Duration,
    /// How children are kept apart.
    pub isolation: Isolation,
    /// What random choices start from.
    pub seed: u64,
    /// How many cases a property check tries.
    pub cases: u32,
}

/// What a run found.
pub struct Findings {
    /// The version that the target claims.
    pub version: Option<String>,
    /// What it has and lacks.
    pub capabilities: Capabilities,
    /// What came of each check, in the order given.
    pub checks: Vec<CheckReport>,
}

/// Why a run could not take place.
#[derive(Debug)]
pub enum NoRun {
    /// The dynamic loader would not open the target, for this reason.
    Refused(String),
    /// The suite itself failed.
    Harness(String),
}

impl From<io::Error> for NoRun {
    fn from(error: io::Error) -> Self {
        NoRun::Harness(error.to_string())
    }
}

/// Runs the checks on the target; `on_report` is told of each as it ends, from several threads.
pub fn run(
    target: &Target,
    checks: &[&'static Check],
    options: &Options,
    on_report: &(dyn Fn(&CheckReport) + Sync),
) -> Result<Findings, NoRun> {
    let fixtures = options.scratch.join("fixtures");
    fs::create_dir_all(&fixtures)?;
    for (name, bytes) in tvm_ffi_fixtures::LIBRARIES {
        fs::write(fixtures.join(name), bytes)?;
    }
    let setting = Setting { target: target.path.clone(), fixtures, isolation: options.isolation };
    let setting_path = options.scratch.join("setting.json");
    fs::write(&setting_path, serde_json::to_vec(&setting).map_err(io::Error::from)?)?;
    let run = Run { target, options, setting_path };

    let probed = match run.probe()? {
        Ok(probed) => probed,
        Err(opening) => {
            on_report(&opening);
            let capabilities = Capabilities::of(&run.exported());
            return Ok(Findings { version: None, capabilities, checks: vec![*opening] });
        }
    };
    let capabilities = Capabilities::of(&probed);
    let checks = run.run_all(checks, &capabilities, on_report)?;
    let version = probed.version.map(|(major, minor, patch)| format!("{major}.{minor}.{patch}"));
    Ok(Findings { version, capabilities, checks })
}

struct Run<'a> {
    target: &'a Target,
    options: &'a Options,
    setting_path: PathBuf,
}

impl Run<'_> {
    /// Finds out what the target claims and has. When it cannot even be opened, the answer is the report of that.
    fn probe(&self) -> Result<Result<Probed, Box<CheckReport>>, NoRun> {
        let mut worker = match Worker::start(self, "probe")? {
            Started::Ready(worker) => worker,
            Started::Refused(reason) => return Err(NoRun::Refused(reason)),
            Started::Died { end, output } => return Ok(Err(Box::new(self.opening_report(end, output)))),
        };
        let deadline_ms = self.options.timeout.as_millis() as u64;
        let ended = match worker.run(&Job { task: Task::Probe, deadline_ms, fresh: false })? {
            Reply::Ended(ended) => ended,
            other => return Err(NoRun::Harness(format!("the worker answered {other:?} to a probe"))),
        };
        match ended.record {
            Some(Record::Probed(probed)) => Ok(Ok(probed)),
            Some(Record::Broke(failure)) if failure.what == "opening the target" => Err(NoRun::Refused(failure.got)),
            _ if ended.trail.open.iter().any(|call| call.starts_with("dlopen(")) => {
                Ok(Err(Box::new(self.opening_report(ended.end, ended.output))))
            }
            // The target did not survive the question. What it exports can be told without running it.
            _ => Ok(Ok(self.exported())),
        }
    }

    /// The functions of the target, read from the file.
    fn exported(&self) -> Probed {
        let functions = target::exports(&self.target.path).map(|exports| exports.symbols).unwrap_or_default();
        Probed { functions, ..Probed::default() }
    }

    fn run_all(
        &self,
        checks: &[&'static Check],
        capabilities: &Capabilities,
        on_report: &(dyn Fn(&CheckReport) + Sync),
    ) -> Result<Vec<CheckReport>, NoRun> {
        let next = AtomicUsize::new(0);
        let reports: Vec<Mutex<Option<CheckReport>>> = checks.iter().map(|_| Mutex::new(None)).collect();
        let work = |number: usize| -> Result<(), NoRun> {
            let mut worker = None;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(check) = checks.get(index) else { return Ok(()) };
                let report = match capabilities.excuse(check) {
                    Some(excuse) => self.excused(check, excuse),
                    None => self.run_one(check, &mut worker, number)?,
                };
                on_report(&report);
                *reports[index].lock().expect("no thread panics while it holds this lock") = Some(report);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.options.jobs).map(|number| scope.spawn(move || work(number))).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err(NoRun::Harness("a thread of the runner panicked".to_owned())))
            })
        })?;
        let taken = reports.into_iter().map(|report| report.into_inner().ok().flatten());
        taken.collect::<Option<Vec<_>>>().ok_or_else(|| NoRun::Harness("a check was lost".to_owned()))
    }

    /// Runs one check on this thread's worker, starting a worker first if there is none.
    fn run_one(&self, check: &Check, slot: &mut Option<Worker>, number: usize) -> Result<CheckReport, NoRun> {
        let mut worker = match slot.take() {
            Some(worker) => worker,
            None => match Worker::start(self, &number.to_string())? {
                Started::Ready(worker) => worker,
                Started::Refused(reason) => return Ok(self.harness_error(check, &reason)),
                Started::Died { end, .. } => {
                    return Ok(self.harness_error(check, &format!("a worker {} while it opened the target", tell(end))));
                }
            },
        };
        let deadline_ms = self.options.timeout.as_millis() as u64 * u64::from(check.patience);
        let task = Task::Check { id: check.id.to_owned(), seed: self.seed_of(check), cases: self.options.cases };
        match worker.run(&Job { task, deadline_ms, fresh: check.fresh }) {
            Ok(Reply::Ended(ended)) => {
                *slot = Some(worker);
                Ok(self.report(check, *ended))
            }
            // This worker is dropped, and killed; the next check gets another.
            Ok(other) => Ok(self.harness_error(check, &format!("the worker answered {other:?}"))),
            Err(error) => Ok(self.harness_error(check, &format!("the worker was lost ({error})"))),
        }
    }

    /// A seed for each check, so that choosing fewer checks does not change what the others try.
    fn seed_of(&self, check: &Check) -> u64 {
        // FNV-1a
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        check.id.bytes().fold(self.options.seed ^ 0xcbf2_9ce4_8422_2325, mix)
    }
}

/// From what happened to what is reported.
impl Run<'_> {
    fn blank(&self, check: &Check, outcome: Outcome) -> CheckReport {
        CheckReport {
            id: check.id.to_owned(),
            name: check.name.to_owned(),
            clauses: check.clauses.iter().map(|&id| id.to_owned()).collect(),
            level: plan::level(check),
            outcome,
            message: None,
            known: None,
            broken: None,
            output: None,
            duration_us: 0,
            seed: Some(self.options.seed),
            rerun: self.rerun(check),
        }
    }

    fn rerun(&self, check: &Check) -> String {
        let target = self.target.argument.as_ref().map(|path| format!(" {}", quoted(path))).unwrap_or_default();
        let isolation = match self.options.isolation {
            Isolation::Fork => "",
            Isolation::Exec => " --isolation exec",
        };
        format!("tvm-ffi-verify check{target} --only {} --seed {}{isolation}", check.id, self.options.seed)
    }

    fn excused(&self, check: &Check, excuse: String) -> CheckReport {
        let broken = Broken { clause: check.clauses[0].to_owned(), message: excuse, ..Broken::default() };
        CheckReport { broken: Some(broken), ..self.blank(check, Outcome::Unsupported) }
    }

    fn harness_error(&self, check: &Check, problem: &str) -> CheckReport {
        let broken = Broken { message: problem.to_owned(), ..Broken::default() };
        CheckReport { broken: Some(broken), ..self.blank(check, Outcome::Error) }
    }

    fn report(&self, check: &Check, ended: Ended) -> CheckReport {
        let (outcome, broken) = match ended.record {
            Some(Record::Held) => (Outcome::Pass, None),
            Some(Record::Broke(failure)) => (outcome_of(failure.kind), Some(broken(*failure))),
            Some(Record::Probed(_)) => return self.harness_error(check, "a check answered a probe"),
            None => {
                let clause =
                    if clause::find(&ended.trail.clause).is_some() { &ended.trail.clause } else { check.clauses[0] };
                let (outcome, broken) = died(clause, ended.end, &ended);
                (outcome, Some(broken))
            }
        };
        let output = (outcome != Outcome::Pass && !ended.output.trim().is_empty()).then_some(ended.output);
        CheckReport { broken, output, duration_us: ended.micros, ..self.blank(check, outcome) }
    }

    fn opening_report(&self, end: End, output: String) -> CheckReport {
        let check = crate::checks::find(OPENING).expect("the check that opens the target exists");
        let ended = Ended { record: None, end, trail: Default::default(), output, micros: 0 };
        let mut report = self.report(check, ended);
        if let Some(broken) = &mut report.broken {
            broken.call = Some(format!("dlopen(\"{}\", RTLD_NOW | RTLD_GLOBAL)", self.target.path.display()));
            broken.note = Some("no other check could run".to_owned());
        }
        report
    }
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn outcome_of(kind: FailureKind) -> Outcome {
    match kind {
        FailureKind::Fail => Outcome::Fail,
        FailureKind::Leak => Outcome::Leak,
        FailureKind::Unsupported => Outcome::Unsupported,
        FailureKind::Error => Outcome::Error,
    }
}

fn broken(failure: Failure) -> Broken {
    let message = match failure.kind {
        FailureKind::Unsupported => format!("the target lacks {}", failure.what),
        _ => format!("{}: expected {}, got {}", failure.what, failure.expected, failure.got),
    };
    Broken {
        clause: failure.clause,
        message,
        call: failure.call,
        what: Some(failure.what),
        expected: Some(failure.expected),
        got: Some(failure.got),
        bytes: failure.bytes.iter().map(|(label, bytes)| Dump::new(label, bytes)).collect(),
        note: failure.note,
        signal: None,
    }
}

/// A child that ended without a record: silence is never a pass.
fn died(clause: &str, end: End, ended: &Ended) -> (Outcome, Broken) {
    let outcome = if end == End::TimedOut { Outcome::Timeout } else { Outcome::Crash };
    let signal = match end {
        End::Signaled(signal) => Some(signal_name(signal)),
        _ => None,
    };
    let (call, place) = match (ended.trail.open.first(), &ended.trail.last) {
        (Some(call), _) => (Some(call.clone()), "during the call"),
        (None, Some(call)) => (Some(call.clone()), "after the call had returned"),
        (None, None) => (None, "before any call"),
    };
    let message = format!("the process {} {place}", tell(end));
    let more = ended.trail.open.get(1..).filter(|others| !others.is_empty());
    let note = more.map(|others| format!("other threads were in {}", others.join(", ")));
    (outcome, Broken { clause: clause.to_owned(), message, call, note, signal, ..Broken::default() })
}

fn tell(end: End) -> String {
    match end {
        End::Exited(status) => format!("exited with status {status}"),
        End::Signaled(signal) => format!("was ended by {}", signal_name(signal)),
        End::TimedOut => "did not end before its deadline".to_owned(),
    }
}

fn signal_name(signal: i32) -> String {
    const NAMES: &[(i32, &str)] = &[
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGSYS, "SIGSYS"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGTRAP, "SIGTRAP"),
    ];
    let known = NAMES.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

/// A worker process. It is killed when this is dropped.
struct Worker {
    process: Child,
    control: UnixStream,
    inbox: Inbox,
}

enum Started {
    Ready(Worker),
    Refused(String),
    Died { end: End, output: String },
}

impl Worker {
    fn start(run: &Run, name: &str) -> Result<Started, NoRun> {
        let (control, theirs) = UnixStream::pair()?;
        let log = run.options.scratch.join(format!("worker-{name}.log"));
        let log_file = fs::File::create(&log)?;
        let mut command = Command::new(&run.options.program);
        command.arg("__worker").arg(theirs.as_raw_fd().to_string()).arg(&run.setting_path);
        command.stdin(Stdio::null()).stdout(log_file.try_clone()?).stderr(log_file).process_group(0);
        command.env("GLIBC_TUNABLES", exact_accounts());
        let descriptor = theirs.as_raw_fd();
        // Only in the child, so that no other worker inherits this one's socket.
        let keep_open = move || {
            // SAFETY: the descriptor is open in the child, too, and is only borrowed.
            let theirs = unsafe { std::os::fd::BorrowedFd::borrow_raw(descriptor) };
            Ok(rustix::io::fcntl_setfd(theirs, rustix::io::FdFlags::empty())?)
        };
        // SAFETY: the closure makes one system call, which is allowed between fork and exec.
        unsafe { command.pre_exec(keep_open) };
        let process = command.spawn()?;
        drop(theirs);
        control.set_read_timeout(Some(run.options.timeout))?;
        let mut worker = Worker { process, inbox: Inbox::new(control.try_clone()?), control };
        match worker.inbox.receive() {
            Ok(Some(Reply::Ready)) => Ok(Started::Ready(worker)),
            Ok(Some(Reply::Refused(reason))) => Ok(Started::Refused(reason)),
            Ok(Some(other)) => Err(NoRun::Harness(format!("a worker greeted with {other:?}"))),
            Ok(None) => {
                let status = worker.process.wait()?;
                let end = match (status.code(), status.signal()) {
                    (Some(code), _) => End::Exited(code),
                    (None, signal) => End::Signaled(signal.unwrap_or_default()),
                };
                Ok(Started::Died { end, output: tail(&log) })
            }
            Err(error) if timed_out(&error) => Ok(Started::Died { end: End::TimedOut, output: tail(&log) }),
            Err(error) => Err(error.into()),
        }
    }

    fn run(&mut self, job: &Job) -> io::Result<Reply> {
        self.control.set_read_timeout(Some(Duration::from_millis(job.deadline_ms) + GRACE))?;
        send(&self.control, job)?;
        self.inbox.receive()?.ok_or_else(|| io::Error::other("it is gone"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have gone by itself already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Settings for the C library of workers and children. Leaks are told from malloc's records, and those count what lies in
/// its caches for each thread as in use.
fn exact_accounts() -> OsString {
    let mut settings = std::env::var_os("GLIBC_TUNABLES").unwrap_or_default();
    if !settings.is_empty() {
        settings.push(":");
    }
    settings.push("glibc.malloc.tcache_count=0");
    settings
}

fn timed_out(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn tail(log: &Path) -> String {
    const KEPT: usize = 8 << 10;
    let bytes = fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_command() {
        assert_eq!(quoted(Path::new("build/libtvm_ffi.so")), "build/libtvm_ffi.so");
        assert_eq!(quoted(Path::new("my build/it's.so")), r"'my build/it'\''s.so'");
    }
}
