//! What belongs to the program that the library is a part of.

use std::{
    env,
    ffi::c_int,
    fs,
    mem::MaybeUninit,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    ptr,
};

use crate::{checks::check, client::Verdict, trial::Trial};

/// No call changes what belongs to the program: its folder, limits, children and standard streams, what its threads do, and its memory.
#[check(ENV_0040)]
fn program_is_left_alone(t: &Trial) -> Verdict {
    let memory = Page::new().map_err(|error| t.error("memory", error))?;
    let before = State::now(t.target);
    t.each_success(|name, call| {
        // What comes of it is for other checks to say.
        let _ = call();
        let after = State::now(t.target);
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
        t.eq(of("the standard streams"), &after.streams, &before.streams)?;
        t.eq(of("the library's own file"), &after.library, &before.library)?;
        t.eq(of("whether memory of the program is as it was"), memory.is_untouched(), true)
    })
}

/// What a program has that is not the library's.
struct State {
    folder: Option<PathBuf>,
    umask: u32,
    /// The soft and the hard limit of each resource.
    limits: Vec<(u64, u64)>,
    learns_of_children: bool,
    blocked: Vec<c_int>,
    rounding: c_int,
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
        // SAFETY: rounding is a number of this thread.
        let rounding = unsafe { fegetround() };
        Self {
            folder: env::current_dir().ok(),
            umask,
            limits: (0..LIMITED.len() as u32).map(limit).collect(),
            learns_of_children: learns_of_children(),
            blocked: blocked(),
            rounding,
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
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: there is room for the answer, of which all zeros is a value.
    let action = unsafe {
        libc::sigaction(libc::SIGCHLD, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction != libc::SIG_IGN && action.sa_flags & libc::SA_NOCLDWAIT == 0
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
