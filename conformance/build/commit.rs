//! The commit that a program is built from.

use std::{path::Path, process::Command};

/// The first digits of the commit that is checked out in `folder`, and whether the sources differ from it. `None` where git
/// does not know the `file` in it: in sources that were unpacked, though it be into somebody else's repository, and without git.
pub fn commit(folder: &Path, file: &str) -> Option<String> {
    git(folder, &["ls-files", "--error-unmatch", "--", file])?;
    let commit = git(folder, &["rev-parse", "HEAD"])?;
    let changes = git(folder, &["status", "--porcelain", "--untracked-files=no", "--", "."])?;
    let short = commit.get(..12)?;
    Some(if changes.is_empty() { short.to_owned() } else { format!("{short} with changes") })
}

fn git(folder: &Path, args: &[&str]) -> Option<String> {
    // Nothing is written to the repository, not even what git remembers of files.
    let output = Command::new("git").arg("-C").arg(folder).args(args).env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
