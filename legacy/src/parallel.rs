//! Tasks that run at once, each on a thread of its own, and where they wait for one another.
//!
//! The threads live for one launch: nothing is left behind, a launch within a task has threads of its own, and a fork loses none.

use std::{
    env,
    ffi::{c_int, c_void},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
    thread,
};

use tvm_ffi_adapter::types::{ParallelLambda, TVMParallelGroupEnv};

use crate::error::{self, Error, Result};

/// The number of workers that a frontend has asked for; 0 as long as none has.
static WORKERS: AtomicI32 = AtomicI32::new(0);

/// Sets the number of workers; 0 for what the environment says.
pub fn set_workers(count: i32) {
    WORKERS.store(count.max(0), Ordering::Relaxed);
}

/// How many tasks run at once where nobody says how many: what was set, else TVM_NUM_THREADS, else OMP_NUM_THREADS, else half of the
/// processors.
pub fn workers() -> i32 {
    let set = Some(WORKERS.load(Ordering::Relaxed)).filter(|count| *count > 0);
    let from = |name| env::var(name).ok()?.trim().parse::<i32>().ok().filter(|count| *count > 0);
    let halved = || thread::available_parallelism().map_or(1, |count| (count.get() / 2).max(1) as i32);
    set.or_else(|| from("TVM_NUM_THREADS")).or_else(|| from("OMP_NUM_THREADS")).unwrap_or_else(halved)
}

/// What the tasks of a launch share.
struct Group {
    state: Mutex<State>,
    changed: Condvar,
    count: i32,
}

#[derive(Default)]
struct State {
    /// Whether the tasks may begin, once that is decided: they do when all threads are there.
    begin: Option<bool>,
    /// How many wait at the barrier.
    waiting: i32,
    /// How often all were there.
    passed: u64,
    /// A task that has ended, which comes to no barrier any more.
    ended: Option<i32>,
    /// The failed task with the lowest number, and its text.
    failed: Option<(i32, Vec<u8>)>,
}

impl Group {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn decide(&self, begin: bool) {
        self.state().begin = Some(begin);
        self.changed.notify_all();
    }

    fn may_begin(&self) -> bool {
        let mut state = self.state();
        loop {
            match state.begin {
                Some(begin) => return begin,
                None => state = self.wait(state),
            }
        }
    }
}

/// A task with what it is given. The pointer is the caller's, for all tasks.
#[derive(Clone, Copy)]
struct Task {
    lambda: ParallelLambda,
    data: *mut c_void,
}

// SAFETY: whoever launches tasks says that they may run on other threads with this pointer.
unsafe impl Send for Task {}

impl Task {
    fn run(self, number: i32, group: &Group) {
        let before = error::sets();
        let sync_handle = (&raw const *group).cast_mut().cast();
        let mut env = TVMParallelGroupEnv { sync_handle, num_task: group.count };
        // SAFETY: the caller passes a task that takes this.
        let code = unsafe { (self.lambda)(number, &mut env, self.data) };
        let text = (code != 0).then(|| {
            error::after_failure(before);
            error::copied().unwrap_or_default()
        });
        let mut state = group.state();
        state.ended = state.ended.or(Some(number));
        if let Some(text) = text
            && state.failed.as_ref().is_none_or(|(other, _)| number < *other)
        {
            state.failed = Some((number, text));
        }
        group.changed.notify_all();
    }
}

/// Runs `count` tasks at once and waits for them; 0 for as many as there are workers.
pub fn launch(lambda: ParallelLambda, data: *mut c_void, count: c_int) -> Result<()> {
    let count = if count == 0 { workers() } else { count };
    if count < 0 {
        return Err(Error::value(format!("{count} is no number of tasks")));
    }
    let group = Group { state: Mutex::default(), changed: Condvar::new(), count };
    let task = Task { lambda, data };
    let started = thread::scope(|scope| {
        let group = &group;
        // The first task runs here, the others when all have a thread: one that waits at the barrier needs all of them.
        let mut started = Ok(());
        for number in 1..count {
            let thread = thread::Builder::new().name(format!("task {number}"));
            let work = move || {
                let task = task;
                if group.may_begin() {
                    task.run(number, group);
                }
            };
            if let Err(problem) = thread.spawn_scoped(scope, work) {
                started = Err(Error::runtime(format!("task {number} of {count} gets no thread: {problem}")));
                break;
            }
        }
        group.decide(started.is_ok());
        if started.is_ok() {
            task.run(0, group);
        }
        started
    });
    started?;
    match group.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
        None => Ok(()),
        Some((number, text)) => {
            let text = String::from_utf8_lossy(&text).into_owned();
            Err(Error::new("TVMError", format!("Task {number} error: {text}")))
        }
    }
}

/// Waits until all tasks are here. That they never will be, since one has ended, is an error.
///
/// # Safety
/// `env` is what a running task was given.
pub unsafe fn barrier(number: i32, env: *mut TVMParallelGroupEnv) -> Result<()> {
    // SAFETY: the caller vouches for it.
    let group = unsafe { &*(*error::required(env, "penv")?).sync_handle.cast::<Group>() };
    let mut state = group.state();
    state.waiting += 1;
    if state.waiting == group.count {
        state.waiting = 0;
        state.passed += 1;
        group.changed.notify_all();
        return Ok(());
    }
    let passed = state.passed;
    while state.passed == passed {
        if let Some(ended) = state.ended {
            state.waiting -= 1;
            return Err(Error::runtime(format!("task {number} waits for task {ended}, which has ended")));
        }
        state = group.wait(state);
    }
    Ok(())
}
