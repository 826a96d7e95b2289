//! What is printed for readers works: the loader and the kernels that the project's documents print, and the example of
//! every clause. They are compiled against our headers and linked to a library, and then they run.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use tempfile::TempDir;
use tvm_ffi_fixtures::{
    HEADERS, LIBRARIES,
    compile::{program, run},
    fail, peers,
};
use tvm_ffi_spec::{clause, generation::today};
use tvm_ffi_verify::target::Target;

/// What the documents say that their loader prints.
const PRINTED: &str = "[ 2.000000 3.000000 4.000000 5.000000 6.000000 ]\n";
/// The kernels of the documents, each in a library of its name.
const KERNELS: &[&str] = &["add_one_cpu", "add_one_c"];

/// A libtvm_ffi.so in a folder of its own: the reference, or that of a wheel.
fn library_in(folder: &Path, wheel: Option<&Path>) -> PathBuf {
    Target::locate(wheel, today(), folder).unwrap_or_else(|problem| panic!("{problem}")).path
}

/// Builds the loader over a library, and puts the kernels beside it.
fn loader(library: &Path, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_fixtures/programs/load.c");
    let loader = folder.join("load");
    program(&source, library, &loader).unwrap_or_else(|problem| fail(&problem));
    put_libraries(folder);
    loader
}

/// Puts the libraries that programs load into a folder.
fn put_libraries(folder: &Path) {
    for (name, bytes) in LIBRARIES {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn the_loader_of_the_documents_prints_what_they_say() {
    let wheels = peers::wheels();
    for wheel in std::iter::once(None).chain(wheels.iter().map(|(_, wheel)| Some(wheel.as_path()))) {
        let folder = TempDir::new().unwrap();
        let loader = loader(&library_in(folder.path(), wheel), folder.path());
        for kernel in KERNELS {
            let output = run(Command::new(&loader).arg(folder.path().join(format!("{kernel}.so"))).arg(kernel));
            let output = output.unwrap_or_else(|problem| panic!("{wheel:?}, {kernel}: {problem}"));
            assert_eq!(String::from_utf8_lossy(&output.stdout), PRINTED, "{wheel:?}, {kernel}");
        }
    }
}

#[test]
fn the_loader_of_the_documents_tells_why_it_failed() {
    let folder = TempDir::new().unwrap();
    let loader = loader(&library_in(folder.path(), None), folder.path());
    let output = Command::new(loader).arg(folder.path().join("absent.so")).arg("add_one_cpu").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("Error: ") && printed.contains("absent.so"), "{printed}");
}

/// A program in C, which is built only if its text or a header has changed since it was kept in the folder.
fn kept_program(folder: &Path, name: &str, text: &str, library: &Path) -> Result<PathBuf, String> {
    let (source, executable, new) =
        (folder.join(format!("{name}.c")), folder.join(name), folder.join(format!("{name}.new")));
    let mut headers = DefaultHasher::new();
    HEADERS.hash(&mut headers);
    let text = format!("{text}\n/* built with headers of hash {:x} */\n", headers.finish());
    if !(executable.exists() && fs::read_to_string(&source).is_ok_and(|old| old == text)) {
        let unusable = |error: std::io::Error| format!("{}: {error}", folder.display());
        // What cannot be built must not leave the program of an older text behind.
        let _ = fs::remove_file(&executable);
        fs::write(&source, text).map_err(unusable)?;
        program(&source, library, &new)?;
        fs::rename(&new, &executable).map_err(unusable)?;
    }
    Ok(executable)
}

#[test]
fn the_example_of_every_clause_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    fs::create_dir_all(&folder).unwrap();
    let library = library_in(&folder, None);
    let examples: Vec<_> =
        clause::clauses().filter_map(|clause| Some((clause.id.as_str(), clause.program()?))).collect();
    assert!(!examples.is_empty(), "no clause has an example");
    // Some examples load a library from where they run.
    put_libraries(&folder);

    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some((id, text)) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
            let ran = kept_program(&folder, id, text, &library)
                .and_then(|program| run(Command::new(program).current_dir(&folder)));
            if let Err(problem) = ran {
                problems.push(format!("{id}: {problem}"));
            }
        }
        problems
    };
    let problems: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), examples.len(), problems.join("\n"));
}
