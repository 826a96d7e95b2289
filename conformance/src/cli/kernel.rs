//! `tvm-ffi-verify kernel`.

use std::path::{Path, PathBuf};

use tvm_ffi_reports::{
    exit,
    kernel::{Kernels, Tested},
};
use tvm_ffi_spec::generation::today;

use super::{
    files,
    output::{Outputs, complain},
    run::{Limits, harness, usage},
    version,
};
use crate::{
    audit,
    harness::{
        folder::Folder,
        generation::NotJudged,
        interrupt,
        kernels::{self, Asked, Kernel, NotCalled},
        no_run::NoRun,
        options::Options,
        process::descendants,
    },
    kernel::calls::{self, Call},
    target::{self, Target, linkage::Form, offered, sanitizer::Instrumented},
};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
What a function takes is known from the file of calls, from its metadata (`__tvm_ffi__metadata_NAME`), or from trying tensors; of a function of
which nothing is known, only calls are made that are legal of any function. Each call is made in a process of its own, on the host.

The file of calls is TOML, one table for each call:

  [[call]]
  function = \"add_one\"
  args = [{ tensor = \"float32\", shape = [3], values = [1, 2, 3] },
          { tensor = \"float32\", shape = [3], becomes = [2, 3, 4] }]

An argument is a number, true or false, a text, { none = {} }, { dtype = \"int8\" }, { device = [1, 0] }, { shape = [2, 3] }, { bytes = \"…\" } or a
tensor (`values` before the call, `becomes` after it, `object = true` to pass an object, `device = [2, 0]` for one that is not on the host: then what
can be tried without the device is); `returns = VALUE` and `raises = \"KIND\"` say what else
comes of the call.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A shared library that exports functions as `__tvm_ffi_NAME`; several, one after another
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What good clients call, and what comes of it: TOML
    #[arg(long, value_name = "FILE")]
    calls: Option<PathBuf>,
    /// The library behind the functions: a libtvm_ffi.so, a directory that holds one, a wheel, or a release [default: the reference]
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Load this library before the files, for all to see, such as the runtime of their compiler; repeatable
    #[arg(long, value_name = "LIB")]
    load: Vec<PathBuf>,
    /// Call only these functions; repeatable
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Have rules that are only mentioned count like the others
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    outputs: Outputs,
}

/// Calls the functions and answers the exit code.
pub fn main(args: &Args) -> u8 {
    run(args).unwrap_or_else(|code| code)
}

fn run(args: &Args) -> Result<u8, u8> {
    let files = args.files.iter().chain(&args.load).map(|path| (path.as_path(), "a library to load"));
    let others = args.calls.iter().map(|path| (path.as_path(), "the file of calls"));
    let library = args.library.iter().map(|path| (path.as_path(), "the library"));
    let taken: Vec<(&Path, &str)> = files.chain(others).chain(library).collect();
    args.outputs.try_out(&taken).map_err(usage)?;
    let calls = args.calls.as_deref().map_or(Ok(Vec::new()), read_calls).map_err(usage)?;
    let looked = args.files.iter().map(|path| kernel(path)).collect::<Result<Vec<_>, _>>().map_err(usage)?;
    let mut kernels = of_today(looked).map_err(usage)?;
    let named = calls.iter().map(|call| &call.function).chain(&args.only);
    has_functions(&kernels, named.map(String::as_str)).map_err(usage)?;
    for kernel in kernels.iter_mut().filter(|_| !args.only.is_empty()) {
        kernel.functions.retain(|function| args.only.contains(&function.name));
    }
    let beside = args.load.iter().map(|path| absolute(path)).collect::<Result<Vec<_>, _>>().map_err(usage)?;
    let scratch = Folder::new().map_err(harness)?;
    interrupt::watch(descendants::household()).map_err(harness)?;
    let library = Target::locate(args.library.as_deref(), today(), scratch.path())
        .map_err(|problem| usage(problem.to_string()))?;
    let options: Options = args.limits.options(scratch.path()).map_err(harness)?;
    let asked = Asked { kernels: &kernels, calls: &calls, beside: &beside };
    let files: Vec<Tested> = kernels::run(&library, &asked, &options).map_err(|problem| refuse(&library, problem))?;
    let calls = args.calls.as_ref().map(|path| path.display().to_string());
    let library = audit::against(&library);
    let answer = Kernels::new(version::tool(), library, calls, args.strict, files, interrupt::requested());
    Ok(args.outputs.write(&answer))
}

fn refuse(library: &Target, problem: NotCalled) -> u8 {
    match problem {
        NotCalled::Refused(path, reason) => usage(format!("{}: cannot be loaded: {reason}", path.display())),
        NotCalled::NoRun(NoRun::Refused(reason)) => usage(format!("{} cannot be used: {reason}", library.named())),
        NotCalled::NoRun(NoRun::Sanitizer(problem)) => usage(format!("{}: {problem}", library.named())),
        NotCalled::NoRun(NoRun::Harness(problem)) => harness(problem),
        NotCalled::NoRun(NoRun::Generation(NotJudged::Another(told))) => usage(format!("{} {told}", library.named())),
        NotCalled::NoRun(NoRun::NotOne | NoRun::Generation(_)) => complain("the library is none", exit::USAGE),
    }
}

fn read_calls(path: &Path) -> Result<Vec<Call>, String> {
    calls::read(&files::read_text(path)?).map_err(|problem| format!("{}: {problem}", path.display()))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| format!("{}: {}", path.display(), target::file::describe(&error)))
}

/// The libraries, unless functions of one are of an older generation, or there is nothing else. Beside others, one that exports no
/// functions of today's is one that has none.
fn of_today(looked: Vec<(Kernel, Option<String>)>) -> Result<Vec<Kernel>, String> {
    let exports = |kernel: &Kernel| !kernel.functions.is_empty();
    let are_none = !looked.iter().any(|(kernel, _)| exports(kernel));
    let kernels = looked.into_iter().map(|(kernel, older)| match older {
        Some(told) if are_none || exports(&kernel) => {
            Err(format!("{}: {told}; only functions of today's are called", kernel.file))
        }
        _ => Ok(kernel),
    });
    kernels.collect()
}

/// A library, the functions that it exports, and what shows that it is of an older generation of the ABI.
fn kernel(path: &Path) -> Result<(Kernel, Option<String>), String> {
    let refuse = |problem: String| format!("{}: {problem}", path.display());
    let bytes = target::file::read(path).map_err(refuse)?;
    target::inspect(&bytes).map_err(refuse)?;
    let linkage = target::linkage::Linkage::of(&*bytes).map_err(refuse)?;
    if linkage.form != Form::SharedLibrary {
        return Err(refuse("is no shared library".to_owned()));
    }
    let (functions, _) = offered::offered(&linkage.symbols);
    let older = audit::older(&linkage);
    let instrumented = Instrumented::of(&linkage.wanted, linkage.needed);
    let kernel = Kernel {
        file: path.display().to_string(),
        path: absolute(path)?,
        sha256: target::sha256(&bytes),
        instrumented,
        functions,
    };
    Ok((kernel, older))
}

/// That each of these functions is exported by one of the files.
fn has_functions<'a>(kernels: &[Kernel], mut names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let exported = |name: &str| kernels.iter().any(|kernel| kernel.functions.iter().any(|each| each.name == name));
    let Some(missing) = names.find(|name| !exported(name)) else { return Ok(()) };
    let all: Vec<_> = kernels.iter().flat_map(|kernel| kernel.functions.iter().map(|each| &*each.name)).collect();
    let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
    Err(format!("no file exports __tvm_ffi_{missing}; those that are exported: {all}"))
}
