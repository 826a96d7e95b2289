//! `reference --out`: what it writes is found by compilers as the documents print it, and nobody's files are written over.

use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;
use tvm_ffi_fixtures::include_dir;

fn reference(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify")).arg("reference").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// A folder with the reference in it.
fn installed(folder: &Path) -> String {
    let out = folder.join("tvm-ffi").display().to_string();
    let output = reference(&["--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).lines().all(|path| Path::new(path).is_file()));
    out
}

/// Runs a script as a reader of the documents would, with `tvm-ffi-config` among the commands.
fn shell(script: &str, out: &str, folder: &Path) -> Output {
    let path = format!("{out}/bin:{}", env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(["-euc", script]).current_dir(folder).env("PATH", path).env_remove("LD_LIBRARY_PATH");
    command.output().unwrap()
}

#[test]
fn the_examples_of_the_documents_build_and_run() {
    let folder = TempDir::new().unwrap();
    let out = installed(folder.path());
    let fixtures = include_dir().parent().unwrap();
    for (from, to) in [
        ("kernels/add_one_cpu.c", "src/add_one_cpu.c"),
        ("kernels/kernel.h", "src/kernel.h"),
        ("programs/load.c", "src/load.c"),
    ] {
        fs::create_dir_all(folder.path().join("src")).unwrap();
        fs::copy(fixtures.join(from), folder.path().join(to)).unwrap();
    }
    // The commands of the document "Stable C ABI".
    let script = r"
        BUILD_DIR=build
        mkdir -p $BUILD_DIR
        gcc -shared -O3 -std=c11 src/add_one_cpu.c  \
            -fPIC -fvisibility=hidden               \
            $(tvm-ffi-config --cflags)              \
            $(tvm-ffi-config --ldflags)             \
            $(tvm-ffi-config --libs)                \
            -o $BUILD_DIR/add_one_cpu.so
        gcc -fvisibility=hidden -O3 -std=c11        \
            src/load.c                              \
            $(tvm-ffi-config --cflags)              \
            $(tvm-ffi-config --ldflags)             \
            $(tvm-ffi-config --libs)                \
            -Wl,-rpath,$(tvm-ffi-config --libdir)   \
            -o build/load
        build/load build/add_one_cpu.so add_one_cpu";
    let output = shell(script, &out, folder.path());
    assert_eq!(text(&output.stdout), "[ 2.000000 3.000000 4.000000 5.000000 6.000000 ]\n", "{}", text(&output.stderr));
}

#[test]
fn the_package_is_found_where_it_was_moved_to() {
    let folder = TempDir::new().unwrap();
    let moved = folder.path().join("moved");
    fs::rename(installed(folder.path()), &moved).unwrap();
    let moved = moved.canonicalize().unwrap().display().to_string();
    let include = format!("-I{moved}/include");
    let answers = shell(
        "tvm-ffi-config --ldflags --libs --cflags --cxxflags --libdir --libfiles --includedir",
        &moved,
        folder.path(),
    );
    let expected = format!(
        "{moved}/include\n{moved}/lib\n{moved}/lib/libtvm_ffi.so\n{include} {include} -std=c++17\n{include} {include}\n-ltvm_ffi\n-L{moved}/lib\n"
    );
    assert_eq!(text(&answers.stdout), expected);
    let code = |script: &str| shell(script, &moved, folder.path()).status.code();
    assert_eq!((code("tvm-ffi-config"), code("tvm-ffi-config --help")), (Some(0), Some(0)));
    assert_eq!((code("tvm-ffi-config --cmakedir"), code("tvm-ffi-config --frobnicate")), (Some(1), Some(2)));
    assert_eq!(code(&format!("cd {moved} && sha256sum --check --quiet share/tvm-ffi-verify/SHA256SUMS")), Some(0));
    // Not every machine has pkg-config.
    if code("command -v pkg-config") == Some(0) {
        let script = format!(
            "PKG_CONFIG_PATH={moved}/lib/pkgconfig pkg-config --define-variable=pcfiledir={moved}/lib/pkgconfig --cflags --libs tvm_ffi"
        );
        let output = shell(&script, &moved, folder.path());
        let flags = text(&output.stdout);
        assert!(
            flags.contains("-ltvm_ffi") && flags.contains("/include") && flags.contains("-L"),
            "{flags}{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn nobodys_files_are_written_over() {
    let folder = TempDir::new().unwrap();
    let out = installed(folder.path());
    assert_eq!(reference(&["--out", &out, "--quiet"]).status.code(), Some(0), "what is ours may be written again");
    let header = format!("{out}/include/tvm/ffi/c_api.h");
    let library = fs::read(format!("{out}/lib/libtvm_ffi.so")).unwrap();
    fs::write(&header, "/* changed */").unwrap();
    let output = reference(&["--out", &out]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(
        text(&output.stderr),
        format!("tvm-ffi-verify: {header}: was not written by this command; --force writes over it\n")
    );
    assert_eq!(fs::read_to_string(&header).unwrap(), "/* changed */");
    assert_eq!(reference(&["--out", &out, "--force", "--quiet"]).status.code(), Some(0));
    assert!(fs::read_to_string(&header).unwrap().contains("TVMFFIAny"));
    assert_eq!(fs::read(format!("{out}/lib/libtvm_ffi.so")).unwrap(), library);
    // Beside the files of others there is room.
    let used = folder.path().join("used");
    fs::create_dir_all(used.join("lib")).unwrap();
    fs::write(used.join("lib/other.so"), "").unwrap();
    assert_eq!(reference(&["--out", used.to_str().unwrap(), "-q"]).status.code(), Some(0));
    assert!(fs::read_dir(&used).unwrap().all(|entry| !entry.unwrap().file_name().to_string_lossy().starts_with('.')));
    // A library that is somebody's is not replaced, and nothing else is written then.
    let taken = folder.path().join("taken");
    fs::create_dir_all(taken.join("lib")).unwrap();
    fs::write(taken.join("lib/libtvm_ffi.so"), "mine").unwrap();
    assert_eq!(reference(&["--out", taken.to_str().unwrap()]).status.code(), Some(2));
    assert!(!taken.join("include").exists());
    fs::write(folder.path().join("file"), "").unwrap();
    let output = reference(&["--out", folder.path().join("file").to_str().unwrap()]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("is not a directory"));
    assert_eq!(reference(&[]).status.code(), Some(2));
}
