//! The wheels of public releases, fetched by whoever needs them: once for all processes, and kept.

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
    sync::Once,
};

use sha2::{Digest, Sha256};
use tvm_ffi_spec::abi::{Release, abi};

use crate::{fail, tools};

/// The variable that names another folder for the wheels than `target/peers`, or leaves the comparisons out.
const VARIABLE: &str = "TVM_FFI_PEERS";
/// The value that leaves them out.
pub const NONE: &str = "none";

/// The wheel of a release of `abi.toml`, such as `0.1.12`; fetched if it is not there yet. `None` if comparisons are left
/// out, which is said on standard error, past what captures the output of tests.
///
/// A test for which the wheel cannot be had ends here, with a message that says what to do.
pub fn wheel(release: &str) -> Option<PathBuf> {
    let folder = folder()?;
    Some(wanted(&folder, Wheel::of(described(release))))
}

/// The peers of `abi.toml`, oldest first; empty if comparisons are left out.
pub fn wheels() -> Vec<(&'static Release, PathBuf)> {
    let Some(folder) = folder() else { return Vec::new() };
    let peers = abi().releases.iter().filter(|release| release.peer);
    peers.map(|release| (release, wanted(&folder, Wheel::of(release)))).collect()
}

/// Every release of `abi.toml`, oldest first; empty if comparisons are left out.
pub fn all() -> Vec<(&'static Release, PathBuf)> {
    let Some(folder) = folder() else { return Vec::new() };
    abi().releases.iter().map(|release| (release, wanted(&folder, Wheel::of(release)))).collect()
}

/// The wheel of the newest peer, the release that the reference is compared with.
pub fn newest() -> Option<PathBuf> {
    wheel(&abi().newest_peer().name)
}

fn described(release: &str) -> &'static Release {
    let place = abi().release(release).unwrap_or_else(|| fail(&format!("{release} is not listed in spec/abi.toml")));
    &abi().releases[place]
}

/// A wheel to be fetched: the name of the project as pip has it, the release, the checksum of the file, and the machines that it is for.
#[derive(Clone, Copy, Debug)]
pub struct Wheel<'a> {
    /// Such as `apache-tvm-ffi`.
    pub project: &'a str,
    /// Such as `0.1.12`.
    pub release: &'a str,
    /// The SHA-256 of the file.
    pub sha256: &'a str,
    /// Where the checksum stands.
    pub described_in: &'a str,
    /// The platform tags that pip is told, any of which will do.
    pub platforms: &'a [&'a str],
}

impl<'a> Wheel<'a> {
    fn of(release: &'a Release) -> Self {
        Self {
            project: "apache-tvm-ffi",
            release: &release.name,
            sha256: &release.sha256,
            described_in: "spec/abi.toml",
            platforms: &["manylinux_2_28_x86_64", "manylinux_2_24_x86_64"],
        }
    }

    /// Where it lies; fetched if it is not there yet. `None` if comparisons are left out, as with [`wheel`].
    pub fn path(self) -> Option<PathBuf> {
        Some(wanted(&folder()?, self))
    }
}

/// Where the wheels are kept; `None` if comparisons are left out.
fn folder() -> Option<PathBuf> {
    static SAID: Once = Once::new();
    match env::var_os(VARIABLE) {
        Some(value) if value == NONE => {
            let line = format!("NOTHING IS COMPARED WITH PUBLIC RELEASES: {VARIABLE}={NONE}\n");
            // Not `eprintln!`, which libtest captures.
            SAID.call_once(|| drop(io::stderr().write_all(line.as_bytes())));
            None
        }
        Some(value) if !value.is_empty() => Some(value.into()),
        _ => {
            let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace");
            Some(workspace.join("target/peers"))
        }
    }
}

/// A wheel that a test cannot do without.
fn wanted(folder: &Path, release: Wheel<'_>) -> PathBuf {
    let hint =
        format!("{VARIABLE}=DIR looks for wheels in another folder, {VARIABLE}={NONE} leaves the comparisons out");
    in_folder(folder, release).unwrap_or_else(|problem| fail(&format!("{problem}\n  {hint}")))
}

/// The wheel of a release in a folder, fetched if it is not there yet, and held to its checksum. The lock makes one process fetch while the others wait for it.
///
/// # Errors
/// Why it cannot be had, and what was tried.
pub fn wheel_in(folder: &Path, release: &Release) -> Result<PathBuf, String> {
    in_folder(folder, Wheel::of(release))
}

fn in_folder(folder: &Path, release: Wheel<'_>) -> Result<PathBuf, String> {
    let wheel = match find(folder, release) {
        Some(wheel) => wheel,
        None => {
            let unusable = |error: io::Error| format!("{}: {error}", folder.display());
            fs::create_dir_all(folder).map_err(unusable)?;
            let lock = File::create(folder.join("lock")).map_err(unusable)?;
            lock.lock().map_err(unusable)?;
            match find(folder, release) {
                Some(wheel) => wheel,
                None => return fetch(folder, release),
            }
        }
    };
    check(&wheel, release).map(|()| wheel)
}

/// The wheel of a release in a folder.
fn find(folder: &Path, release: Wheel<'_>) -> Option<PathBuf> {
    let prefix = format!("{}-{}-", release.project.replace('-', "_"), release.release);
    only_file(folder, |name| name.starts_with(&prefix) && name.ends_with(".whl"))
}

fn only_file(folder: &Path, wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let paths = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths.into_iter().find(|path| path.file_name().is_some_and(|name| wanted(&name.to_string_lossy())))
}

/// Has pip download a wheel, and moves it to the folder when it is seen to be the right one. The caller holds the lock.
fn fetch(folder: &Path, release: Wheel<'_>) -> Result<PathBuf, String> {
    let unusable = |error: io::Error| format!("{}: {error}", folder.display());
    let incoming = folder.join("incoming");
    // A process that was killed may have left it.
    let _ = fs::remove_dir_all(&incoming);
    let mut pip = pip_download(release, &incoming);
    let ran = tools::output(&mut pip, "pip", "python3-pip");
    ran.map_err(|problem| cannot_fetch(release, &pip, &problem))?;
    let downloaded = only_file(&incoming, |name| name.ends_with(".whl"));
    let downloaded = downloaded.ok_or_else(|| cannot_fetch(release, &pip, "it left no wheel"))?;
    check(&downloaded, release).map_err(|problem| cannot_fetch(release, &pip, &problem))?;
    let wheel = folder.join(downloaded.file_name().expect("a wheel has a name"));
    fs::rename(&downloaded, &wheel).and_then(|()| fs::remove_dir(&incoming)).map_err(unusable)?;
    Ok(wheel)
}

/// Holds a wheel to its checksum.
fn check(wheel: &Path, release: Wheel<'_>) -> Result<(), String> {
    let bytes = fs::read(wheel).map_err(|error| format!("{}: {error}", wheel.display()))?;
    let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if sum == release.sha256 {
        return Ok(());
    }
    Err(format!(
        "{} is not the wheel that {} describes: its SHA-256 is {sum}, expected {}; remove it to have it fetched \
         again",
        wheel.display(),
        release.described_in,
        release.sha256
    ))
}

/// The wheel for CPython 3.11 is wanted, whichever Python is here.
fn pip_download(release: Wheel<'_>, folder: &Path) -> Command {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]);
    pip.args(["--implementation", "cp", "--python-version", "3.11"]);
    for platform in release.platforms {
        pip.args(["--platform", platform]);
    }
    pip.arg("--dest").arg(folder).arg(format!("{}=={}", release.project, release.release));
    pip
}

fn cannot_fetch(release: Wheel<'_>, pip: &Command, problem: &str) -> String {
    let words: Vec<_> = pip.get_args().map(|arg| arg.to_string_lossy()).collect();
    format!(
        "no wheel of {} {}: {}\n  tried: python3 {}",
        release.project,
        release.release,
        problem.trim_end(),
        words.join(" ")
    )
}
