//! Being interrupted: a signal, or a target that fills disks, ends what is running, and the run goes on to its report.

use std::{
    sync::{Once, OnceLock},
    thread,
    time::Duration,
};

use nix::sys::signal::{SigHandler, SigSet, Signal, signal};

use tvm_ffi_reports::Ended;

use super::process::{
    descendants::{self, Household},
    written::{Count, Written},
};

static ENDED: OnceLock<Ended> = OnceLock::new();

/// Whether the run is to end: nothing is started any more.
pub fn requested() -> bool {
    ended().is_some()
}

/// Why it is to end.
pub fn ended() -> Option<Ended> {
    ENDED.get().copied()
}

const SIGNALS: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Has this process take signals as any other does, whatever it was started from: a shell's job in the background ignores some.
pub fn take_signals() -> nix::Result<()> {
    for each in SIGNALS {
        // SAFETY: restores the default action, which has no precondition.
        unsafe { signal(each, SigHandler::SigDfl)? };
    }
    SigSet::empty().thread_set_mask()
}

/// From here on SIGINT, SIGTERM and SIGHUP end every descendant but for the household, rather than this process. To be
/// called before there is another thread.
pub fn watch(household: Household) -> nix::Result<()> {
    // What started this process may have had it ignore its children, which are then lost.
    // SAFETY: restores the default action, which has no precondition.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl)? };
    let signals: SigSet = SIGNALS.into_iter().collect();
    signals.thread_block()?;
    thread::spawn(move || {
        while signals.wait().is_err() {}
        end(Ended::Interrupted, &household)
    });
    Ok(())
}

/// From here on every descendant but for the household is ended once they have written that many bytes to disks in all; never if that is 0.
pub fn watch_disks(household: Household, most: u64) {
    const LOOK: Duration = Duration::from_millis(250);
    static ONE: Once = Once::new();
    let watch = move || {
        let written = Written::from_now(&household, Count::ToDisks);
        while written.counted() <= most {
            thread::sleep(LOOK);
        }
        end(Ended::Disk, &household)
    };
    if most > 0 {
        ONE.call_once(|| drop(thread::spawn(watch)));
    }
}

/// Ends what is running, and what is started from here on.
fn end(why: Ended, household: &Household) -> ! {
    // The first is the one.
    let _ = ENDED.set(why);
    // A worker may have been on its way.
    loop {
        descendants::end_all(household);
        thread::sleep(Duration::from_millis(20));
    }
}
