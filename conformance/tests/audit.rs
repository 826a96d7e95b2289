//! `audit` on real files: kernels, libraries compiled for it, archives, wheels, a public release, and what is made to harm.

use std::{
    fs,
    io::{Cursor, Write},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;
use tvm_ffi_fixtures::{LIBRARIES, compile::compiler, fail, generations, include_dir, peers, tools::Language};
use tvm_ffi_spec::abi::abi;
use tvm_ffi_verify::target::REFERENCE;

/// What the newest release has and the oldest lacks, with the first release that has it.
const NEW: (&str, &str) = ("TVMFFIBigIntGetContentByteArray", "0.1.14.post0");
/// What newer releases have no more, in C++, with the last release that has it.
const OLD: (&str, &str) = ("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE", "0.1.12");

fn audit(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify")).arg("audit").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// The exit code and the JSON of an audit.
#[track_caller]
fn json(args: &[&str]) -> (Option<i32>, Value) {
    let output = audit(&[args, &["--format", "json"]].concat());
    let parsed = serde_json::from_slice(&output.stdout);
    (output.status.code(), parsed.unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", text(&output.stderr))))
}

/// The rules that a SARIF document has results for, each once.
#[track_caller]
fn rules(args: &[&str]) -> Vec<String> {
    let output = audit(&[args, &["--format", "sarif"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let results = document["runs"][0]["results"].as_array().unwrap();
    let mut rules: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap().to_owned()).collect();
    rules.sort();
    rules.dedup();
    rules
}

fn last_line(output: &Output) -> String {
    text(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// A folder, with what is written there.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// A fixture under its name.
    fn kernel(&self, name: &str) -> String {
        let (_, bytes) = LIBRARIES.iter().find(|(library, _)| *library == name).unwrap();
        self.file(name, bytes)
    }

    /// A C file that calls each of these, compiled with `flags`; a name that begins with `?` is weak.
    fn caller(&self, name: &str, symbols: &[&str], flags: &[&str]) -> String {
        let declared = symbols.iter().map(|symbol| match symbol.strip_prefix('?') {
            Some(symbol) => format!("void {symbol}(void) __attribute__((weak));\n"),
            None => format!("void {symbol}(void);\n"),
        });
        let called = symbols.iter().map(|symbol| {
            let symbol = symbol.trim_start_matches('?');
            format!("  if ({symbol}) {symbol}();\n")
        });
        let (declared, called) = (declared.collect::<String>(), called.collect::<String>());
        let stem = name.replace(['.', '-'], "_");
        self.compiled(name, &format!("{declared}void call_{stem}(void) {{\n{called}}}\n"), flags)
    }

    fn compiled(&self, name: &str, source: &str, flags: &[&str]) -> String {
        let (from, to) = (self.file(&format!("{name}.c"), source.as_bytes()), self.path(name));
        let mut command = compiler(Language::C11, 1);
        command.arg("-fPIC").arg("-I").arg(include_dir()).args(["-o", &to, &from]).args(["-x", "none"]).args(flags);
        Language::C11.compile(&mut command).unwrap_or_else(|problem| fail(&problem));
        to
    }

    fn wheel(&self, name: &str, members: &[(&str, &[u8])]) -> String {
        let mut wheel = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (member, bytes) in members {
            wheel.start_file(*member, zip::write::SimpleFileOptions::default()).unwrap();
            wheel.write_all(bytes).unwrap();
        }
        self.file(name, &wheel.finish().unwrap().into_inner())
    }
}

/// An archive, as `ar` writes it.
fn archive(members: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (n, member) in members.iter().enumerate() {
        let name = format!("member{n}.o/");
        writeln!(bytes, "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100644, member.len()).unwrap();
        bytes.extend(*member);
        bytes.extend(if member.len() % 2 == 1 { &b"\n"[..] } else { b"" });
    }
    bytes
}

#[test]
fn a_kernel_is_told_by_its_symbols() {
    let scratch = Scratch::new();
    let (code, audit) = json(&[&scratch.kernel("described.so")]);
    assert_eq!(code, Some(0));
    let client = &audit["clients"][0];
    assert_eq!(client["kind"], "shared-library");
    assert_eq!(client["links"], "process", "fixtures name no library");
    assert_eq!(
        (&client["oldest"], &client["newest"]),
        (&"0.1.0".into(), &abi().releases.last().unwrap().name.as_str().into())
    );
    let functions: Vec<_> = client["functions"].as_array().unwrap().iter().collect();
    let of = |name: &str| functions.iter().find(|function| function["name"] == name).unwrap();
    assert_eq!((&of("described")["metadata"], &of("described")["doc"]), (&true.into(), &true.into()));
    assert_eq!((&of("broken")["metadata"], &of("broken")["doc"]), (&true.into(), &false.into()));
    assert_eq!(of("plain")["metadata"], false);
}

#[test]
fn embedded_modules_are_read() {
    let scratch = Scratch::new();
    let (code, audit) = json(&[&scratch.kernel("embedded.so")]);
    assert_eq!(code, Some(0));
    let client = &audit["clients"][0];
    assert_eq!(client["context"], true);
    let embedded = &client["embedded"];
    assert_eq!(embedded["problem"], Value::Null);
    assert_eq!(embedded["modules"][0]["kind"], "_lib");
    assert_eq!(embedded["modules"][0]["imports"], serde_json::json!([1]));
    assert_eq!(
        (&embedded["modules"][1]["kind"], &embedded["modules"][1]["bytes"]),
        (&"verify_embedded".into(), &12.into())
    );
    // One that is filled when it has been loaded is no mistake.
    assert_eq!(json(&[&scratch.kernel("blob.so")]).0, Some(0));

    let cut = "__attribute__((visibility(\"default\"))) const unsigned long __tvm_ffi__library_bin[2] = {64, 3};";
    let cut = scratch.compiled("cut.so", cut, &["-shared"]);
    let (code, audit) = json(&[&cut]);
    assert_eq!(code, Some(1));
    assert!(audit["clients"][0]["embedded"]["problem"].is_string(), "{audit:#}");
    assert_eq!(rules(&[&cut]), ["embedded-modules"]);
    // In an object file, too.
    let object = scratch.compiled("cut.o", &fs::read_to_string(format!("{cut}.c")).unwrap(), &["-c"]);
    assert_eq!(rules(&[&object]), ["embedded-modules"]);
}

#[test]
fn needs_decide_which_releases_will_do() {
    let scratch = Scratch::new();
    let releases = |path: &str| {
        let (code, audit) = json(&[path]);
        let client = &audit["clients"][0];
        (code.unwrap(), client["oldest"].as_str().map(str::to_owned), client["newest"].as_str().map(str::to_owned))
    };
    let (first, last) = (&abi().releases[0].name, &abi().releases.last().unwrap().name);
    let owned = |name: &str| Some(name.to_owned());
    let any = scratch.caller("any.so", &["TVMFFIFunctionCall"], &["-shared"]);
    let new = scratch.caller("new.so", &["TVMFFIFunctionCall", NEW.0], &["-shared"]);
    let old = scratch.caller("old.so", &["TVMFFIFunctionCall", OLD.0], &["-shared"]);
    let none = scratch.caller("none.so", &[NEW.0, OLD.0], &["-shared"]);
    assert_eq!(releases(&any), (0, owned(first), owned(last)));
    assert_eq!(releases(&new), (0, owned(NEW.1), owned(last)));
    assert_eq!(releases(&old), (0, owned(first), owned(OLD.1)));
    assert_eq!(releases(&none), (1, None, None));
    assert_eq!(rules(&[&none]), ["no-release"]);
    // Two that exclude each other are no mistake of either.
    assert_eq!(rules(&[&new, &old]), ["no-release"]);
    assert_eq!(json(&[&new, &old]).0, Some(0));

    let output = audit(&[&any, &new, &old]);
    let table: Vec<String> = text(&output.stdout)
        .lines()
        .filter(|line| line.ends_with("yes") || line.ends_with("missing"))
        .map(|line| line.rsplit('/').next().unwrap().split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(table, ["any.so yes yes yes", "new.so 1 missing 1 missing yes", "old.so yes 1 missing 1 missing"]);
    let needs = json(&[&old]).1["clients"][0]["needs"].clone();
    assert_eq!(needs[1]["name"], "tvm::ffi::json::Stringify(tvm::ffi::Any const&, tvm::ffi::Optional<int, void>)");
}

#[test]
fn unknown_symbols_are_told_from_those_of_others() {
    let scratch = Scratch::new();
    let unknown = scratch.caller("unknown.so", &["TVMFFINever"], &["-shared"]);
    assert_eq!((json(&[&unknown]).0, rules(&[&unknown])), (Some(1), vec!["unknown-symbol".to_owned()]));
    let weak = scratch.caller("weak.so", &["TVMFFIFunctionCall", "?TVMFFINever"], &["-shared"]);
    assert_eq!((json(&[&weak]).0, rules(&[&weak])), (Some(0), vec![]));

    // Another library of the same wheel defines it, or one that is named and not looked at may.
    let helper = "void TVMFFIHelp(void) {}";
    let helper = scratch.compiled("libhelper.so", helper, &["-shared", "-Wl,-soname,libhelper.so"]);
    let helped = scratch.caller("helped.so", &["TVMFFIHelp"], &["-shared", &helper]);
    assert_eq!((json(&[&helped]).0, rules(&[&helped])), (Some(0), vec!["unknown-symbol".to_owned()]));
    let (code, audit) = json(&[&helped, &helper]);
    assert_eq!((code, &audit["clients"][0]["needs"][0]["defined_by"]), (Some(0), &helper.as_str().into()));
    assert_eq!(rules(&[&helped, &helper]), [""; 0]);
}

#[test]
fn what_names_the_library_is_told_from_what_expects_it() {
    let scratch = Scratch::new();
    let library = scratch.file("libtvm_ffi.so", REFERENCE);
    let folder = Path::new(&library).parent().unwrap().display().to_string();
    let links = |path: &str| json(&[path]).1["clients"][0].clone();
    let named = scratch.caller("named.so", &["TVMFFIFunctionCall"], &["-shared", &library]);
    assert_eq!(links(&named)["links"], "named");
    let found =
        scratch.caller("found.so", &["TVMFFIFunctionCall"], &["-shared", &library, &format!("-Wl,-rpath,{folder}")]);
    assert_eq!(links(&found)["run_path"], serde_json::json!([folder]));
    let object = scratch.caller("later.o", &["TVMFFIFunctionCall"], &["-c"]);
    assert_eq!((&links(&object)["links"], &links(&object)["kind"]), (&"later".into(), &"object".into()));
    let itself = links(&library);
    assert_eq!(
        (&itself["links"], itself["defines"].as_array().unwrap().len()),
        (&"itself".into(), abi().functions.len())
    );
    assert_eq!(itself["needs"], serde_json::json!([]));
    let main = scratch.compiled(
        "main",
        "int TVMFFIFunctionCall(); int main(void) { return TVMFFIFunctionCall(); }",
        &[&library],
    );
    assert_eq!(links(&main)["kind"], "program");
}

#[test]
fn archives_are_read_as_what_is_linked_of_them() {
    let scratch = Scratch::new();
    let one = fs::read(scratch.caller("one.o", &["TVMFFIFunctionCall", "TVMFFIOther"], &["-c"])).unwrap();
    let other = scratch.compiled("other.o", "void TVMFFIOther(void) {}", &["-c"]);
    let both = scratch.file("both.a", &archive(&[&one, &fs::read(other).unwrap(), b"no object"]));
    let (code, audit) = json(&[&both]);
    let needs: Vec<_> = audit["clients"][0]["needs"].as_array().unwrap().iter().map(|need| &need["symbol"]).collect();
    assert_eq!((code, needs), (Some(0), vec![&Value::from("TVMFFIFunctionCall")]));
    assert_eq!(audit["clients"][0]["kind"], "archive");
    let half = scratch.file("half.a", &archive(&[&one]));
    assert_eq!((json(&[&half]).0, rules(&[&half])), (Some(1), vec!["unknown-symbol".to_owned()]));
}

#[test]
fn wheels_and_folders_list_each_library() {
    let scratch = Scratch::new();
    let kernel = fs::read(scratch.kernel("add_one_cpu.so")).unwrap();
    let stub = fs::read(scratch.compiled("stub.so", "int nothing;", &["-shared"])).unwrap();
    let members: &[(&str, &[u8])] = &[
        ("k/add.so", &kernel),
        ("k/libstub.so.1", &stub),
        ("k/broken.so", b"\x7fELF broken"),
        ("k/mac.dylib", b"\xcf\xfa\xed\xfe..."),
        ("k/x.py", b""),
    ];
    let wheel = scratch.wheel("k-1.0-py3-none-any.whl", members);
    let (code, found) = json(&[&wheel]);
    assert_eq!(code, Some(1));
    let names =
        |key: &str| found[key].as_array().unwrap().iter().map(|each| each["member"].clone()).collect::<Vec<_>>();
    assert_eq!(names("clients"), ["k/add.so", "k/libstub.so.1"]);
    assert_eq!(names("unreadable"), ["k/broken.so", "k/mac.dylib"]);
    assert!(text(&audit(&[&wheel]).stdout).contains("NOT CONCERNED  k/libstub.so.1\n"));

    // A folder, with the wheel in it, and two names for one library.
    let folder = scratch.path("folder");
    fs::create_dir_all(format!("{folder}/deep/er")).unwrap();
    fs::copy(&wheel, format!("{folder}/a.whl")).unwrap();
    fs::write(format!("{folder}/deep/er/b.so"), &kernel).unwrap();
    std::os::unix::fs::symlink("b.so", format!("{folder}/deep/er/c.so")).unwrap();
    std::os::unix::fs::symlink("../..", format!("{folder}/deep/er/up")).unwrap();
    let (_, found) = json(&[&folder]);
    let members: Vec<_> = found["clients"].as_array().unwrap().iter().map(|client| client["member"].clone()).collect();
    assert_eq!(members, ["a.whl/k/add.so", "a.whl/k/libstub.so.1", "deep/er/b.so"]);
    assert_eq!(json(&[&scratch.path("stub.so")]).0, Some(4), "nothing is known of what has nothing to do with it");
}

#[test]
fn a_library_answers_symbol_by_symbol() {
    let scratch = Scratch::new();
    let library = scratch.file("libtvm_ffi.so", REFERENCE);
    let symbols = ["TVMFFIFunctionCall", OLD.0, "TVMFFINever", "?TVMFFIPerhaps"];
    let client = scratch.caller("client.so", &symbols, &["-shared"]);
    let output = audit(&["--against", &library, &client]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let is_answer = |line: &&str| line.starts_with("has ") || line.starts_with("lacks ");
    let lines: Vec<_> = said.lines().map(str::trim).filter(is_answer).collect();
    assert_eq!(
        lines,
        [
            "has    TVMFFIFunctionCall  (since 0.1.0)",
            "lacks  TVMFFINever  (in no release)",
            "lacks  TVMFFIPerhaps  (in no release, not required)",
            "has    tvm::ffi::json::Stringify(tvm::ffi::Any const&, tvm::ffi::Optional<int, void>)  (since 0.1.0, until 0.1.12)",
        ]
    );
    assert_eq!(rules(&["--against", &library, &client]), ["missing-symbol", "unknown-symbol"]);
    // What no release has is no mistake where the library has it.
    let more = scratch.compiled("more.so", "void TVMFFINever(void) {}", &["-shared"]);
    let never = scratch.caller("never.so", &["TVMFFINever"], &["-shared"]);
    assert_eq!(json(&["--against", &more, &never]).0, Some(0));
}

#[test]
fn a_public_release_is_audited() {
    let Some(wheel) = peers::newest() else { return };
    let scratch = Scratch::new();
    let name = wheel.file_name().unwrap().to_str().unwrap();
    fs::copy(&wheel, scratch.path(name)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"));
    let output = command.args(["audit", name]).current_dir(scratch.0.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let said = text(&output.stdout);
    assert!(readme.contains(&said), "the README does not show this:\n{said}");
    let wheel = wheel.display().to_string();
    let (code, found) = json(&["--against", &wheel, &wheel]);
    assert_eq!(code, Some(0));
    let clients = found["clients"].as_array().unwrap();
    let needs = clients.iter().flat_map(|client| client["needs"].as_array().unwrap());
    assert!(needs.clone().count() > 40);
    assert!(needs.into_iter().all(|need| need["has"] == true || need["defined_by"].is_string()), "{found:#}");
}

#[test]
fn every_format_is_written() {
    let scratch = Scratch::new();
    let client = scratch.caller("client.so", &["TVMFFINever"], &["-shared"]);
    let formats = ["text", "json", "sarif", "markdown", "junit"];
    let reports: Vec<_> = formats.iter().map(|format| format!("{format}={}", scratch.path(format))).collect();
    let mut args: Vec<&str> = vec![&client, "--quiet"];
    reports.iter().for_each(|report| args.extend(["--report", report]));
    let output = audit(&args);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(1), 0, 0));
    let read = |format: &str| fs::read_to_string(scratch.path(format)).unwrap();
    assert!(read("text").ends_with("1 client, 1 error\n") && !read("text").contains('\u{1b}'));
    assert_eq!(serde_json::from_str::<Value>(&read("json")).unwrap()["exit_code"], 1);
    assert_eq!(serde_json::from_str::<Value>(&read("sarif")).unwrap()["version"], "2.1.0");
    assert!(
        read("markdown").starts_with("# tvm-ffi-verify audit\n")
            && read("markdown").contains("| error | unknown-symbol |")
    );
    assert!(read("junit").contains("<failure message=\""));
    // What is looked at is not written over.
    let output = audit(&[&client, "--report", &format!("json={client}")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is a file to look at, and would be written over"));
}

#[test]
fn what_cannot_be_read_is_refused_in_one_line() {
    let scratch = Scratch::new();
    let elf = fs::read(scratch.kernel("add_one_cpu.so")).unwrap();
    let special = |name: &str| {
        assert!(Command::new("mkfifo").arg(scratch.path(name)).status().unwrap().success());
        scratch.path(name)
    };
    let sparse = |name: &str| {
        fs::File::create(scratch.path(name)).unwrap().set_len(4 << 30).unwrap();
        scratch.path(name)
    };
    let mut sectionless = elf.clone();
    // Where the table of sections is, the size of its rows, how many, and which holds their names.
    sectionless[0x28..0x30].fill(0);
    sectionless[0x3a..0x40].fill(0);
    // Wheels that say of each of their libraries that it has so many bytes.
    let bomb = |name: &str, members: &[(&str, &[u8])], size: u32| {
        let mut bytes = fs::read(scratch.wheel(name, members)).unwrap();
        let entries: Vec<_> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
        entries.iter().for_each(|at| bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes()));
        scratch.file(name, &bytes)
    };
    let many: Vec<String> = (0..5).map(|n| format!("{n}.so")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), b"text".as_slice())).collect();
    fs::create_dir_all(scratch.path("pipes")).unwrap();
    special("pipes/x.so");
    fs::create_dir_all(scratch.path("nothing")).unwrap();
    let mut thin = archive(&[]);
    thin[..8].copy_from_slice(b"!<thin>\n");
    let cases: &[(String, &str)] = &[
        (scratch.path("nowhere.so"), "does not exist"),
        (scratch.file("empty.so", b""), "is empty"),
        (scratch.file("text.so", b"GROUP ( libc.so.6 )"), "is text, not an ELF file"),
        (scratch.file("noise.so", &[0xff; 64]), "is not a well-formed ELF file"),
        (scratch.file("head.so", &elf[..40]), "is not a well-formed ELF file"),
        (scratch.file("truncated.so", &elf[..elf.len() / 2]), "is not a well-formed ELF file"),
        (scratch.file("sectionless.so", &sectionless), "has no table of sections"),
        (scratch.file("x.dll", b"MZ\x90\x00\x03\x00\x00\x00"), "is a library for Windows"),
        (scratch.file("x.dylib", b"\xcf\xfa\xed\xfe\x07\x00\x00\x01"), "is a library for macOS"),
        (scratch.file("empty.a", b"!<arch>\n"), "is an archive without an ELF object file"),
        (scratch.file("thin.a", &thin), "is a thin archive"),
        (scratch.file("cut.a", &archive(&[&elf])[..2000]), "is not a well-formed archive"),
        (special("pipe.so"), "is not a regular file"),
        (special("pipe.whl"), "is not a regular file"),
        ("/dev/zero".to_owned(), "is not a regular file"),
        (sparse("sparse.so"), "has 4096 MiB"),
        (sparse("sparse.whl"), "has 4096 MiB"),
        (scratch.file("truncated.whl", b"PK\x03\x04"), "is not a readable wheel"),
        (scratch.wheel("pure-1.0-py3-none-any.whl", &[("x.py", b"")]), "is a wheel without a library"),
        (scratch.wheel("text-1.0-py3-none-any.whl", &[("a.so", b"no")]), "a.so is text, not an ELF file"),
        (bomb("bomb.whl", &[("x.so", b"text")], 2 << 30), "holds a library of more than 1024 MiB"),
        (bomb("bombs.whl", &many, 1 << 30), "holds libraries of more than 4096 MiB together"),
        (scratch.path("pipes"), "holds no library"),
        (scratch.path("nothing"), "holds no library"),
    ];
    for (path, expected) in cases {
        let output = audit(&[path]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path}: {stderr}{}", text(&output.stdout));
        assert_eq!(stderr.lines().count(), 1, "{path}: {stderr}");
        assert!(stderr.starts_with("tvm-ffi-verify: ") && stderr.contains(expected), "{path}: {stderr}");
        assert!(output.stdout.is_empty(), "{path}");
    }
    // One is enough, whatever else is fine.
    let fine = scratch.kernel("add_one_cpu.so");
    assert_eq!(audit(&[&fine, &scratch.path("nowhere.so")]).status.code(), Some(2));
    assert_eq!(audit(&[]).status.code(), Some(2));
    assert!(last_line(&audit(&[&fine])).contains("every release"));
}

#[test]
fn any_damage_is_survived() {
    let scratch = Scratch::new();
    let library = fs::read(scratch.kernel("embedded.so")).unwrap();
    let mut state = 17_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let paths: Vec<PathBuf> = (0..40)
        .map(|n| {
            let mut damaged = library.clone();
            for _ in 0..1 + n % 8 {
                let place = if n % 2 == 0 { random(64) } else { random(damaged.len()) };
                damaged[place] = random(256) as u8;
            }
            scratch.file(&format!("damaged{n}.so"), &damaged).into()
        })
        .collect();
    for path in paths {
        let output = audit(&[path.to_str().unwrap()]);
        let code = output.status.code();
        assert!(
            code.is_some_and(|code| [0, 1, 2, 4].contains(&code)),
            "{}: {code:?}\n{}",
            path.display(),
            text(&output.stderr)
        );
    }
}

/// What TVM had before TVM FFI is not the library's, and said to be what it is.
#[test]
fn clients_of_the_legacy_generation_are_told() {
    let scratch = Scratch::new();
    let functions = ["TVMFuncCall", "TVMBackendGetFuncFromEnv", "TVMAPISetLastError"];
    let client = scratch.caller("operators.so", &functions, &["-shared"]);
    let (code, found) = json(&[&client]);
    assert_eq!(code, Some(4), "it uses nothing of the library");
    let legacy = &found["clients"][0]["legacy"];
    let mut sorted = functions;
    sorted.sort_unstable();
    assert_eq!(legacy["needs"], serde_json::json!(sorted));
    let output = audit(&[&client]);
    let said = text(&output.stdout);
    let expected = "the legacy generation of the ABI, TVM 0.7 to 0.20, from 2020 to 2025: needs TVMAPISetLastError";
    assert!(said.contains(expected) && said.contains("WARNING  older-generation"), "{said}");
    assert_eq!(
        last_line(&output),
        "nothing of the library is needed or offered; 1 client speaks the legacy generation of the ABI"
    );
    assert_eq!(rules(&[&client]), ["older-generation"]);

    let runtime = generations::library("legacy", scratch.0.path()).unwrap_or_else(|problem| fail(&problem));
    let (_, found) = json(&[&runtime.display().to_string()]);
    assert_eq!(found["clients"][0]["legacy"]["defines"], 9);
    let source = "void *__TVMFuncCall, *__TVMAPISetLastError;\nint add(void) { return 0; }\n";
    let (_, found) = json(&[&scratch.compiled("generated.so", source, &["-shared"])]);
    assert_eq!(found["clients"][0]["legacy"]["places"].as_array().unwrap().len(), 2);

    // Together with a client of the library, that one alone counts.
    let kernel = scratch.caller("kernel.so", &["TVMFFIFunctionCall"], &["-shared"]);
    let (code, found) = json(&[&kernel, &client]);
    assert_eq!(code, Some(0));
    assert_eq!(found["clients"][0]["legacy"], Value::Null);
}

/// What only the split generation had is unknown, and told by its name.
#[test]
fn a_function_of_the_split_generation_is_told() {
    let scratch = Scratch::new();
    let client = scratch.caller("old.so", &["TVMFFITraceback", "TVMFFIObjectIncRef", "TVMFFINever"], &["-shared"]);
    let (code, found) = json(&[&client]);
    assert_eq!(code, Some(1));
    let needs = found["clients"][0]["needs"].as_array().unwrap();
    let of = |name: &str| &needs.iter().find(|need| need["symbol"] == name).unwrap()["generation"];
    assert_eq!((of("TVMFFITraceback"), of("TVMFFIObjectIncRef")), (&"split".into(), &Value::Null));
    let said = text(&audit(&[&client]).stdout);
    let expected = "needs TVMFFITraceback, which no release has; the split generation of the ABI had it";
    assert!(said.contains(expected) && said.contains("needs TVMFFINever, which no release has\n"), "{said}");
}

/// Libraries of today that use names which outlived the legacy generation, and every release.
#[test]
fn no_client_of_today_is_taken_for_one_of_the_legacy_generation() {
    let scratch = Scratch::new();
    let both = ["TVMBackendParallelLaunch", "TVMBackendAllocWorkspace", "TVMFFIErrorSetRaisedFromCStr"];
    let (_, found) = json(&[&scratch.caller("both.so", &both, &["-shared"])]);
    assert_eq!(found["clients"][0]["legacy"], Value::Null);
    for (_, wheel) in peers::wheels() {
        let (_, found) = json(&[&wheel.display().to_string()]);
        for client in found["clients"].as_array().unwrap() {
            assert_eq!(client["legacy"], Value::Null, "{}", client["member"]);
        }
    }
}
