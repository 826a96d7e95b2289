//! Building faults. A fault is compiled and linked with forwarders: a weak definition of every function of the ABI, which
//! passes the call on to a base library. What the fault defines itself takes the forwarder's place.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
    process::Command,
};

use tvm_ffi_spec::{
    abi::{CxxSymbol, abi},
    generation::{Function, Generation, today},
};

use super::{
    fault::{Fault, directory, directory_of, files},
    reach::{ENTERS, LOOKS_UP},
};
use crate::{
    HEADERS,
    compile::compiler,
    include_dir, include_dirs_of,
    kept::{self, digest, read, write},
    tools::Language,
};

/// Forwarders, as C and compiled.
struct Forwarders {
    text: String,
    object: PathBuf,
}

/// What `fault.h` includes from a builder's folder.
const FUNCTIONS_HEADER: &str = "fault_functions.h";

/// Whether forwarders print what is entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    Nothing,
    Aloud,
}

/// Builds faults over one base library.
#[derive(Clone, Debug)]
pub struct Builder {
    folder: PathBuf,
    base: PathBuf,
    /// The digest of every header that a fault can include.
    headers: String,
    /// What faults are built with beyond the ordinary.
    flags: &'static [&'static str],
    /// The generation of the ABI that they speak, and its functions.
    generation: &'static Generation,
    functions: Vec<Function>,
}

impl Builder {
    /// Keeps what is built in a folder, and beside it a copy of the base library, on which all of it relies.
    ///
    /// # Errors
    /// What is wrong with the folder, or what the compiler said.
    pub fn new(folder: &Path, base: &[u8]) -> Result<Self, String> {
        Self::with(folder, base, &[])
    }

    /// As [`new`](Self::new), of faults of a generation, over its reference. Those of older ones have no C++ symbols.
    ///
    /// # Errors
    /// As with [`new`](Self::new).
    pub fn of(generation: &'static Generation, folder: &Path, base: &[u8]) -> Result<Self, String> {
        Self::of_with(generation, folder, base, &[])
    }

    /// As [`new`](Self::new), with flags for the compiler, such as `-fsanitize=address`: what is built is then watched by a sanitizer,
    /// and the base is not.
    ///
    /// # Errors
    /// As with [`new`](Self::new).
    pub fn with(folder: &Path, base: &[u8], flags: &'static [&'static str]) -> Result<Self, String> {
        Self::of_with(today(), folder, base, flags)
    }

    fn of_with(
        generation: &'static Generation,
        folder: &Path,
        base: &[u8],
        flags: &'static [&'static str],
    ) -> Result<Self, String> {
        let mut headers: String = HEADERS.iter().map(|(_, text)| *text).collect();
        for header in files(&directory(), "h")? {
            headers += &read(&header)?;
        }
        if !generation.is_today() {
            for header in files(&directory_of(generation), "h")? {
                headers += &read(&header)?;
            }
        }
        let functions = generation.all_functions();
        let declared = functions_header(&functions);
        write(&folder.join(FUNCTIONS_HEADER), declared.as_bytes())?;
        let (folder, base_path) = (folder.to_owned(), folder.join("base").join(&generation.library));
        let builder =
            Self { folder, base: base_path, headers: digest(&(headers + &declared)), flags, generation, functions };
        write(&builder.base, base)?;
        // Most faults share these. They are built here, before several threads ask for them.
        builder.forwarders_but("", &[])?;
        Ok(builder)
    }

    /// A builder over a library that this one has built: what that one builds has the faults of both.
    ///
    /// # Errors
    /// What is wrong with the folder, or what the compiler said.
    pub fn over(&self, library: &Path) -> Result<Self, String> {
        let folder = library.with_file_name("over");
        write(&folder.join(FUNCTIONS_HEADER), functions_header(&self.functions).as_bytes())?;
        let builder = Self { folder, base: library.to_owned(), ..self.clone() };
        builder.forwarders_but("", &[])?;
        Ok(builder)
    }

    /// The library with this fault.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn fault(&self, fault: &Fault) -> Result<PathBuf, String> {
        self.library(&fault.name, Some(&fault.source), &self.forwarders_but(&fault.name, &fault.lacks)?)
    }

    /// A library with no fault: it passes every call on to the base.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn forwarder(&self) -> Result<PathBuf, String> {
        self.library("no fault", None, &self.forwarders_but("no fault", &[])?)
    }

    /// A library with no fault that prints what a process enters, to standard error: see [`Reach`](super::Reach).
    ///
    /// # Errors
    /// What the compiler said.
    pub fn told(&self) -> Result<PathBuf, String> {
        let text = self.forwarders_source(&[], Telling::Aloud);
        self.library("told", None, &self.forwarders(&self.folder.join("told"), &text)?)
    }

    fn library(&self, name: &str, source: Option<&Path>, forwarders: &Forwarders) -> Result<PathBuf, String> {
        let text = source.map_or(Ok(String::new()), read)? + &forwarders.text;
        let soname = &self.generation.library;
        let library = self.folder.join(name).join(soname);
        let mut command = self.compiler();
        command.args(["-shared", &format!("-Wl,-soname,{soname}")]).args(source);
        command.args(["-x", "none"]).arg(&forwarders.object).arg("-ldl");
        self.build(&library, &text, command).map(|()| library)
    }

    /// The forwarders that a library with this name needs. Most share those of every function.
    fn forwarders_but(&self, name: &str, lacks: &[String]) -> Result<Forwarders, String> {
        let folder = if lacks.is_empty() { self.folder.clone() } else { self.folder.join(name) };
        self.forwarders(&folder, &self.forwarders_source(lacks, Telling::Nothing))
    }

    fn forwarders(&self, folder: &Path, text: &str) -> Result<Forwarders, String> {
        let (source, object) = (folder.join("forwarders.c"), folder.join("forwarders.o"));
        write(&source, text.as_bytes())?;
        let mut command = self.compiler();
        command.arg("-c").arg(&source);
        self.build(&object, text, command)?;
        Ok(Forwarders { text: text.to_owned(), object })
    }

    /// With optimisation a forwarder is one jump, which leaves neither a frame nor a trace.
    fn compiler(&self) -> Command {
        let mut command = compiler(Language::C11, 2);
        command.args(["-std=gnu11", "-Wall", "-Werror", "-fPIC", "-fvisibility=hidden"]);
        // A generation may have a `fault.h` of its own.
        let own = (!self.generation.is_today()).then(|| directory_of(self.generation));
        let folders = own.into_iter().chain([directory(), self.folder.clone()]).chain(headers_of(self.generation));
        folders.for_each(|folder| {
            command.arg("-I").arg(folder);
        });
        command.args(self.flags);
        command
    }

    /// The source of the forwarders, but for functions that a fault lacks.
    fn forwarders_source(&self, lacks: &[String], telling: Telling) -> String {
        let mut text = FORWARDERS.replace("BASE", &format!("{:?}", self.base.to_string_lossy()));
        for Function { name, .. } in &self.functions {
            let _ = writeln!(text, "  find(\"{name}\", (void**)&real.{name});");
        }
        text += "  find_cxx();\n}\n";
        if telling == Telling::Aloud {
            text += &told_source();
        }
        text += &cxx_source(lacks, telling, self.generation);
        for function in self.functions.iter().filter(|function| !lacks.contains(&function.name)) {
            text += &forwarder(function, telling);
        }
        text
    }

    /// Has a command make `output` of a text and the headers.
    fn build(&self, output: &Path, text: &str, mut command: Command) -> Result<(), String> {
        kept::make(Language::C11, &mut command, output, &[text, &self.headers])
    }
}

/// The folders with the headers of a generation.
fn headers_of(generation: &Generation) -> Vec<PathBuf> {
    if generation.is_today() { vec![include_dir().to_owned()] } else { include_dirs_of(&generation.name).to_vec() }
}

/// The pointers, and declarations of functions that no header has.
fn functions_header(functions: &[Function]) -> String {
    let mut text = String::new();
    for function in functions.iter().filter(|function| function.header == "none") {
        let _ = writeln!(text, "__attribute__((visibility(\"default\"))) {};", function.declaration());
    }
    text += "struct fault_functions {\n";
    for Function { name, .. } in functions {
        let _ = writeln!(text, "  __typeof__({name})* {name};");
    }
    text + "};\n"
}

/// A function that passes each call on.
fn forwarder(function: &Function, telling: Telling) -> String {
    let names: Vec<_> = function.params.iter().map(|(name, _)| name.as_str()).collect();
    let result = if function.returns == "void" { "" } else { "return " };
    let mut text = format!("\n__attribute__((weak)) {} {{\n", function.declaration());
    if telling == Telling::Aloud {
        let _ = writeln!(text, "  tell(\"{ENTERS}\", \"{0}\", strlen(\"{0}\"));", function.name);
        if function.name == "TVMFFIFunctionGetGlobal" {
            let _ = writeln!(text, "  if (name && name->data) tell(\"{LOOKS_UP}\", name->data, name->size);");
        }
    }
    let _ = writeln!(text, "  {result}real.{}({});\n}}", function.name, names.join(", "));
    text
}

/// The C++ symbols: a function is a jump, which leaves no frame for an exception to pass, and data is a copy.
fn cxx_source(lacks: &[String], telling: Telling, generation: &Generation) -> String {
    let (mut places, mut finds) = (String::new(), String::new());
    let there = abi().cxx_symbols.iter().filter(|symbol| generation.is_today() && !lacks.contains(&symbol.name));
    for (number, CxxSymbol { name, size, .. }) in there.enumerate() {
        match size {
            None => {
                let _ = writeln!(places, "CXX_FUNCTION({name}, cxx_{number})");
                let _ = writeln!(finds, "  find(\"{name}\", &cxx_{number});");
            }
            Some(size) => {
                let _ = writeln!(
                    places,
                    "__attribute__((weak, visibility(\"default\"), aligned(16))) char {name}[{size}];"
                );
                let _ = writeln!(finds, "  find(\"{name}\", &data);\n  memcpy({name}, data, {size});");
            }
        }
    }
    let tells = if telling == Telling::Aloud { TELLING_CXX } else { QUIET_CXX };
    format!("{tells}{CXX_FUNCTION}{places}\nstatic void find_cxx(void) {{\n  void* data;\n  (void)data;\n{finds}}}\n")
}

const CXX_FUNCTION: &str = r#"
#define CXX_FUNCTION(NAME, PLACE)                                                    \
  __attribute__((used, visibility("hidden"))) void* PLACE;                           \
  __asm__(".pushsection .text\n.weak " #NAME "\n.type " #NAME ", @function\n" #NAME \
          ":\n" CXX_TELL(#NAME) "  jmp *" #PLACE "(%rip)\n.popsection\n");
"#;

const QUIET_CXX: &str = "\n#define CXX_TELL(NAME) \"\"\n";

/// What the function was given is kept while its name is printed.
const TELLING_CXX: &str = r#"
__attribute__((used)) static void tell_cxx(const char* name) { tell("enters", name, strlen(name)); }

#define CXX_TELL(NAME)                                                                                        \
  "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  sub $8, %rsp\n"              \
  "  lea 1f(%rip), %rdi\n  call tell_cxx\n  jmp 2f\n1: .asciz \"" NAME "\"\n2:\n"                            \
  "  add $8, %rsp\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
"#;

/// What prints each function and global function once for a process.
fn told_source() -> String {
    let names = abi().functions.iter().map(|function| &function.name);
    let names = names.chain(abi().cxx_symbols.iter().map(|symbol| &symbol.name));
    let names = names.chain(abi().globals.iter().map(|global| &global.name));
    let names: String = names.map(|name| format!("  \"{name}\",\n")).collect();
    format!("\nstatic const char* const names[] = {{\n{names}}};\n{TELL}")
}

/// The page that says what was told already is empty again in every child.
const TELL: &str = r#"
#include <sys/mman.h>
static char* told;

__attribute__((constructor)) static void make_room(void) {
  told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED || madvise(told, 4096, MADV_WIPEONFORK) != 0) abort();
}

static void tell(const char* what, const char* name, size_t size) {
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0) {
      if (!__atomic_exchange_n(&told[i], 1, __ATOMIC_RELAXED)) dprintf(2, "%s %s\n", what, names[i]);
      return;
    }
  }
}
"#;

/// The base is kept to itself: its own calls and its symbols' names do not meet the fault's. Sanitizers forbid the one flag that makes
/// sure of it.
const FORWARDERS: &str = r#"#define _GNU_SOURCE
#include "fault.h"
#include <dlfcn.h>

struct fault_functions real;

static void* base;

void* real_cxx(const char* name) { return dlsym(base, name); }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEP_TO_ITSELF 0
#else
#define KEEP_TO_ITSELF RTLD_DEEPBIND
#endif

static void find_cxx(void);

static void find(const char* name, void** place) {
  *place = dlsym(base, name);
  if (!*place) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
}

__attribute__((constructor)) static void find_all(void) {
  base = dlopen(BASE, RTLD_NOW | RTLD_LOCAL | KEEP_TO_ITSELF);
  if (!base) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
"#;
