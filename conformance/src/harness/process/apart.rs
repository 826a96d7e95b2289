//! A worker among processes of its own: what it starts sees no other, and none outlives it.
//!
//! The kernel gives such processes numbers of their own, from the first, whose end ends them all. The worker is not that first one, which
//! no signal of the others reaches: it is to end as any process does. And the process that the parent has started stays behind as its
//! stand-in, which ends as the worker ends.

use std::{
    ffi::c_int,
    fs, io,
    os::fd::{AsRawFd, OwnedFd, RawFd},
    ptr,
};

use rustix::pipe::{PipeFlags, pipe_with};

/// How many numbers there are for processes and threads. Some checks need hundreds of threads.
const MOST_NUMBERS: &str = "4096";

/// Goes on as the worker, in a process that this one starts; this one does not return. To be called where what is started belongs to a
/// space of processes of its own (`CLONE_NEWPID`), by a process with one thread.
///
/// # Errors
/// There can be no such process. Of those that have begun, this is said to their stand-in.
pub fn go_on() -> io::Result<()> {
    let (told, tell) = pipe_with(PipeFlags::CLOEXEC)?;
    // SAFETY: this process has one thread, so the copy is whole.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(told);
            first(&tell);
            Ok(())
        }
        _ => {
            drop(tell);
            stand_in(&told)
        }
    }
}

/// The first of the processes: starts the worker, in which alone this returns, and waits for whatever ends.
fn first(tell: &OwnedFd) {
    // SAFETY: system calls with numbers and with texts that end in NUL, in a process with one thread.
    let worker = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // A group that none of the others belongs to.
        libc::setsid();
        let own = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        if libc::mount(c"proc".as_ptr(), c"/proc".as_ptr(), c"proc".as_ptr(), own, ptr::null()) != 0 {
            libc::_exit(1);
        }
        // Where the kernel counts them for each space, none takes all the numbers that the machine has.
        let _ = fs::write("/proc/sys/kernel/pid_max", MOST_NUMBERS);
        match libc::fork() {
            -1 => libc::_exit(1),
            0 => {
                libc::setsid();
                return;
            }
            worker => worker,
        }
    };
    // So that whoever talks to the worker sees when it has gone.
    close_all_but(tell.as_raw_fd());
    loop {
        let mut status = 0;
        // SAFETY: waits for any process, and writes how it ended.
        let ended = unsafe { libc::waitpid(-1, &mut status, libc::WUNTRACED) };
        if ended == worker {
            let bytes = status.to_ne_bytes();
            // SAFETY: the bytes are there; whoever was to read them may have gone.
            unsafe { libc::write(tell.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
        }
        if ended < 0 || (ended == worker && !libc::WIFSTOPPED(status)) {
            // SAFETY: ends the process at once, and with it all the others.
            unsafe { libc::_exit(0) };
        }
    }
}

/// Ends as the worker ends, and stops when it is stopped.
fn stand_in(told: &OwnedFd) -> ! {
    close_all_but(told.as_raw_fd());
    loop {
        let mut bytes = [0; size_of::<c_int>()];
        // SAFETY: there is room for that many bytes.
        let read = unsafe { libc::read(told.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len()) };
        let status = c_int::from_ne_bytes(bytes);
        let mut first = 1;
        // SAFETY: numbers, and a place for a status; `_exit` ends the process at once.
        unsafe {
            if read == bytes.len() as isize && libc::WIFSTOPPED(status) {
                libc::raise(libc::SIGSTOP);
                continue;
            }
            // All of them are gone then.
            libc::waitpid(-1, &mut first, 0);
            match read {
                0 if first != 0 && libc::WIFEXITED(first) => libc::_exit(libc::WEXITSTATUS(first)),
                _ if read == bytes.len() as isize && libc::WIFEXITED(status) => {
                    libc::_exit(libc::WEXITSTATUS(status));
                }
                _ if read == bytes.len() as isize => end_by(libc::WTERMSIG(status)),
                _ => end_by(libc::SIGKILL),
            }
        }
    }
}

/// Ends this process by a signal, and leaves no file of its memory.
fn end_by(signal: c_int) -> ! {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: numbers and structs that are there, a set of signals of zeros among them; `_exit` ends the process at once.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(signal, libc::SIG_DFL);
        // Whoever started this process may have it blocked.
        let mut unblocked = std::mem::zeroed();
        libc::sigaddset(&mut unblocked, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &unblocked, ptr::null_mut());
        libc::raise(signal);
        libc::_exit(128 + signal)
    }
}

fn close_all_but(kept: RawFd) {
    let kept = kept.cast_unsigned();
    // SAFETY: numbers; nothing of this process uses the descriptors any more.
    unsafe {
        if kept > 0 {
            libc::close_range(0, kept - 1, 0);
        }
        libc::close_range(kept + 1, u32::MAX, 0);
    }
}
