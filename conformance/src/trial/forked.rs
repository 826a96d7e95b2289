//! Running a part of a check in a process of its own, which may end.

use std::{
    fs::File,
    io::{Read, Write},
    os::fd::FromRawFd,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use super::{
    Trial,
    deadline::{LOOK, PATIENCE, Patience, threads},
};
use crate::client::{Verdict, crumb::Crumbs, program};

/// Why a copy of this process has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It has ended.
    Ended,
    /// It still waits, or works, when there is no [`Patience`] left.
    Hangs,
}

impl Trial<'_> {
    /// What `work` answers in a copy of this process; `None` if that process ends before it has an answer, or hangs.
    pub fn forked(&self, work: impl FnOnce(&Trial) -> Verdict<i64>) -> Verdict<Option<i64>> {
        Ok(self.in_a_copy(work)?.ok())
    }

    /// What `work` answers in a copy of this process, or why it has no answer.
    pub fn in_a_copy(&self, work: impl FnOnce(&Trial) -> Verdict<i64>) -> Verdict<Result<i64, NoAnswer>> {
        program::give_up("a part of it runs in another process");
        let mut ends = [0; 2];
        // SAFETY: there is room for both ends of the pipe.
        if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
            return Err(self.error("a pipe", std::io::Error::last_os_error()));
        }
        // SAFETY: both ends were made just now, and nobody else owns them.
        let [mut answers, mut tell] = ends.map(|end| unsafe { File::from_raw_fd(end) });
        // SAFETY: the copy runs `work` and leaves without unwinding into what belongs to the original.
        match unsafe { libc::fork() } {
            -1 => Err(self.error("a copy of the process", std::io::Error::last_os_error())),
            0 => {
                Crumbs::write_here();
                let told = work(self).is_ok_and(|answer| tell.write_all(&answer.to_ne_bytes()).is_ok());
                // SAFETY: ends this process at once.
                unsafe { libc::_exit(i32::from(!told)) }
            }
            copy => {
                drop(tell);
                let mut answer = [0; 8];
                let patience = Patience::new(PATIENCE, move || threads(&copy.to_string()));
                let told = if !within(&patience, &answers) {
                    Err(NoAnswer::Hangs)
                } else if answers.read_exact(&mut answer).is_err() {
                    Err(NoAnswer::Ended)
                } else {
                    Ok(i64::from_ne_bytes(answer))
                };
                // SAFETY: ends the copy, if it hangs, and waits for it, which nobody else does.
                unsafe {
                    if told.is_err() {
                        libc::kill(copy, libc::SIGKILL);
                    }
                    libc::waitpid(copy, std::ptr::null_mut(), 0);
                }
                Ok(told)
            }
        }
    }
}

/// Whether something can be read, or the other end is closed, before there is no time left.
fn within(patience: &Patience, file: &File) -> bool {
    // Most answer at once, and nobody looks what they wait for.
    let mut left = LOOK;
    loop {
        let look = Timespec::try_from(left.min(LOOK)).ok();
        match poll(&mut [PollFd::new(file, PollFlags::IN)], look.as_ref()) {
            Ok(0) if left.is_zero() => return false,
            Ok(0) | Err(Errno::INTR) => {}
            ready => return ready.is_ok(),
        }
        left = patience.left();
    }
}
