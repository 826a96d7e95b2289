//! What is printed for readers works: the loader and the kernels that the project's documents print, and the example of
//! every clause. They are compiled against our headers and linked to a library, and then they run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;
use tvm_ffi_fixtures::{
    LIBRARIES,
    compile::{program, run},
    fail, kept, peers,
};
use tvm_ffi_spec::{clause, generation::today};
use tvm_ffi_verify::target::Target;

use crate::{library, several};

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

#[test]
fn the_example_of_every_clause_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    fs::create_dir_all(&folder).unwrap();
    let library = library::of(None);
    let examples: Vec<_> =
        clause::clauses().filter_map(|clause| Some((clause.id.as_str(), clause.program()?))).collect();
    assert!(!examples.is_empty(), "no clause has an example");
    // Some examples load a library from where they run.
    put_libraries(&folder);

    let problems = several::each(&examples, |(id, text)| {
        let (source, executable) = (folder.join(format!("{id}.c")), folder.join(id));
        let ran = kept::write(&source, text.as_bytes())
            .and_then(|()| program(&source, &library, &executable))
            .and_then(|()| run(Command::new(&executable).current_dir(&folder)));
        ran.err().map(|problem| format!("{id}: {problem}"))
    });
    let problems: Vec<_> = problems.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), examples.len(), problems.join("\n"));
}
