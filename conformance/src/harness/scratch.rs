//! The run's own folder: what it holds for workers, whether a target has taken that away, and how much it keeps there.

use std::{
    borrow::Cow,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, SystemTime},
};

use crate::trial::fixtures;

/// The files that workers need. Any target can remove them, so they can be laid out again.
pub struct Scratch {
    files: Vec<(PathBuf, Cow<'static, [u8]>)>,
    /// Where a target is told to keep what is temporary.
    pub temporary: PathBuf,
    /// How many bytes may be kept there; 0 for any number.
    room: u64,
    seen: Mutex<Seen>,
}

/// What was found when all was looked at.
#[derive(Default)]
struct Seen {
    damages: Damages,
    /// When each folder had last changed, where nothing was kept in the one for what is temporary.
    quiet_since: Option<Vec<SystemTime>>,
}

/// What has become of the folder by now.
#[derive(Clone, Copy, Default)]
pub struct Damages {
    /// How often something was gone.
    gone: u32,
    /// How often too much was kept there.
    filled: u32,
}

/// What a target has done to the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Files that are not the target's are gone.
    Gone,
    /// The target keeps more there than it may.
    Filled,
}

impl Damages {
    /// What has been done since then.
    pub fn since(self, before: Self) -> Option<Damage> {
        let filled = (self.filled > before.filled).then_some(Damage::Filled);
        filled.or_else(|| (self.gone > before.gone).then_some(Damage::Gone))
    }
}

impl Scratch {
    /// Nothing yet, in that folder, in which targets may keep that many bytes, or any number if that is 0.
    pub fn new(folder: &Path, room: u64) -> Self {
        Self { files: Vec::new(), temporary: folder.join("tmp"), room, seen: Mutex::default() }
    }

    /// Has the folder hold a file.
    pub fn add(&mut self, path: PathBuf, bytes: impl Into<Cow<'static, [u8]>>) {
        self.files.push((path, bytes.into()));
    }

    /// What had been done to the folder when it was last looked at.
    pub fn damages(&self) -> Damages {
        self.seen.lock().expect("no thread panics while it holds this lock").damages
    }

    /// The same after a check that passed: nothing was removed or added where no folder has changed, and nothing more is looked at.
    pub fn mended_if_changed(&self) -> io::Result<Damages> {
        let seen = self.seen.lock().expect("no thread panics while it holds this lock");
        if seen.quiet_since.is_some() && seen.quiet_since == self.quiet_since() {
            return Ok(seen.damages);
        }
        drop(seen);
        self.mended()
    }

    /// When each folder last changed, if that is long enough ago for another change to bear another time.
    fn quiet_since(&self) -> Option<Vec<SystemTime>> {
        const TICK: Duration = Duration::from_millis(20);
        let mut folders: Vec<_> = self.files.iter().filter_map(|(path, _)| path.parent()).collect();
        folders.sort();
        folders.dedup();
        let changed = |folder: &Path| {
            let changed = fs::metadata(folder).ok()?.modified().ok()?;
            (changed.elapsed().ok()? > TICK).then_some(changed)
        };
        folders.into_iter().chain([self.temporary.as_path()]).map(changed).collect()
    }

    /// What has been done to the folder by now; all is there again when this answers, and what is too much is not. What is the
    /// target's own is not missed.
    pub fn mended(&self) -> io::Result<Damages> {
        const TRIES: u32 = 100;
        let mut seen = self.seen.lock().expect("no thread panics while it holds this lock");
        let is_empty = fs::read_dir(&self.temporary).is_ok_and(|mut kept| kept.next().is_none());
        seen.quiet_since = if is_empty { self.quiet_since() } else { None };
        let damages = &mut seen.damages;
        if !is_empty && self.room > 0 && is_filled(&self.temporary, self.room) {
            damages.filled += 1;
            // What another check writes meanwhile may keep it from being removed.
            let _ = fs::remove_dir_all(&self.temporary);
        }
        fs::create_dir_all(&self.temporary)?;
        for _ in 0..TRIES {
            if self.files.iter().all(|(path, bytes)| fixtures::is_there(path, bytes)) {
                return Ok(*damages);
            }
            damages.gone += 1;
            // Another check may still be at it.
            let _ = self.lay_out();
        }
        Err(io::Error::other("files of the suite are removed faster than they are written"))
    }

    /// Writes what is not there.
    pub fn lay_out(&self) -> io::Result<()> {
        fs::create_dir_all(&self.temporary)?;
        self.files.iter().try_for_each(|(path, bytes)| fixtures::lay_out(path, bytes))
    }
}

/// Whether what is in a folder takes more room than that. An empty file takes some, too.
fn is_filled(folder: &Path, room: u64) -> bool {
    const ENTRY: u64 = 4 << 10;
    const BLOCK: u64 = 512;
    let (mut folders, mut taken) = (vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Of a link, it is the link.
            let Ok(found) = entry.metadata() else { continue };
            taken += ENTRY + found.blocks() * BLOCK;
            if taken > room {
                return true;
            }
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_filled_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path(), 64 << 10);
        let before = scratch.mended().unwrap();
        fs::create_dir(scratch.temporary.join("below")).unwrap();
        fs::write(scratch.temporary.join("below/few"), "few").unwrap();
        assert_eq!(scratch.mended().unwrap().since(before), None);
        (0..16).for_each(|number| fs::write(scratch.temporary.join(format!("below/{number}")), [1; 4096]).unwrap());
        let filled = scratch.mended().unwrap();
        assert_eq!(filled.since(before), Some(Damage::Filled));
        assert_eq!(scratch.mended().unwrap().since(filled), None);
        assert_eq!(fs::read_dir(&scratch.temporary).unwrap().count(), 0);
    }
}
