//! The end of a process, as a part of a check.

use std::{
    ffi::c_void,
    io::{PipeWriter, Read, Write, pipe},
};

use super::Trial;
use crate::client::{Client, Failure, Verdict, crumb::Crumbs};

/// What is left to do in a process that ends, and where the verdict goes.
struct Ending<Work> {
    client: Client,
    work: Work,
    writer: PipeWriter,
}

impl Trial<'_> {
    /// Does `work` in a copy of this process while that one ends, when all that was to be done `atexit` has been done, and
    /// answers its verdict.
    pub fn while_exiting<Work: FnOnce(&Client) -> Verdict>(&self, work: Work) -> Verdict {
        let register = self.fixture_symbol("at_exit.so", "run_at_exit")?;
        // SAFETY: the fixture's function, which is declared so.
        let register: unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void) =
            unsafe { std::mem::transmute(register) };
        let (mut reader, writer) = pipe().map_err(|problem| self.error("a pipe", problem))?;
        // SAFETY: this process has one thread, so that its copy may do whatever it may do itself.
        match unsafe { libc::fork() } {
            -1 => return Err(self.error("a copy of this process", std::io::Error::last_os_error())),
            0 => {
                Crumbs::write_here();
                let ending = Box::into_raw(Box::new(Ending { client: self.client, work, writer }));
                // SAFETY: the function gets what it takes, once; then the process ends as any does. It does so within this call, so
                // that whatever the work borrows is still there.
                unsafe {
                    register(finish::<Work>, ending.cast());
                    libc::exit(0)
                }
            }
            _ => drop(writer),
        }
        let mut record = Vec::new();
        reader.read_to_end(&mut record).map_err(|problem| self.error("reading from a process that ends", problem))?;
        let died = |_| self.failure("the end of the process", "to be survived", "it died before it had ended");
        serde_json::from_slice::<Option<Failure>>(&record)
            .map_err(died)?
            .map_or(Ok(()), |failure| Err(Box::new(failure)))
    }
}

/// Does what is left to do and leaves.
unsafe extern "C" fn finish<Work: FnOnce(&Client) -> Verdict>(ending: *mut c_void) {
    // SAFETY: the box that was given up to be passed here, once.
    let Ending { client, work, mut writer } = *unsafe { Box::from_raw(ending.cast::<Ending<Work>>()) };
    let failure = work(&client).err().map(|failure| *failure);
    if let Ok(record) = serde_json::to_vec(&failure) {
        // Without a record the check says that the process died.
        let _ = writer.write_all(&record);
    }
}
