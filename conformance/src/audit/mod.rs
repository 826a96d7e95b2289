//! Clients of the library, looked at without running them: what they need of it, which releases have that, and what they offer
//! themselves.

mod client;
mod embedded;
mod files;
mod legacy;
mod names;

use std::path::{Path, PathBuf};

use client::Looked;
use tvm_ffi_reports::{
    Tool,
    audit::{Against, Audit, Release, Unreadable},
};
use tvm_ffi_spec::abi::abi;

use crate::target::{self, Target, linkage::Linkage};

/// Looks at files, each a library, an object file, an archive of these, a wheel, or a folder of all that.
///
/// # Errors
/// One line for each file in which nothing can be read.
pub fn audit(tool: Tool, files: &[PathBuf], against: Option<&Target>) -> Result<Audit, Vec<String>> {
    let (mut looked, mut unreadable, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        if let Err(problem) = look_into(file, &mut looked, &mut unreadable) {
            problems.push(format!("{}: {problem}", file.display()));
        }
    }
    let has = against.map(|target| match target::exports(&target.path) {
        Ok(exports) => exports.symbols,
        Err(problem) => {
            problems.push(format!("{}: {problem}", target.path.display()));
            Vec::new()
        }
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    let clients = client::described(&looked, has.as_deref());
    let releases = abi().releases.iter().map(|each| Release { name: each.name.clone(), yanked: each.yanked });
    Ok(Audit::new(tool, against.map(self::against), releases.collect(), clients, unreadable))
}

/// What shows that a client speaks an older generation of the ABI, and not today's, in words that follow its name; nothing if none is told.
pub fn older(linkage: &Linkage) -> Option<String> {
    let legacy = legacy::spoken_by(linkage).filter(|_| !legacy::speaks_newer(linkage));
    let of_older = |name: &String| {
        let generation = client::older_generation(name).filter(|_| abi().function(name).is_none())?;
        name.starts_with("TVMFFI")
            .then(|| format!("needs {name}, which only the {generation} generation of the ABI has"))
    };
    let of_older = || linkage.wanted.iter().chain(&linkage.weak).find_map(of_older);
    legacy.map(|legacy| format!("speaks {}", legacy.told(false))).or_else(of_older)
}

/// Looks at what one file holds.
fn look_into(file: &Path, looked: &mut Vec<Looked>, unreadable: &mut Vec<Unreadable>) -> Result<(), String> {
    let name = file.display().to_string();
    let (before, mut refused) = (looked.len(), Vec::new());
    files::each(file, &mut |member, bytes| {
        match bytes.and_then(|bytes| Looked::at(&name, member, bytes)) {
            Ok(client) => looked.push(client),
            Err(problem) => refused.push((member.map(str::to_owned), problem)),
        };
    })?;
    let nothing_read = looked.len() == before;
    for (member, problem) in refused {
        match member {
            None => return Err(problem),
            Some(member) if nothing_read => {
                return Err(format!("{member} {problem}, and nothing else is there to read"));
            }
            Some(member) => unreadable.push(Unreadable { file: name.clone(), member, problem }),
        }
    }
    Ok(())
}

/// A library that clients are held against, or loaded beside.
pub fn against(target: &Target) -> Against {
    Against {
        path: target.path.display().to_string(),
        sha256: target.sha256.clone(),
        origin: target.origin.clone(),
        releases: abi().releases_of(&target.sha256).map(|release| release.name.clone()).collect(),
    }
}
