//! `kernel` on kernels in C and C++, good ones and bad ones, and on what is no kernel.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::Value;
use tvm_ffi_fixtures::{LIBRARIES, compile::compiler, fail, include_dir, kept, peers, tools::Language};

use crate::{program, several};

/// Where the sources of kernels are.
fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = include_dir().with_file_name("exported").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "c" || kind == "cc");
    let mut sources: Vec<_> = entries.filter(is_source).collect();
    sources.sort();
    sources
}

fn kernel(args: &[&str]) -> Output {
    program::run().arg("kernel").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// Compiles a kernel to a place of its own among the tests' files.
fn compiled(source: &Path) -> String {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported").join(source.parent().unwrap().file_name().unwrap());
    fs::create_dir_all(&folder).unwrap();
    let library = folder.join(source.file_name().unwrap()).with_extension("so");
    compile(source, &library);
    library.display().to_string()
}

/// Compiles a kernel as others load it: functions of the ABI are somebody else's.
pub fn compile(source: &Path, library: &Path) {
    let is_cxx = source.extension().is_some_and(|kind| kind == "cc");
    let language = if is_cxx { Language::Cxx17 } else { Language::C11 };
    let fixtures = include_dir().parent().unwrap();
    let mut command = compiler(language, 1);
    command
        .args(["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"])
        .args(["-shared", "-fPIC", "-pthread"]);
    let headers = ["include", "kernels", "exported"].map(|folder| fixtures.join(folder));
    for folder in &headers {
        command.arg("-I").arg(folder);
    }
    command.arg(source).args(head(&fs::read_to_string(source).unwrap(), "flags"));
    let made =
        kept::digest_of(source, &headers).and_then(|inputs| kept::make(language, &mut command, library, &[&inputs]));
    made.unwrap_or_else(|problem| fail(&problem));
}

/// The exit code and the JSON of an answer.
#[track_caller]
fn json(args: &[&str]) -> (Option<i32>, Value) {
    let output = kernel(&[args, &["--format", "json"]].concat());
    let parsed = serde_json::from_slice(&output.stdout);
    (output.status.code(), parsed.unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", text(&output.stderr))))
}

/// Calls the functions of a kernel, as the file of calls beside it says if there is one.
fn of_source(source: &Path, library: &str) -> (Option<i32>, Value) {
    let calls = source.with_extension("toml").display().to_string();
    let calls: &[&str] = if Path::new(&calls).exists() { &["--calls", &calls] } else { &[] };
    json(&[&[library, "--timeout", "3"], calls].concat())
}

/// Every breach, as its rule and what is told of it.
fn breaches(answer: &Value) -> Vec<(String, String)> {
    let functions = answer["files"].as_array().unwrap().iter().flat_map(|file| file["functions"].as_array().unwrap());
    let breaches = functions.flat_map(|function| function["breaches"].as_array().unwrap());
    let told = |breach: &Value| (breach["rule"].as_str().unwrap().to_owned(), breach.to_string());
    breaches.map(told).collect()
}

/// What stands after a word in the head of a source.
fn head<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "));
    lines.flat_map(|line| line.split(", ")).collect()
}

#[test]
fn each_bad_kernel_is_found_by_the_rule_that_it_breaks() {
    let sources = sources("bad");
    let wrong = several::each(&sources, |source| {
        let text = fs::read_to_string(source).unwrap();
        let expected: BTreeSet<_> = [head(&text, "breaks"), head(&text, "also")].concat().into_iter().collect();
        let (code, answer) = of_source(source, &compiled(source));
        let found = breaches(&answer);
        let rules: BTreeSet<_> = found.iter().map(|(rule, _)| &**rule).collect();
        let name = source.file_name().unwrap().display().to_string();
        let unexpected: Vec<_> = found.iter().filter(|(rule, _)| !expected.contains(&**rule)).collect();
        let told = format!("{name}: exit code {code:?}, found {rules:?}, expected {expected:?}: {unexpected:?}");
        (rules != expected).then_some(told)
    });
    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let heads = sources.iter().map(|source| fs::read_to_string(source).unwrap());
    let broken: BTreeSet<String> =
        heads.flat_map(|text| head(&text, "breaks").into_iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    let rules: BTreeSet<_> = tvm_ffi_reports::kernel::rules::RULES.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(broken, rules, "each rule has a kernel that breaks it");
}

#[test]
fn of_good_kernels_nothing_is_reported() {
    several::each(&sources("good"), |source| {
        let (code, answer) = of_source(source, &compiled(source));
        let of_its_own = head(&fs::read_to_string(source).unwrap(), "exits").first().map(|code| code.parse().unwrap());
        assert_eq!((breaches(&answer), code), (Vec::new(), of_its_own.or(Some(0))), "{}", source.display());
        for function in answer["files"][0]["functions"].as_array().unwrap() {
            assert!(function["calls"].as_u64() > Some(10), "{function}");
        }
    });
}

/// A folder, with what is written there.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::TempDir::new().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// A fixture under its name.
    fn fixture(&self, name: &str) -> String {
        let (_, bytes) = LIBRARIES.iter().find(|(library, _)| *library == name).unwrap();
        self.file(name, bytes)
    }

    fn kernel(&self, source: &str) -> String {
        let path = PathBuf::from(self.file("kernel.c", format!("#include \"kernel.h\"\n{source}").as_bytes()));
        let library = path.with_extension("so");
        compile(&path, &library);
        library.display().to_string()
    }
}

/// What is printed on standard error, and the exit code.
fn complaint(args: &[&str]) -> (Option<i32>, String) {
    let output = kernel(args);
    (output.status.code(), text(&output.stderr))
}

#[test]
fn what_cannot_be_called_is_a_mistake_that_is_told_in_one_line() {
    let scratch = Scratch::new();
    let fine = scratch.fixture("functions.so");
    let text = scratch.file("text.so", b"text");
    let needs = scratch.kernel("void nobody_has_this(void);\nKERNEL(f) { nobody_has_this(); return 0; }\n");
    let refused = |args: &[&str], words: &[&str]| {
        let (code, told) = complaint(args);
        let is_one_line = told.starts_with("tvm-ffi-verify: ") && told.trim_end().lines().count() == 1;
        assert!(
            code == Some(2) && is_one_line && words.iter().all(|word| told.contains(word)),
            "{args:?}: {code:?} {told}"
        );
    };
    refused(&["missing.so"], &["missing.so", "does not exist"]);
    refused(&[&text], &["text.so"]);
    refused(&[&needs], &["kernel.so", "nobody_has_this", "--load"]);
    refused(&[&fine, "--only", "nothing"], &["__tvm_ffi_nothing", "return_int"]);
    refused(&[&fine, "--library", &text], &["text.so"]);
    refused(&[&fine, "--load", "missing.so"], &["missing.so", "does not exist"]);
    let half = scratch.fixture("own_loader.so");
    refused(&[&fine, "--library", &half], &["own_loader.so"]);
    let calls = |content: &str| scratch.file("calls.toml", content.as_bytes());
    refused(&[&fine, "--calls", &calls("[[call]]\nfunction = \"nothing\"\n")], &["__tvm_ffi_nothing"]);
    refused(&[&fine, "--calls", &calls("[[call]]\nfunktion = 1\n")], &["calls.toml", "funktion"]);
    refused(&[&fine, "--calls", &calls("")], &["calls.toml", "[[call]]"]);
    let wrong = "[[call]]\nfunction = \"sum\"\nargs = [{ tensor = \"float17\", shape = [1] }]\n";
    refused(&[&fine, "--calls", &calls(wrong)], &["call 1 (sum)", "argument 0", "float17"]);
    let opens_badly = scratch.kernel("#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { abort(); }\nKERNEL(f) { return 0; }\n");
    refused(&[&opens_badly], &["kernel.so", "cannot be loaded", "SIGABRT"]);
}

#[test]
fn a_library_without_functions_says_nothing() {
    let scratch = Scratch::new();
    let output = kernel(&[&scratch.fixture("callers_c11.so")]);
    assert_eq!((output.status.code(), text(&output.stdout).lines().last()), (Some(4), Some("no function was called")));
}

#[test]
fn every_format_has_what_was_found() {
    let scratch = Scratch::new();
    let library = scratch.kernel("KERNEL(f) { return num_args == 0 ? 0 : 3; }\nKERNEL(g) { return 0; }\n");
    let output = kernel(&[&library, "--only", "f", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!((output.status.code(), rules), (Some(1), vec!["failure-without-error", "status", "not-tried"]));
    for (format, words) in [
        ("text", "FAIL  failure-without-error"),
        ("markdown", "| error | failure-without-error |"),
        ("html", "failure-without-error"),
        ("junit", "failure-without-error"),
        ("github", "::error"),
    ] {
        let output = kernel(&[&library, "--format", format]);
        assert!(text(&output.stdout).contains(words), "{format}: {}", text(&output.stdout));
    }
    let quiet = kernel(&[&library, "--quiet"]);
    assert_eq!((quiet.status.code(), quiet.stdout, quiet.stderr), (Some(1), Vec::new(), Vec::new()));
    assert_eq!(kernel(&[&library, "--quiet", "--only", "g"]).status.code(), Some(0));
}

#[test]
fn rules_that_are_only_mentioned_count_when_that_is_asked() {
    let scratch = Scratch::new();
    let source = "KERNEL(f) {\n  if (num_args == 0) return 0;\n  TVMFFIErrorSetRaisedFromCStr(\"ValueError\", \"no\");\n  return 2;\n}\n";
    let library = scratch.kernel(source);
    assert_eq!((kernel(&[&library, "--quiet"]).status.code()), Some(0));
    assert_eq!((kernel(&[&library, "--quiet", "--strict"]).status.code()), Some(1));
}

/// Its first call does what the file of calls says, and the next does something else, which it may mean.
#[test]
fn a_function_that_keeps_a_state_is_only_mentioned() {
    let scratch = Scratch::new();
    let random = "KERNEL(f) {
  static float state = 1;
  const DLTensor* x;
  if (num_args == 1 && args[0].type_index == kTVMFFIDLTensorPtr) x = args[0].v_ptr;
  else if (num_args == 1 && args[0].type_index == kTVMFFITensor) x = (const DLTensor*)((TVMFFIObject*)args[0].v_obj + 1);
  else x = NULL;
  int fits = x != NULL && x->device.device_type == kDLCPU && x->ndim == 1 && x->shape[0] == 1 && x->byte_offset == 0 &&
             x->dtype.code == kDLFloat && x->dtype.bits == 32 && x->dtype.lanes == 1;
  if (!fits) {
    TVMFFIErrorSetRaisedFromCStr(\"TypeError\", \"expected a float\");
    return -1;
  }
  *(float*)x->data = state *= 3;
  return 0;
}
";
    let library = scratch.kernel(random);
    let calls = "[[call]]\nfunction = \"f\"\nargs = [{ tensor = \"float32\", shape = [1], becomes = [3] }]\n";
    let calls = scratch.file("calls.toml", calls.as_bytes());
    let (code, answer) = json(&[&library, "--calls", &calls]);
    let rules: Vec<_> = breaches(&answer).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!((rules, code), (vec!["again".to_owned()], Some(0)), "{answer}");
    assert_eq!(kernel(&[&library, "--calls", &calls, "--strict", "--quiet"]).status.code(), Some(1));
    assert_eq!(breaches(&json(&[&library]).1), [], "nothing says what comes of it");
}

#[test]
fn a_runtime_that_a_kernel_needs_is_loaded_first() {
    let scratch = Scratch::new();
    let library =
        scratch.kernel("int runtime_answer(void);\nKERNEL(f) { *result = int_value(runtime_answer()); return 0; }\n");
    let calls = scratch.file("calls.toml", b"[[call]]\nfunction = \"f\"\nreturns = 42\n");
    let runtime = PathBuf::from(scratch.file("runtime.c", b"int runtime_answer(void) { return 42; }\n"));
    compile(&runtime, &runtime.with_extension("so"));
    let runtime = runtime.with_extension("so").display().to_string();
    let output = kernel(&[&library, "--load", &runtime, "--calls", &calls]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&[output.stdout, output.stderr].concat()));
}

/// What a release has in its wheel, put into a folder.
fn unpacked(wheel: &Path, folder: &Path) {
    let mut wheel = zip::ZipArchive::new(fs::File::open(wheel).unwrap()).unwrap();
    wheel.extract(folder).unwrap();
}

#[test]
fn kernels_of_releases_and_what_their_headers_make_keep_every_rule() {
    let wheels = peers::wheels();
    let newest = peers::newest();
    several::each(&wheels, |(release, wheel)| {
        // Older ones end the process themselves when compiled C++ refuses a tensor.
        let beside_itself = Some(wheel) == newest.as_ref();
        let folder = tempfile::TempDir::new().unwrap();
        unpacked(wheel, folder.path());
        let library = wheel.display().to_string();
        let testing = folder.path().join("tvm_ffi/lib/libtvm_ffi_testing.so");
        let compiled =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported").join(format!("{}/typed.so", release.name));
        let source = include_dir().with_file_name("exported").join("typed.cc");
        let mut command = compiler(Language::Cxx17, 1);
        // The folder has another name each time.
        command.args(["-shared", "-fPIC", "-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1", "-I", "tvm_ffi/include"]);
        command.arg(&source).current_dir(folder.path());
        kept::digest_of(&source, &[folder.path().join("tvm_ffi/include")])
            .and_then(|inputs| kept::make(Language::Cxx17, &mut command, &compiled, &[&inputs]))
            .unwrap_or_else(|problem| fail(&problem));
        for file in [testing, compiled].iter().filter(|file| file.exists()).map(|file| file.display().to_string()) {
            let libraries = [&["--library", &*library][..], &[]];
            for library in libraries.into_iter().skip(usize::from(!beside_itself)) {
                let (code, answer) = json(&[&[&*file], library].concat());
                let counting: Vec<_> =
                    breaches(&answer).into_iter().filter(|(_, told)| told.contains("\"MUST\"")).collect();
                let nothing = answer["files"][0]["functions"].as_array().unwrap().is_empty();
                let expected = if nothing { 4 } else { 0 };
                assert_eq!((counting, code), (Vec::new(), Some(expected)), "{}: {file} {library:?}", release.name);
            }
        }
    });
}

#[test]
fn the_kernel_of_the_guides_is_told_what_it_does_not_look_at() {
    let scratch = Scratch::new();
    let (code, answer) = json(&[&scratch.fixture("add_one_c.so")]);
    let found = breaches(&answer);
    let rules: BTreeSet<_> = found.iter().map(|(rule, _)| &**rule).collect();
    assert_eq!(code, Some(1));
    assert!(
        ["wrong-count", "other-shape", "writes-outside", "foreign-device", "layout"]
            .iter()
            .all(|rule| rules.contains(rule))
    );
}

/// Of a kernel for a device that is not here, what a good client passes cannot be laid down: the rest is tried, and that is no pass.
#[test]
fn a_kernel_for_devices_is_tried_without_one_and_passes_nothing() {
    let source = sources("device").remove(0);
    let library = compiled(&source);
    let ways: [&[&str]; 2] = [&[], &["--calls", &source.with_extension("toml").display().to_string()]];
    for (way, words) in ways.into_iter().zip(["none is known", "needs memory of device (2, 0)"]) {
        let (code, answer) = json(&[&[&*library], way].concat());
        let function = &answer["files"][0]["functions"][0];
        let not_tried = function["not_tried"].as_array().unwrap();
        assert_eq!(
            (code, breaches(&answer).len(), not_tried.len(), &function["good_calls"]),
            (Some(4), 0, 1, &0.into())
        );
        assert!(not_tried[0].as_str().unwrap().contains(words), "{answer:#}");
        assert!(function["refused"].as_u64() > Some(25), "{answer:#}");
        let told = text(&kernel(&[&[&*library], way].concat()).stdout);
        assert!(told.contains("not tried") && told.ends_with("; of 1 function no good call was made\n"), "{told}");
        let junit = text(&kernel(&[&[&*library, "--format", "junit"], way].concat()).stdout);
        assert!(junit.contains("<skipped") && !junit.contains("<failure"), "{junit}");
    }
    // What it has to refuse needs no device.
    let calls = tempfile::NamedTempFile::new().unwrap();
    let call = "[[call]]\nfunction = \"launch\"\nargs = [{ tensor = \"float32\", shape = [1, 1], device = [2, 0] }]\nraises = \"TypeError\"\n";
    fs::write(calls.path(), call).unwrap();
    assert_eq!(kernel(&[&library, "--calls", calls.path().to_str().unwrap()]).status.code(), Some(0));
}

#[test]
fn a_function_that_hangs_takes_its_time_only_so_often() {
    let scratch = Scratch::new();
    let library = scratch.kernel("KERNEL(f) { for (;;) __asm__ volatile(\"\" :: \"r\"(num_args)); return 0; }\n");
    let (code, answer) = json(&[&library, "--timeout", "0.2"]);
    let function = &answer["files"][0]["functions"][0];
    assert_eq!((code, &function["calls"]), (Some(1), &3.into()));
    assert_eq!(function["undecided"][0], "what else it does: it has hung 3 times");
}

#[test]
fn an_interruption_leads_to_an_answer() {
    let scratch = Scratch::new();
    let called = scratch.0.path().join("called");
    let body = "fclose(fopen(CALLED, \"w\")); for (;;) __asm__ volatile(\"\" :: \"r\"(num_args)); return 0;";
    let library = scratch.kernel(&format!("#include <stdio.h>\n#define CALLED {called:?}\nKERNEL(f) {{ {body} }}\n"));
    let mut command = program::run();
    command.args(["kernel", &library, "--timeout", "600", "--format", "json"]).stdout(std::process::Stdio::piped());
    let running = command.spawn().unwrap();
    let patience = std::time::Instant::now();
    while !called.exists() {
        assert!(patience.elapsed().as_secs() < 60, "the function is not called");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let signal = nix::sys::signal::Signal::SIGINT;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(running.id() as i32), signal).unwrap();
    let output = running.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["interrupted"]), (Some(5), &true.into()));
}

#[test]
fn the_readme_shows_what_is_printed() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.0.path().join("build")).unwrap();
    let source = sources("bad").into_iter().find(|source| source.ends_with("extents.c")).unwrap();
    compile(&source, &scratch.0.path().join("build/add_one.so"));
    let mut command = program::run();
    let output = command.args(["kernel", "build/add_one.so"]).current_dir(scratch.0.path()).output().unwrap();
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    // Where in the code it happened is the compiler's affair.
    let printed = text(&output.stdout);
    for line in printed.lines().filter(|line| !line.contains("0x")) {
        assert!(readme.contains(line), "{line:?} is printed, and not in the README");
    }
}
