//! The real library of the legacy generation, which is compared with, and a program that uses two generations.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use crate::{compile::compiler, include_dirs_of, peers::Wheel, tools::Language};

/// A public wheel with a library of 0.17 in it, which needs no GPU to be loaded.
const PEER: Wheel<'_> = Wheel {
    project: "tilelang",
    release: "0.1.5",
    sha256: "ef0d2b23f3f6cbda6153f6e41057495bf9f935881b2ca35b46406af1cab15ccd",
    described_in: "c_fixtures/src/legacy.rs",
    platforms: &["manylinux_2_27_x86_64"],
};
/// The library in it, and what that is linked to.
const MEMBERS: [&str; 2] = ["tilelang/lib/libtvm_runtime.so", "tilelang/lib/libcudart-24af1308.so.12.1.55"];
/// Functions of a GPU's driver that it wants to find when it is loaded.
const DRIVER: [&str; 9] = [
    "cuDeviceGetName",
    "cuFuncSetAttribute",
    "cuGetErrorName",
    "cuLaunchKernel",
    "cuMemsetD32_v2",
    "cuModuleGetFunction",
    "cuModuleGetGlobal_v2",
    "cuModuleLoadData",
    "cuModuleUnload",
];

/// Compiles the program of that name in `programs_legacy/`, which uses both generations and needs these headers besides, into a folder.
///
/// # Errors
/// What is wrong with the folder, or what the compiler said.
pub fn program(folder: &Path, name: &str, include: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs_legacy/{name}.c"));
    let mut command = compiler(Language::C11, 1);
    command.args([
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-missing-field-initializers",
        "-Wno-missing-braces",
    ]);
    for folder in include_dirs_of("legacy") {
        command.arg("-I").arg(folder);
    }
    let program = folder.join(name);
    command.arg("-I").arg(include).arg(source).args(["-pthread", "-ldl"]);
    compile(&mut command, &program).map(|()| program)
}

/// The real library, taken out of its wheel into a folder, with a driver beside it that does nothing. `None` if comparisons are left
/// out.
///
/// # Errors
/// What is wrong with the wheel or the folder, or what the compiler said.
pub fn peer(folder: &Path) -> Result<Option<PathBuf>, String> {
    let Some(wheel) = PEER.path() else { return Ok(None) };
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", wheel.display());
    fs::create_dir_all(folder).map_err(|error| problem(&error))?;
    let file = fs::File::open(&wheel).map_err(|error| problem(&error))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| problem(&error))?;
    for name in MEMBERS {
        let mut content = Vec::new();
        let mut member = archive.by_name(name).map_err(|error| problem(&error))?;
        member.read_to_end(&mut content).map_err(|error| problem(&error))?;
        let place = folder.join(Path::new(name).file_name().unwrap_or_default());
        fs::write(&place, content).map_err(|error| problem(&error))?;
    }
    let source = folder.join("driver.c");
    let driver: String = DRIVER.iter().map(|name| format!("int {name}(void) {{ return 100; }}\n")).collect();
    fs::write(&source, driver).map_err(|error| problem(&error))?;
    let mut command = compiler(Language::C11, 1);
    command.args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]).arg(source);
    compile(&mut command, &folder.join("libcuda.so.1"))?;
    Ok(Some(folder.join("libtvm_runtime.so")))
}

fn compile(command: &mut std::process::Command, output: &Path) -> Result<(), String> {
    Language::C11.compile(command.arg("-o").arg(output)).map(drop)
}
