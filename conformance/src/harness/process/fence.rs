//! What the target cannot reach, where the kernel lets that be arranged: any process but its own worker's and what that starts, and,
//! with what it leaves there, the memory that processes share by name.
//!
//! What would end, stop or change the process that runs the suite ends the process that does it instead, in the very call. Nobody could
//! tell a run that is stopped from one that takes long, and none that was killed leaves a report.

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString, OsStr, OsString, c_long},
    fs, io,
    mem::{self, MaybeUninit},
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
};

use super::apart;
use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP, c_int, seccomp_data,
    sock_filter, sock_fprog,
};
use rustix::fs::{Mode, OFlags, RawDir};

/// Where files lie that are memory with a name.
const SHARED: &str = "/dev/shm";

/// Where the symbols of the system's libraries lie, if it has any. A target that reads them for its first backtrace takes 0.2 s of each
/// fresh process for that, and its backtraces would depend on what is installed.
const SYMBOLS: &str = "/usr/lib/debug";

/// What is in the shared memory of this worker alone.
pub struct Shared {
    /// What the target has had there since it was opened; nothing is known if the memory is everybody's.
    kept: Option<BTreeSet<OsString>>,
}

/// Has this process, and all that it starts, have named memory of its own, of that many bytes, or any number if that is 0; and, if that is
/// asked for, see no other processes. It is another process that goes on then, and this one ends as that does.
pub fn part(room: u64, from_processes: bool) -> Shared {
    let memory_and_processes = || {
        part_memory(room, libc::CLONE_NEWPID)?;
        apart::go_on()
    };
    // Tried by another first: half of it would be worse than nothing.
    if from_processes && succeeds(memory_and_processes) && memory_and_processes().is_ok() {
        return Shared { kept: Some(BTreeSet::new()) };
    }
    let memory = || part_memory(room, 0);
    Shared { kept: (succeeds(memory) && memory().is_ok()).then(BTreeSet::new) }
}

/// Whether this works in a copy of this process.
fn succeeds(work: impl FnOnce() -> io::Result<()>) -> bool {
    // SAFETY: this process has one thread, so the copy is whole; it makes system calls and ends.
    let tried = match unsafe { libc::fork() } {
        0 => {
            let worked = work().is_ok();
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(if worked { 0 } else { 1 }) }
        }
        pid => pid,
    };
    let mut status = 1;
    // SAFETY: waits for the process that was just started, if there is one, and writes how it ended.
    let waited = tried > 0 && unsafe { libc::waitpid(tried, &mut status, 0) } == tried;
    waited && status == 0
}

impl Shared {
    /// What is there by now is the target's to keep: it was opened with it.
    pub fn settle(&mut self) {
        if let Some(kept) = &mut self.kept {
            *kept = names();
        }
    }

    /// Removes what a check has left there.
    pub fn clear(&self) {
        let Some(kept) = &self.kept else { return };
        for name in names().difference(kept) {
            let path = Path::new(SHARED).join(name);
            // One or the other; what is in use has no name then.
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
}

/// Asked for after each check, so without the memory of tens of kilobytes that `read_dir` takes: it would be filled each time.
fn names() -> BTreeSet<OsString> {
    let mut names = BTreeSet::new();
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = rustix::fs::open(SHARED, flags, Mode::empty()) else { return names };
    let mut room = [MaybeUninit::uninit(); 1024];
    let mut entries = RawDir::new(folder, &mut room);
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.insert(OsStr::from_bytes(name).to_owned());
        }
    }
    names
}

/// A folder of this process's own where named memory lies, an empty one where symbols do, and objects of System V of its own; and
/// whatever else is asked for.
fn part_memory(room: u64, more: c_int) -> io::Result<()> {
    // SAFETY: numbers without a pointer.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let spaces = libc::CLONE_NEWNS | libc::CLONE_NEWIPC | more;
    // SAFETY: as above. Root would lose what it may do to the files of others by becoming root of less.
    let parted = unsafe { libc::unshare(spaces) };
    if parted != 0 && user == 0 {
        return Err(io::Error::last_os_error());
    }
    if parted != 0 {
        // SAFETY: as above.
        done(unsafe { libc::unshare(spaces | libc::CLONE_NEWUSER) })?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    let size = CString::new(format!("size={room},mode=1777"))?;
    let own = libc::MS_NOSUID | libc::MS_NODEV;
    // SAFETY: texts that end in NUL, and no pointers where none are needed.
    unsafe {
        // Nothing of this is for anybody else; what others mount is still seen.
        done(libc::mount(ptr::null(), c"/".as_ptr(), ptr::null(), libc::MS_REC | libc::MS_SLAVE, ptr::null()))?;
        let empty_folder = |at: &str, more, options: &CStr| {
            let at = CString::new(at)?;
            done(libc::mount(
                c"tvm-ffi-verify".as_ptr(),
                at.as_ptr(),
                c"tmpfs".as_ptr(),
                own | more,
                options.as_ptr().cast(),
            ))
        };
        if Path::new(SYMBOLS).is_dir() {
            empty_folder(SYMBOLS, libc::MS_RDONLY, c"mode=755")?;
        }
        empty_folder(SHARED, 0, &size)
    }
}

/// Has what is done to the parent of this process, to its group, and to everybody end whoever does it: this process or what it starts.
/// Where the kernel does not let that be arranged, it is done.
pub fn keep_from_parent() {
    // SAFETY: numbers without a pointer.
    let (parent, group) = unsafe {
        let parent = libc::getppid();
        (parent, libc::getpgid(parent))
    };
    // A group that cannot be seen from here is told as 0.
    let mut whom = vec![parent.cast_unsigned(), -1_i32 as u32];
    whom.extend((group > 1).then_some(group.wrapping_neg().cast_unsigned()));
    let program = program(&whom);
    let Ok(len) = program.len().try_into() else { return };
    let program = sock_fprog { len, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, which is there until this returns.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 {
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program);
        }
    }
}

/// A call of the system that does something to another process.
struct Deed {
    call: c_long,
    /// Which argument says whom it is for: a process, a group as a negative number, or -1 for all.
    whom: usize,
    /// Where this argument is 0, it only asks.
    what: usize,
}

const DEEDS: [Deed; 9] = [
    Deed { call: libc::SYS_kill, whom: 0, what: 1 },
    Deed { call: libc::SYS_tkill, whom: 0, what: 1 },
    Deed { call: libc::SYS_tgkill, whom: 0, what: 2 },
    Deed { call: libc::SYS_rt_sigqueueinfo, whom: 0, what: 1 },
    Deed { call: libc::SYS_rt_tgsigqueueinfo, whom: 0, what: 2 },
    // By a handle, anything can be done that can be done by a number.
    Deed { call: libc::SYS_pidfd_open, whom: 0, what: 0 },
    // Request 0 is to be traced.
    Deed { call: libc::SYS_ptrace, whom: 1, what: 0 },
    Deed { call: libc::SYS_prlimit64, whom: 0, what: 2 },
    Deed { call: libc::SYS_process_vm_writev, whom: 0, what: 1 },
];

/// Lets every call of the system through but those that do something to one of these, and the one that types into a terminal.
fn program(whom: &[u32]) -> Vec<sock_filter> {
    let mut program = Vec::new();
    for Deed { call, whom: target, what } in DEEDS {
        // Where the call is another one, all of this is passed over.
        let test = [
            load(mem::offset_of!(seccomp_data, nr)),
            unless(call as u32, whom.len() as u8 + 5),
            load(mem::offset_of!(seccomp_data, args) + what * 8 + LOW),
            when(0, whom.len() as u8 + 1),
            load(mem::offset_of!(seccomp_data, args) + target * 8 + LOW),
        ];
        program.extend(test);
        program.extend(whom.iter().zip((1..=whom.len() as u8).rev()).map(|(&whom, over)| when(whom, over)));
        program.push(answer(SECCOMP_RET_ALLOW));
        program.push(answer(SECCOMP_RET_TRAP));
    }
    program.extend([
        load(mem::offset_of!(seccomp_data, nr)),
        unless(libc::SYS_ioctl as u32, 3),
        load(mem::offset_of!(seccomp_data, args) + 8 + LOW),
        unless(libc::TIOCSTI as u32, 1),
        answer(SECCOMP_RET_TRAP),
        answer(SECCOMP_RET_ALLOW),
    ]);
    program
}

/// Where in eight bytes the lower four are.
const LOW: usize = if cfg!(target_endian = "little") { 0 } else { 4 };

fn load(offset: usize) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset as u32)
}

/// Passes over so many steps where what was loaded is that.
fn when(is: u32, over: u8) -> sock_filter {
    step(BPF_JMP | BPF_JEQ | BPF_K, over, 0, is)
}

fn unless(is: u32, over: u8) -> sock_filter {
    step(BPF_JMP | BPF_JEQ | BPF_K, 0, over, is)
}

fn answer(what: u32) -> sock_filter {
    step(BPF_RET | BPF_K, 0, 0, what)
}

fn step(code: u32, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt, jf, k }
}

fn done(answer: c_int) -> io::Result<()> {
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
