//! The legacy generation: callers in C, each run on a library in a process of its own; libraries as code generators of the time wrote
//! them; faults; and the real library that is compared with.

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tvm_ffi_spec::generation::{Function, generation};

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
/// How long a caller may take.
const DEADLINE: Duration = Duration::from_secs(20);

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("legacy")
}

/// A function of a client.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What stands between the parentheses of `CALLER`.
    pub name: String,
    /// The file that it stands in, without its ending.
    pub file: String,
    /// What a conforming library does.
    pub sentence: String,
    /// The clauses that it decides.
    pub clauses: Vec<String>,
}

/// All callers, by file.
///
/// # Errors
/// What cannot be read.
pub fn callers() -> Result<Vec<Caller>, String> {
    let mut callers = Vec::new();
    for path in files("callers")? {
        let text = read(&path)?;
        for (start, _) in text.match_indices("\nCALLER(") {
            let body = &text[start + 1..];
            let body = &body[..body.find("\n}\n").unwrap_or(body.len())];
            let between = |from: &str, to: &str| body.split_once(from).and_then(|(_, rest)| rest.split_once(to));
            let name = between("CALLER(", ")").map(|(name, _)| name.to_owned()).unwrap_or_default();
            let comment = text[..start].rsplit_once("/** ").map(|(_, comment)| comment.trim_end());
            let sentence = comment.and_then(|comment| comment.strip_suffix(" */"));
            let sentence = sentence.ok_or_else(|| format!("{}: {name} has no sentence", path.display()))?;
            let clauses = body.split("CLAUSE(t, \"").skip(1).filter_map(|rest| rest.split('"').next());
            callers.push(Caller {
                file: stem(&path),
                sentence: sentence.split_whitespace().collect::<Vec<_>>().join(" "),
                clauses: clauses.map(str::to_owned).collect(),
                name,
            });
        }
    }
    Ok(callers)
}

/// How a caller ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All was as expected.
    Pass,
    /// An expectation was not met: the clause, what it was about, what was expected, and what came.
    Fail(String, String),
    /// A signal ended the process, while this clause was decided.
    Crash(String, i32),
    /// It did not end in time.
    Timeout(String),
}

impl Outcome {
    /// The clause that is broken, and how.
    pub fn broken(&self) -> Option<(&str, &'static str)> {
        match self {
            Self::Pass => None,
            Self::Fail(clause, _) => Some((clause, "fail")),
            Self::Crash(clause, _) => Some((clause, "crash")),
            Self::Timeout(clause) => Some((clause, "timeout")),
        }
    }
}

/// What the callers are compiled to.
#[derive(Debug)]
pub struct Kit {
    folder: PathBuf,
}

impl Kit {
    /// Compiles callers, operators and what runs them into a folder.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn build(folder: &Path) -> Result<Self, String> {
        let kit = Self { folder: folder.to_owned() };
        fs::create_dir_all(folder.join("operators")).map_err(|error| format!("{}: {error}", folder.display()))?;
        for (kind, place) in [("callers", folder.to_owned()), ("operators", folder.join("operators"))] {
            for source in files(kind)? {
                // With debug information: without, the library of 0.17 reads names of symbols for its backtraces where it has none.
                let mut command = kit.compiler(&["-shared", "-g"]);
                compile(command.arg(&source), &place.join(stem(&source)).with_extension("so"))?;
            }
        }
        let mut runner = kit.compiler(&["-g", "-rdynamic", "-Wl,--unresolved-symbols=ignore-all"]);
        compile(runner.arg(sources().join("runner.c")).args(["-x", "none", "-ldl"]), &folder.join("runner"))?;
        Ok(kit)
    }

    fn compiler(&self, flags: &[&str]) -> Command {
        let mut command = compiler(Language::C11, 1);
        command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-fPIC"]);
        command
            .args(["-Wno-missing-braces", "-pthread"])
            .args(flags)
            .arg("-I")
            .arg(sources())
            .arg("-I")
            .arg(&self.folder);
        for folder in include_dirs_of("legacy") {
            command.arg("-I").arg(folder);
        }
        command
    }

    /// Runs a caller on a library, with so many workers for parallel launches.
    ///
    /// # Errors
    /// That it could not be run.
    pub fn run(&self, library: &Path, caller: &Caller, workers: u32) -> Result<Outcome, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", caller.name);
        let mut command = Command::new(self.folder.join("runner"));
        command.arg(library).arg(self.folder.join(&caller.file).with_extension("so"));
        command.arg(self.folder.join("operators")).arg(&caller.name).env_remove("LD_LIBRARY_PATH");
        command.env("TVM_NUM_THREADS", workers.to_string()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(problem)?;
        let ended = wait(&mut child).map_err(problem)?;
        let (mut printed, mut told) = (Vec::new(), Vec::new());
        // What is left behind by a process that was killed may hold the pipes, but nothing here starts any.
        child.stdout.take().map(|mut out| out.read_to_end(&mut printed)).transpose().map_err(problem)?;
        child.stderr.take().map(|mut out| out.read_to_end(&mut told)).transpose().map_err(problem)?;
        let printed = String::from_utf8_lossy(&printed);
        let clause = printed.lines().rev().find_map(|line| line.strip_prefix("clause ")).unwrap_or("none").to_owned();
        let unmet = printed.lines().find_map(|line| line.strip_prefix("unmet "));
        let Some(status) = ended else { return Ok(Outcome::Timeout(clause)) };
        match (status.code(), status.signal(), unmet) {
            (Some(0), _, None) => Ok(Outcome::Pass),
            (Some(0 | 1), _, Some(unmet)) => Ok(Outcome::Fail(clause, unmet.to_owned())),
            (_, Some(signal), _) => Ok(Outcome::Crash(clause, signal)),
            _ => Err(format!("{}: {status}: {}", caller.name, String::from_utf8_lossy(&told))),
        }
    }

    /// The library with a fault, over one without.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn fault(&self, fault: &Fault, base: &Path) -> Result<PathBuf, String> {
        let library = self.folder.join(&fault.name).join("libtvm_runtime.so");
        fs::create_dir_all(self.folder.join(&fault.name)).map_err(|error| format!("{}: {error}", fault.name))?;
        let source = sources().join("faults").join(&fault.name).with_extension("c");
        let forwarders = library.with_file_name("forwarders.c");
        let text = forwarders_source(base);
        fs::write(&forwarders, text).map_err(|error| format!("{}: {error}", forwarders.display()))?;
        let mut command = self.compiler(&["-shared", "-Wl,-soname,libtvm_runtime.so", "-Wno-unused-parameter"]);
        compile(command.arg(source).arg(forwarders).args(["-x", "none", "-ldl"]), &library)?;
        Ok(library)
    }
}

/// Waits for a process until the deadline; `None` if it had to be ended.
fn wait(child: &mut Child) -> std::io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > DEADLINE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A library that is broken on purpose.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The name of its file, without the ending.
    pub name: String,
    /// What is wrong with it.
    pub story: String,
    /// The clauses that it breaks, and how.
    pub breaks: BTreeSet<(String, String)>,
}

/// All faults, by name.
///
/// # Errors
/// What cannot be read, or has no story.
pub fn faults() -> Result<Vec<Fault>, String> {
    let described = |path: PathBuf| {
        let text = read(&path)?;
        let lines = |key: &'static str| text.lines().filter_map(move |line| line.strip_prefix(key));
        let story = lines("// story: ").next().ok_or_else(|| format!("{} has no story", path.display()))?;
        let breaks = lines("// breaks: ").filter_map(|line| line.split_once(' '));
        let breaks: BTreeSet<_> = breaks.map(|(clause, how)| (clause.to_owned(), how.trim().to_owned())).collect();
        if breaks.is_empty() {
            return Err(format!("{} breaks nothing", path.display()));
        }
        Ok(Fault { name: stem(&path), story: story.to_owned(), breaks })
    };
    files("faults")?.into_iter().map(described).collect()
}

/// The functions that every fault passes on, as `legacy/fault.h` declares them, and their weak definitions.
fn forwarders_source(base: &Path) -> String {
    let functions = generation("legacy").map(|legacy| legacy.all_functions()).unwrap_or_default();
    let mut text = format!("#define BASE {:?}\n#include \"forwarders.h\"\n", base.to_string_lossy());
    for function in &functions {
        let Function { name, returns, params, .. } = function;
        let names: Vec<_> = params.iter().map(|(name, _)| name.as_str()).collect();
        let result = if returns == "void" { "" } else { "return " };
        let _ = write!(
            text,
            "\n__attribute__((weak)) {} {{\n  {result}(({})real(\"{name}\"))({});\n}}\n",
            function.declaration(),
            function.pointer_type(),
            names.join(", ")
        );
    }
    text
}

/// Compiles the program of that name in `programs/`, which uses both generations, into a folder.
///
/// # Errors
/// What is wrong with the folder, or what the compiler said.
pub fn program(folder: &Path, name: &str, include: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let kit = Kit { folder: folder.to_owned() };
    let mut command = kit.compiler(&["-g"]);
    command.arg("-I").arg(include).arg(sources().join("programs").join(name).with_extension("c"));
    let program = folder.join(name);
    compile(command.args(["-x", "none", "-ldl"]), &program).map(|()| program)
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

fn compile(command: &mut Command, output: &Path) -> Result<(), String> {
    Language::C11.compile(command.arg("-o").arg(output)).map(drop)
}

fn files(kind: &str) -> Result<Vec<PathBuf>, String> {
    let folder = sources().join(kind);
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
