//! Writes the functions that stand before those of the library, one for each in `abi.toml`, and compiles them with `interposer/`.

use std::{env, fmt::Write, fs, path::PathBuf, process::Command};

use tvm_ffi_spec::abi::{Function, abi, declarator};

/// Functions whose handle may be NULL, by the name of the parameter.
const NULL_ALLOWED: &[(&str, &str)] = &[
    ("TVMFFIObjectDecRef", "obj"),
    ("TVMFFIErrorSetRaised", "error"),
    ("TVMFFIErrorCreateWithCauseAndExtraContext", "cause_chain"),
    ("TVMFFIErrorCreateWithCauseAndExtraContext", "extra_context"),
];

/// What a handle has to be, where only objects of one type will do.
const TYPES: &[(&str, &str, &str)] = &[
    ("TVMFFIFunctionCall", "func", "kTVMFFIFunction"),
    ("TVMFFIFunctionSetGlobal", "f", "kTVMFFIFunction"),
    ("TVMFFIErrorSetRaised", "error", "kTVMFFIError"),
    ("TVMFFIErrorCreateWithCauseAndExtraContext", "cause_chain", "kTVMFFIError"),
    ("TVMFFITensorToDLPack", "from", "kTVMFFITensor"),
    ("TVMFFITensorToDLPackVersioned", "from", "kTVMFFITensor"),
];

/// Functions that destructors call on the way from a failure to whoever takes its error, or that do not answer a status.
const WHILE_RAISED: &[&str] = &[
    "TVMFFIGetVersion",
    "TVMFFIObjectIncRef",
    "TVMFFIObjectDecRef",
    "TVMFFIGetCustomAllocator",
    "TVMFFISetCustomAllocator",
    "TVMFFITypeKeyToIndex",
    "TVMFFIErrorMoveFromRaised",
    "TVMFFIErrorSetRaised",
    "TVMFFIErrorSetRaisedFromCStr",
    "TVMFFIErrorSetRaisedFromCStrParts",
    "TVMFFIErrorCreate",
    "TVMFFIErrorCreateWithCauseAndExtraContext",
    "TVMFFIBigIntGetContentByteArray",
    "TVMFFIGetTypeAttrColumn",
    "TVMFFIBacktrace",
    "TVMFFITypeGetOrAllocIndex",
    "TVMFFIGetTypeInfo",
    "TVMFFIHandleInitOnce",
    "TVMFFIHandleDeinitOnce",
    "TVMFFIEnvSetStream",
    "TVMFFIEnvGetStream",
    "TVMFFIEnvSetDLPackManagedTensorAllocator",
    "TVMFFIEnvGetDLPackManagedTensorAllocator",
    "TVMFFIEnvCheckSignals",
    "TVMFFIEnvRegisterCAPI",
];

/// Functions that need nothing of a thread, so that they may be called at its very end.
const WITHOUT_THREAD: &[&str] = &["TVMFFIGetVersion", "TVMFFIObjectIncRef", "TVMFFIObjectDecRef", "TVMFFIGetTypeInfo"];

/// Functions that write down who called them, frame by frame: they are jumped to, so that nothing of ours is among the frames.
const TELLS_FRAMES: &[&str] = &["TVMFFIBacktrace", "TVMFFIErrorSetRaisedFromCStr", "TVMFFIErrorSetRaisedFromCStrParts"];

fn main() {
    for input in ["build.rs", "interposer", "../c_fixtures/include", "../c_fixtures/include_split"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let sources = sources();
    let texts: String = sources.iter().map(|path| fs::read_to_string(path).expect("a source is UTF-8")).collect();
    fs::write(out.join("functions.h"), functions_header()).expect("OUT_DIR is writable");
    let forwarders = out.join("forwarders.c");
    fs::write(&forwarders, forwarders_source(&texts)).expect("OUT_DIR is writable");

    let library = out.join("libtvm_ffi_watch.so");
    let mut build = cc::Build::new();
    build.opt_level(2).debug(false).warnings(false).cargo_metadata(false).cargo_warnings(false);
    let mut compiler = build.get_compiler().to_command();
    compiler.args(["-x", "c", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]);
    compiler.args(["-fno-omit-frame-pointer", "-ftls-model=initial-exec", "-pthread"]);
    compiler.arg("-I").arg("../c_fixtures/include").arg("-I").arg("interposer").arg("-I").arg(&out);
    compiler.args(&sources).arg(&forwarders).arg("-o").arg(&library);
    compiler.args(["-Wl,-soname,libtvm_ffi_watch.so", "-Wl,-z,now", "-Wl,-s", "-ldl"]);
    run(&mut compiler);
}

/// The C files, sorted.
fn sources() -> Vec<PathBuf> {
    let entries = fs::read_dir("interposer").expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the entry is readable").path());
    let mut sources: Vec<_> = paths.filter(|path| path.extension().is_some_and(|kind| kind == "c")).collect();
    sources.sort();
    sources
}

fn run(compiler: &mut Command) {
    let output = compiler.env("LC_ALL", "C").output().unwrap_or_else(|error| {
        eprintln!("error: a C compiler is missing ({error}): on Debian and Ubuntu, install the package `gcc`");
        std::process::exit(1)
    });
    if !output.status.success() {
        eprintln!("error: {}", String::from_utf8_lossy(&output.stderr));
        std::process::exit(1);
    }
}

/// A struct with a pointer for every function, under its own name, and the functions' numbers.
fn functions_header() -> String {
    let mut text = "struct functions {\n".to_owned();
    for Function { name, .. } in &abi().functions {
        let _ = writeln!(text, "  __typeof__({name})* {name};");
    }
    text + "};\n"
}

/// A function for each of the library's. What `interposer/` has under the name `NAME_watched` is called in its place.
fn forwarders_source(texts: &str) -> String {
    let mut text =
        "#include \"watch.h\"\n\nstruct functions real;\n\nvoid find_functions(void* library) {\n".to_owned();
    for Function { name, .. } in &abi().functions {
        let _ = writeln!(text, "  *(void**)&real.{name} = look_up(library, \"{name}\");");
    }
    text += "}\n\nconst struct stand_in* stand_in_for(const char* name) {\n  static const struct stand_in all[] = {\n";
    for Function { name, .. } in &abi().functions {
        let _ = writeln!(text, "    {{\"{name}\", (void*){name}, (void**)&real.{name}}},");
    }
    text += "  };\n  for (size_t i = 0; i < sizeof(all) / sizeof(*all); ++i) {\n    if (strcmp(all[i].name, name) == 0) return &all[i];\n";
    text += "  }\n  return NULL;\n}\n";
    for function in &abi().functions {
        text += &forwarder(function, texts.contains(&format!(" {}_watched(", function.name)));
    }
    text
}

/// Names that end in an underscore are none of a parameter's.
fn forwarder(function: &Function, is_watched: bool) -> String {
    let Function { name, returns, params, .. } = function;
    let arguments: Vec<_> = params.iter().map(|(name, _)| name.as_str()).collect();
    let arguments = arguments.join(", ");
    let (result, answer) = if returns == "void" { (String::new(), "") } else { (format!("{returns} rc_ = "), " rc_") };
    let flag = |list: &[&str], flag: &'static str| if list.contains(&name.as_str()) { flag } else { "0" };
    let flags = [flag(WHILE_RAISED, "CALL_WHILE_RAISED"), flag(WITHOUT_THREAD, "CALL_WITHOUT_THREAD")].join(" | ");
    let target =
        if is_watched { format!("{name}_watched(&call_, {arguments})") } else { format!("real.{name}({arguments})") };

    let mut text = String::new();
    if TELLS_FRAMES.contains(&name.as_str()) {
        let list: Vec<_> = params.iter().map(|(name, ty)| declarator(ty, name)).collect();
        let list = list.join(", ");
        let _ = writeln!(text, "\nvoid {name}_watched(struct call* call, {list});");
        let _ = writeln!(text, "\nstatic __attribute__((noinline)) void before_{name}(void* from_, {list}) {{");
        let _ = writeln!(text, "  struct call call_;\n  enter(&call_, \"{name}\", from_, {flags});");
        let _ = writeln!(text, "  {name}_watched(&call_, {arguments});\n  leave(&call_);\n}}");
        let _ = writeln!(text, "\n__attribute__((visibility(\"default\"))) {} {{", function.declaration());
        let _ = writeln!(text, "  void* from_ = __builtin_return_address(0);");
        let _ = writeln!(text, "  if (!from_library(from_)) before_{name}(from_, {arguments});");
        let _ = writeln!(text, "  return real.{name}({arguments});\n}}");
        return text;
    }
    if is_watched {
        let list: Vec<_> = params.iter().map(|(name, ty)| declarator(ty, name)).collect();
        let _ = writeln!(text, "\n{returns} {name}_watched(struct call* call, {});", list.join(", "));
    }
    let _ = writeln!(text, "\n__attribute__((visibility(\"default\"))) {} {{", function.declaration());
    let _ = writeln!(text, "  void* from_ = __builtin_return_address(0);\n  int is_own_ = from_library(from_);");
    let _ = writeln!(text, "  if (!real.{name}) lacks(\"{name}\");");
    let _ = writeln!(text, "  if (is_own_) {{\n    {result}real.{name}({arguments});\n    return{answer};\n  }}");
    let _ = writeln!(text, "  struct call call_;\n  enter(&call_, \"{name}\", from_, {flags});");
    for (param, ty) in params {
        text += &before(name, param, ty);
    }
    let _ = writeln!(text, "  {result}{target};");
    if returns == "int" {
        text += "  status(&call_, rc_);\n";
    }
    for (param, ty) in params {
        text += &after(param, ty, if returns == "int" { "rc_ == 0" } else { "1" });
    }
    let _ = writeln!(text, "  leave(&call_);\n  return{answer};\n}}");
    text
}

/// What is looked at before the call.
fn before(function: &str, param: &str, ty: &str) -> String {
    match ty {
        // A Module as C++ has it, whose header does not come first.
        "TVMFFIObjectHandle" if param == "library_ctx" => String::new(),
        "TVMFFIObjectHandle" => {
            let nullable = u8::from(NULL_ALLOWED.contains(&(function, param)));
            let wanted = TYPES.iter().find(|(name, which, _)| *name == function && *which == param);
            let wanted = wanted.map_or("0", |(_, _, wanted)| wanted);
            format!("  check_handle(&call_, \"{param}\", {param}, {nullable}, {wanted});\n")
        }
        "const TVMFFIByteArray*" => format!("  check_bytes(&call_, \"{param}\", {param});\n"),
        "const TVMFFIAny*" => format!("  check_view(&call_, \"{param}\", {param});\n"),
        _ => String::new(),
    }
}

/// What is looked at when the call has come back.
fn after(param: &str, ty: &str, succeeded: &str) -> String {
    match ty {
        "TVMFFIObjectHandle*" => format!("  if ({succeeded} && {param}) got_object(&call_, *{param});\n"),
        "TVMFFIAny*" if param == "out" || param == "result" => {
            format!("  if ({succeeded} && {param}) got_value(&call_, {param});\n")
        }
        _ => String::new(),
    }
}
