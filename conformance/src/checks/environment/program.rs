//! What belongs to the program that the library is a part of.

use std::{
    env,
    ffi::{CStr, CString, OsString, c_int},
    fs,
    hint::black_box,
    mem::MaybeUninit,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    ptr,
};

use super::{again::each_call_again, module_calls::each_module_call};
use crate::{
    checks::check,
    client::{Verdict, changes},
    trial::Trial,
};

/// No call changes what belongs to the program: its folder, limits, children, locale, variables and standard streams, what its threads do,
/// and its memory.
#[check(ENV_0040)]
fn program_is_left_alone(t: &Trial) -> Verdict {
    let memory = Page::new().map_err(|error| t.error("memory", error))?;
    changes::note();
    // A program in Rust ignores SIGPIPE from the first: whoever ignores it, too, would change nothing.
    for signal in [libc::SIGPIPE, libc::SIGUSR1, libc::SIGUSR2] {
        // SAFETY: what happens when a signal comes is this process's own affair, and this function does nothing.
        unsafe { libc::signal(signal, pass as extern "C" fn(c_int) as libc::sighandler_t) };
    }
    let before = State::now(t.target);
    // What comes of a call is for other checks to say.
    let left_alone = |name: &str, call: &dyn Fn()| {
        call();
        let after = State::now(t.target);
        if after == before && memory.is_untouched() {
            return Ok(());
        }
        let of = |what: &str| format!("{what} after {name}");
        t.eq(of("the folder of the program"), &after.folder, &before.folder)?;
        t.eq(of("the mask of new files"), after.umask, before.umask)?;
        for (resource, (after, before)) in LIMITED.iter().zip(after.limits.iter().zip(&before.limits)) {
            t.eq(of(&format!("RLIMIT_{resource}")), after, before)?;
        }
        t.eq(
            of("whether the program learns how its children end"),
            after.learns_of_children,
            before.learns_of_children,
        )?;
        t.eq(of("the signals that the thread blocks"), &after.blocked, &before.blocked)?;
        t.eq(of("the direction in which the thread rounds"), after.rounding, before.rounding)?;
        t.eq(of("whether the thread has subnormal numbers"), after.has_subnormals, before.has_subnormals)?;
        t.eq(of("the locale"), &after.locale, &before.locale)?;
        t.eq(of("whether the thread has its locale"), after.locale_of_thread == before.locale_of_thread, true)?;
        t.eq(of("the variables of the environment"), &after.variables, &before.variables)?;
        for (signal, (after, before)) in (1..).zip(after.handlers.iter().zip(&before.handlers)) {
            t.eq(of(&format!("the handler of signal {signal}")), after, before)?;
        }
        t.eq(of("the standard streams"), &after.streams, &before.streams)?;
        t.eq(of("the library's own file"), &after.library, &before.library)?;
        t.eq(of("whether memory of the program is as it was"), memory.is_untouched(), true)
    };
    each_call(t, &left_alone)
}

/// What the program does when a signal comes.
extern "C" fn pass(_: c_int) {}

/// No call changes the direction in which its thread rounds, whichever that is, and whether the call succeeds or fails.
#[check(ENV_0040)]
fn rounding_is_left_alone(t: &Trial) -> Verdict {
    let turn = |to: c_int| {
        // SAFETY: how this thread rounds is its own affair.
        unsafe { fesetround(to) }
    };
    each_call(t, &|what, call| {
        // No change makes both what they were.
        for (direction, name) in [(UPWARD, "upward"), (DOWNWARD, "downward")] {
            if turn(direction) != 0 {
                continue;
            }
            let before = rounding();
            call();
            let after = rounding();
            turn(TO_NEAREST);
            t.eq(format_args!("the direction of rounding after {what}, which was {name} before"), after, before)?;
        }
        Ok(())
    })
}

/// The thread that has loaded the library has subnormal numbers.
#[check(ENV_0040)]
fn subnormals_survive_loading(t: &Trial) -> Verdict {
    t.eq("whether there are numbers between zero and the least normal one", has_subnormals(), true)
}

/// Hands calls of every kind to a test, those that succeed and those that fail, those of modules, and those that meet what is there already.
pub(super) fn each_call(t: &Trial, test: &dyn Fn(&str, &dyn Fn()) -> Verdict) -> Verdict {
    t.each_success(|name, call| test(name, &|| drop(call())))?;
    each_module_call(t, test)?;
    each_call_again(t, test)?;
    t.each_global_failure(|name, call| test(&format!("a failure of {name}"), &|| drop(call())))?;
    t.each_failure(|name, call| {
        test(&format!("a failure of {name}"), &|| {
            call();
            t.api.release_raised();
        })
    })
}

const TO_NEAREST: c_int = 0;
/// As the C library numbers the directions in `fenv.h`.
#[cfg(target_arch = "x86_64")]
const DOWNWARD: c_int = 0x400;
#[cfg(target_arch = "x86_64")]
const UPWARD: c_int = 0x800;
#[cfg(not(target_arch = "x86_64"))]
const DOWNWARD: c_int = 0x80_0000;
#[cfg(not(target_arch = "x86_64"))]
const UPWARD: c_int = 0x40_0000;

/// How this thread rounds: what the C library says, and on either side of zero what becomes of a sum, as one processor may have two units that
/// calculate.
fn rounding() -> (c_int, [f64; 2]) {
    // SAFETY: rounding is a number of this thread.
    let said = unsafe { fegetround() };
    // More than half way from 1 to the next number: upward and to the nearest that is the next, else 1.
    let sum = |sign: f64| black_box(sign) + black_box(sign * 0.75 * f64::EPSILON);
    (said, [sum(1.0), sum(-1.0)])
}

/// What a program has that is not the library's.
#[derive(PartialEq)]
struct State {
    folder: Option<PathBuf>,
    umask: u32,
    /// The soft and the hard limit of each resource.
    limits: Vec<(u64, u64)>,
    learns_of_children: bool,
    blocked: Vec<c_int>,
    rounding: (c_int, [f64; 2]),
    has_subnormals: bool,
    locale: Option<CString>,
    locale_of_thread: usize,
    variables: Vec<(OsString, OsString)>,
    /// Of each signal, the address of what handles it.
    handlers: Vec<usize>,
    /// Which files they are.
    streams: Vec<Option<PathBuf>>,
    /// Device, number, size and time of change of the file that was opened.
    library: Option<[i64; 4]>,
}

impl State {
    fn now(library: &Path) -> Self {
        // SAFETY: reads one number by writing it, and puts back what was there.
        let umask = unsafe {
            let umask = libc::umask(0o077);
            libc::umask(umask);
            umask
        };
        Self {
            folder: env::current_dir().ok(),
            umask,
            limits: (0..LIMITED.len() as u32).map(limit).collect(),
            learns_of_children: learns_of_children(),
            blocked: blocked(),
            rounding: rounding(),
            has_subnormals: has_subnormals(),
            locale: locale(),
            locale_of_thread: locale_of_thread(),
            variables: env::vars_os().collect(),
            handlers: (1..=libc::SIGSYS).map(|signal| action(signal).sa_sigaction).collect(),
            streams: (0..3).map(|stream| fs::read_link(format!("/proc/self/fd/{stream}")).ok()).collect(),
            library: fs::metadata(library).ok().map(|file| {
                [file.dev().cast_signed(), file.ino().cast_signed(), file.size().cast_signed(), file.mtime()]
            }),
        }
    }
}

unsafe extern "C" {
    /// Of the C library: in which direction this thread rounds.
    fn fegetround() -> c_int;
    /// Of the C library: has this thread round in that direction.
    fn fesetround(direction: c_int) -> c_int;
}

/// What Linux limits, by number.
const LIMITED: [&str; 16] = [
    "CPU",
    "FSIZE",
    "DATA",
    "STACK",
    "CORE",
    "RSS",
    "NPROC",
    "NOFILE",
    "MEMLOCK",
    "AS",
    "LOCKS",
    "SIGPENDING",
    "MSGQUEUE",
    "NICE",
    "RTPRIO",
    "RTTIME",
];

fn limit(resource: u32) -> (u64, u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the answer.
    unsafe { libc::getrlimit(resource, &mut limit) };
    (limit.rlim_cur, limit.rlim_max)
}

/// Whether the system keeps how a child ends until somebody has asked.
fn learns_of_children() -> bool {
    let action = action(libc::SIGCHLD);
    action.sa_sigaction != libc::SIG_IGN && action.sa_flags & libc::SA_NOCLDWAIT == 0
}

/// What happens when a signal comes.
fn action(signal: c_int) -> libc::sigaction {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: there is room for the answer, of which all zeros is a value.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

/// Whether this thread calculates with numbers below the least normal one: that they come out of a product, and count in a sum.
fn has_subnormals() -> bool {
    let subnormal = black_box(f64::MIN_POSITIVE) * black_box(0.5);
    let single = black_box(f32::MIN_POSITIVE) * black_box(0.5);
    black_box(subnormal) + black_box(subnormal) == f64::MIN_POSITIVE
        && black_box(single) + black_box(single) == f32::MIN_POSITIVE
}

/// What the C library calls the locale of the program.
pub(super) fn locale() -> Option<CString> {
    // SAFETY: NULL asks and sets nothing.
    let name = unsafe { libc::setlocale(libc::LC_ALL, ptr::null()) };
    // SAFETY: a C string that is there until the next call.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned())
}

/// Where the C library keeps the locale that this thread has chosen, or what stands for that of the program.
pub(super) fn locale_of_thread() -> usize {
    // SAFETY: NULL asks and sets nothing.
    unsafe { libc::uselocale(ptr::null_mut()) as usize }
}

fn blocked() -> Vec<c_int> {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: there is room for the answer, of which all zeros is a value; the numbers are those of signals.
    unsafe {
        libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), set.as_mut_ptr());
        let set = set.assume_init();
        (1..=libc::SIGRTMAX()).filter(|&signal| libc::sigismember(&set, signal) == 1).collect()
    }
}

/// Memory that the library knows nothing of.
struct Page(*mut u8);

impl Page {
    const SIZE: usize = 4096;
    const CONTENT: u8 = 0x5C;

    fn new() -> std::io::Result<Self> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, at an address of the kernel's choice.
        let page = unsafe { libc::mmap(ptr::null_mut(), Self::SIZE, access, kind, -1, 0) };
        if page == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        // SAFETY: it is that large, and nobody else's.
        unsafe { page.cast::<u8>().write_bytes(Self::CONTENT, Self::SIZE) };
        Ok(Self(page.cast()))
    }

    fn is_untouched(&self) -> bool {
        // SAFETY: it is that large, and there until the process ends.
        let bytes = unsafe { std::slice::from_raw_parts(self.0, Self::SIZE) };
        bytes.iter().all(|&byte| byte == Self::CONTENT)
    }
}
