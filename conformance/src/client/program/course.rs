//! To which function of a program a statement belongs: that of a thread, or one that stands for a function of the suite's own while the
//! library calls it. Tables are of a fixed size, as in [`places`](super::places).

use std::ffi::c_int;

/// How a line begins that says where the next ones belong: the number of a thread, that of a function of the suite's own, or 0, and how often
/// it had been called before; and `open` if what stood in front of it is a call that had not returned.
pub const IN: &str = "#in ";
/// How a function is called that does what one of the suite's own does, before its number.
pub const CALLBACK: &str = "callback_";

const THREADS: usize = 16;
const DEPTH: usize = 8;
const CALLBACKS: usize = 64;

/// Where a statement belongs.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The thread that runs it, the first being 0.
    pub thread: u8,
    /// The function of the suite's own that it is a part of; 0 for none.
    pub callback: u8,
    /// How often that had been called before.
    pub time: u32,
}

/// What one thread is at, in a function of the suite's own or outside of all.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    callback: u8,
    time: u32,
    /// Whether a call has not returned.
    pub within: bool,
    /// Whether a call was written.
    pub wrote: bool,
    /// The function of the suite's own that is handed over next; 0 for none.
    pub handed: u8,
}

#[derive(Clone, Copy)]
struct Thread {
    /// The kernel's number; 0 when it has ended.
    id: c_int,
    depth: u8,
    frames: [Frame; DEPTH],
}

#[derive(Clone, Copy)]
struct Callback {
    code: usize,
    this: usize,
    times: u32,
}

/// The threads of a check and its functions that the library calls.
#[derive(Clone, Copy)]
pub struct Course {
    process: c_int,
    threads: [Thread; THREADS],
    thread_count: usize,
    callbacks: [Callback; CALLBACKS],
    callback_count: usize,
}

impl Course {
    pub const NONE: Self = Self {
        process: 0,
        threads: [Thread {
            id: 0,
            depth: 0,
            frames: [Frame { callback: 0, time: 0, within: false, wrote: false, handed: 0 }; DEPTH],
        }; THREADS],
        thread_count: 0,
        callbacks: [Callback { code: 0, this: 0, times: 0 }; CALLBACKS],
        callback_count: 0,
    };

    /// The thread that calls this is the first.
    pub fn begin(&mut self) {
        (self.process, self.thread_count, self.callback_count) = (this_process(), 0, 0);
        let _ = self.thread();
    }

    /// The number of this thread.
    ///
    /// # Errors
    /// Why a program cannot have it.
    pub fn thread(&mut self) -> Result<usize, &'static str> {
        let id = this_thread();
        if this_process() != self.process {
            return Err("a part of it runs in another process");
        }
        if let Some(known) = self.threads[..self.thread_count].iter().position(|thread| thread.id == id) {
            return Ok(known);
        }
        let Some(new) = self.threads.get_mut(self.thread_count) else {
            return Err("calls are made on more than sixteen threads");
        };
        *new = Thread { id, depth: 0, frames: [Frame::default(); DEPTH] };
        self.thread_count += 1;
        Ok(self.thread_count - 1)
    }

    /// What a thread is at.
    pub fn frame(&mut self, thread: usize) -> &mut Frame {
        let Thread { depth, frames, .. } = &mut self.threads[thread];
        &mut frames[usize::from(*depth)]
    }

    /// Where its next statement belongs.
    pub fn place(&mut self, thread: usize) -> Place {
        let Frame { callback, time, .. } = *self.frame(thread);
        Place { thread: thread as u8, callback, time }
    }

    /// The next thread that has ended since this was asked, if any.
    pub fn ended(&mut self) -> Option<usize> {
        let process = self.process;
        // SAFETY: signal 0 is sent to nobody; it tells whether the thread is there.
        let is_gone = |id: c_int| unsafe { libc::syscall(libc::SYS_tgkill, process, id, 0) } != 0;
        let ended = self.threads[..self.thread_count].iter().position(|thread| thread.id != 0 && is_gone(thread.id))?;
        self.threads[ended].id = 0;
        Some(ended)
    }

    /// The number of a function of the suite's own, known by its code and its `self`; 0 if there are too many.
    pub fn callback(&mut self, code: usize, this: usize) -> u8 {
        let known = self.find(code, this);
        let Some(room) = self.callbacks.get_mut(self.callback_count).filter(|_| known.is_none()) else {
            return known.map_or(0, |known| known as u8 + 1);
        };
        *room = Callback { code, this, times: 0 };
        self.callback_count += 1;
        self.callback_count as u8
    }

    /// A thread is about to run such a function; `false` if no program can follow.
    pub fn calls(&mut self, thread: usize, code: usize, this: usize) -> bool {
        let Some(known) = self.find_called(code, this) else { return false };
        let time = self.callbacks[known].times;
        let Thread { depth, frames, .. } = &mut self.threads[thread];
        let Some(frame) = frames.get_mut(usize::from(*depth) + 1) else { return false };
        *frame = Frame { callback: known as u8 + 1, time, ..Frame::default() };
        *depth += 1;
        self.callbacks[known].times += 1;
        true
    }

    /// It has run it.
    pub fn returns(&mut self, thread: usize) {
        self.threads[thread].depth -= 1;
    }

    fn find(&self, code: usize, this: usize) -> Option<usize> {
        self.callbacks[..self.callback_count].iter().position(|known| (known.code, known.this) == (code, this))
    }

    /// The same by the `self` that it is called with, which is the function object where none was given.
    fn find_called(&self, code: usize, this: usize) -> Option<usize> {
        self.find(code, this).or_else(|| self.find(code, 0))
    }
}

fn this_thread() -> c_int {
    // SAFETY: always sound.
    unsafe { libc::gettid() }
}

fn this_process() -> c_int {
    // SAFETY: always sound.
    unsafe { libc::getpid() }
}
