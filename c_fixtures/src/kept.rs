//! What compilers have made for tests, and is kept: it is made again when something that goes into it has changed. What becomes of
//! it in a test is never kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest, Sha256};

use crate::tools::Language;

/// Has a compiler make `output`, unless the same command has made it of the same inputs before. These are all that the command
/// reads, as texts or as [`digest`]s. The environment is none of them: each commit and each shell has another.
///
/// # Errors
/// What is wrong with the folder, or what the compiler said.
pub fn make(language: Language, command: &mut Command, output: &Path, inputs: &[&str]) -> Result<(), String> {
    let arguments: Vec<_> = command.get_args().collect();
    let inputs = digest(&format!("{}{arguments:?}{inputs:?}", version(command.get_program())?));
    let (stamp, new) = (output.with_added_extension("inputs"), output.with_added_extension("new"));
    // Of the threads that ask for it, one makes it.
    static MAKING: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let making = MAKING.lock().unwrap_or_else(PoisonError::into_inner).entry(output.to_owned()).or_default().clone();
    let _making = making.lock().unwrap_or_else(PoisonError::into_inner);
    if output.is_file() && read(&stamp).is_ok_and(|made_of| made_of == inputs) {
        return Ok(());
    }
    create_folder_of(output)?;
    // What cannot be made must not leave what was made of other inputs.
    let _ = fs::remove_file(output);
    language.compile(command.arg("-o").arg(&new))?;
    fs::rename(&new, output).map_err(|error| format!("{}: {error}", output.display()))?;
    write(&stamp, inputs.as_bytes())
}

/// What a compiler says of itself.
fn version(compiler: &OsStr) -> Result<String, String> {
    static KNOWN: Mutex<BTreeMap<OsString, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(version) = known.get(compiler) {
        return Ok(version.clone());
    }
    let said = Language::C11.compile(Command::new(compiler).arg("--version"))?;
    let version = format!("{compiler:?}: {}", String::from_utf8_lossy(&said.stdout));
    known.insert(compiler.to_owned(), version.clone());
    Ok(version)
}

/// The digest of a text.
pub fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest of a source and of all that it includes, as far as that lies beside it or in one of the folders with headers: what the
/// compiler brings itself goes by its version.
///
/// # Errors
/// Which file cannot be read.
pub fn digest_of(source: &Path, headers: &[PathBuf]) -> Result<String, String> {
    let (mut seen, mut waiting, mut digests) = (BTreeSet::new(), vec![source.to_owned()], String::new());
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let file = if path == source { Arc::new(File::read(&path)?) } else { File::known(&path)? };
        let folders = path.parent().into_iter().chain(headers.iter().map(PathBuf::as_path));
        let places = folders.flat_map(|folder| file.includes.iter().map(|name| folder.join(name)));
        waiting.extend(places.filter(|path| path.is_file()));
        digests += &file.digest;
    }
    Ok(digest(&digests))
}

/// What goes into a compiler.
struct File {
    digest: String,
    /// What stands behind `#include`.
    includes: Vec<String>,
}

impl File {
    fn read(path: &Path) -> Result<Self, String> {
        let text = read(path)?;
        let behind = text.split("#include").skip(1).filter_map(|rest| rest.split(['"', '<', '>']).nth(1));
        Ok(Self { digest: digest(&text), includes: behind.map(str::to_owned).collect() })
    }

    /// A header, which is read once.
    fn known(path: &Path) -> Result<Arc<Self>, String> {
        static KNOWN: Mutex<BTreeMap<PathBuf, Arc<File>>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = known.get(path) {
            return Ok(file.clone());
        }
        let file = Arc::new(Self::read(path)?);
        known.insert(path.to_owned(), file.clone());
        Ok(file)
    }
}

/// Writes a file unless it holds this already. Another process may have it open, so it is replaced.
///
/// # Errors
/// What is wrong with the folder.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(());
    }
    create_folder_of(path)?;
    let new = path.with_added_extension("new");
    let written = fs::write(&new, content).and_then(|()| fs::rename(&new, path));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a text.
///
/// # Errors
/// Its path, and what is wrong with it.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn create_folder_of(path: &Path) -> Result<(), String> {
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_made_again_when_its_inputs_change() {
        let folder = tempfile::tempdir().unwrap();
        let [source, header, object] = ["one.c", "one.h", "one.o"].map(|name| folder.path().join(name));
        let [beside, far] = ["beside", "far"].map(|name| folder.path().join(name));
        let make = || {
            let mut command = crate::compile::compiler(Language::C11, 0);
            command.arg("-c").arg(&source).arg("-I").arg(&far);
            make(Language::C11, &mut command, &object, &[&digest_of(&source, std::slice::from_ref(&far)).unwrap()])
        };
        let object_of = |text: &str, include: &str| {
            write(&source, format!("#include \"one.h\"\n{text}").as_bytes()).unwrap();
            write(&header, include.as_bytes()).unwrap();
            make().map(|()| fs::metadata(&object).unwrap().modified().unwrap())
        };
        write(&far.join("far.h"), b"").unwrap();
        let first = object_of("", "").unwrap();
        assert_eq!(object_of("", ""), Ok(first));
        let second = object_of("int own;", "").unwrap();
        assert!(second > first);
        // Headers are read once for a process, so this one goes by another name.
        fs::rename(&header, &beside).unwrap();
        write(&source, b"#include <far.h>\n#include \"beside\"\nint own;").unwrap();
        make().unwrap();
        assert!(fs::metadata(&object).unwrap().modified().unwrap() > second);
        write(&source, b"int own").unwrap();
        assert!(make().is_err() && !object.exists(), "what cannot be made leaves nothing of before");
    }
}
