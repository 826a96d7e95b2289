//! Being interrupted: a signal ends what is running, and the run goes on to its report.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use nix::sys::signal::{SigHandler, SigSet, Signal, signal};

use super::process::descendants::{self, Household};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether a signal has asked for an end: nothing is started any more.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Has this process take signals as any other does, whatever it was started from.
pub fn take_signals() -> nix::Result<()> {
    SigSet::empty().thread_set_mask()
}

/// From here on SIGINT, SIGTERM and SIGHUP end every descendant but for the household, rather than this process. To be
/// called before there is another thread.
pub fn watch(household: Household) -> nix::Result<()> {
    // What started this process may have had it ignore its children, which are then lost.
    // SAFETY: restores the default action, which has no precondition.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl)? };
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    signals.thread_block()?;
    thread::spawn(move || {
        while signals.wait().is_err() {}
        REQUESTED.store(true, Ordering::Relaxed);
        // A worker may have been on its way.
        loop {
            descendants::end_all(&household);
            thread::sleep(Duration::from_millis(20));
        }
    });
    Ok(())
}
