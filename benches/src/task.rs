//! What is timed: one operation on one library, set up, tried once and found right.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    hint::black_box,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use tvm_ffi_spec::TVMFFIAny;

use crate::library::Library;

/// One operation on one library, ready to be repeated. What it works on is kept as long as the task.
pub struct Task {
    /// What it did when it was tried; both libraries have to do the same.
    pub did: String,
    /// For how long it is repeated before it is the other library's turn.
    pub turn: Duration,
    /// How often it is repeated at least.
    pub least: u64,
    run: Box<dyn FnMut(u64) -> Duration>,
}

impl Task {
    /// A task that consists of `step`. What it does was tried, and is told. Its time is what the thread spends on a processor:
    /// no operation waits for anything, and the time that other programs take in between is not the library's.
    pub fn new(did: impl Into<String>, mut step: impl FnMut() + 'static) -> Self {
        let run = move |times| {
            let start = spent_by_this_thread();
            for _ in 0..times {
                step();
            }
            spent_by_this_thread() - start
        };
        Self { did: shortened(did.into()), turn: Duration::from_micros(100), least: 1, run: Box::new(run) }
    }

    /// A task that makes a value and ends it; the value has to be shown as is expected.
    ///
    /// # Panics
    /// If the first value is another one.
    pub fn making(lib: &Library, expected: &str, mut make: impl FnMut() -> TVMFFIAny + 'static) -> Self {
        let lib = *lib;
        let did = lib.shown(&lib.own(make()).any());
        assert_eq!(did, expected, "an operation has done something else");
        Self::new(did, move || lib.end(black_box(make())))
    }

    /// A task that makes a value and ends it; which value that has to be is not known beforehand, but that both libraries make
    /// the same.
    pub fn making_alike(lib: &Library, mut make: impl FnMut() -> TVMFFIAny + 'static) -> Self {
        let lib = *lib;
        let did = lib.shown(&lib.own(make()).any());
        Self::new(did, move || lib.end(black_box(make())))
    }

    /// A task that changes something, which answers nothing. `look` tells what is there after the first time.
    ///
    /// # Panics
    /// If something else is there.
    pub fn changing(expected: &str, mut step: impl FnMut() + 'static, look: impl FnOnce() -> String) -> Self {
        step();
        let did = look();
        assert_eq!(did, expected, "an operation has done something else");
        Self::new(did, step)
    }

    /// A task that several threads do at the same time, each its own step. Its time is that from the first thread's start to
    /// the last one's end, so that it stays the same if threads do not wait for each other.
    pub fn on_threads<S: FnMut() + Send + 'static>(did: impl Into<String>, mut steps: Vec<S>) -> Self {
        let run = move |times| {
            let barrier = Barrier::new(steps.len());
            let timed = |step: &mut S| {
                barrier.wait();
                let start = Instant::now();
                for _ in 0..times {
                    step();
                }
                (start, Instant::now())
            };
            let spans: Vec<_> = thread::scope(|scope| {
                let threads: Vec<_> = steps.iter_mut().map(|step| scope.spawn(|| timed(step))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no step panics")).collect()
            });
            let start = spans.iter().map(|(start, _)| *start).min();
            let end = spans.iter().map(|(_, end)| *end).max();
            end.zip(start).map_or(Duration::ZERO, |(end, start)| end - start)
        };
        // Often enough for it not to count that one thread starts before the other.
        Self { did: did.into(), turn: Duration::from_millis(2), least: 100_000, run: Box::new(run) }
    }

    /// The same task, which keeps something that it works on.
    pub fn keeping<T: 'static>(self, kept: T) -> Self {
        let mut run = self.run;
        let run = move |times| {
            let _ = &kept;
            run(times)
        };
        Self { run: Box::new(run), ..self }
    }

    /// Does the task so many times, and tells how long that took.
    pub fn run(&mut self, times: u64) -> Duration {
        (self.run)(times)
    }
}

/// The time that this thread has spent on a processor, in the kernel too.
fn spent_by_this_thread() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the time to where it is told to.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(code, 0, "every thread has a clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A long text by its length and its hash.
fn shortened(text: String) -> String {
    if text.len() <= 200 {
        return text;
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("a text of {} bytes with the hash {:x}", text.len(), hasher.finish())
}
