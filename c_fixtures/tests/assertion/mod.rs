//! Static assertions, read by C and C++ compilers: nothing is made of them.

use std::{fmt, fmt::Write, fs, path::Path};

use tempfile::TempDir;
use tvm_ffi_fixtures::{compile::compiler, tools::Language};
use tvm_ffi_spec::abi::declarator;

/// A way to read the headers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// C, for this machine.
    C11,
    /// C, for a 32-bit machine.
    C11Narrow,
    /// C++, for this machine.
    Cpp17,
}

impl Mode {
    /// The modes that this machine has a compiler for.
    pub fn all() -> Vec<Mode> {
        if cfg!(target_arch = "x86_64") {
            vec![Mode::C11, Mode::C11Narrow, Mode::Cpp17]
        } else {
            println!("32-bit layouts are not checked: only x86-64 compilers have -m32");
            vec![Mode::C11, Mode::Cpp17]
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Mode::C11Narrow => &["-m32", "-ffreestanding"],
            Mode::C11 | Mode::Cpp17 => &[],
        }
    }

    fn language(self) -> Language {
        match self {
            Mode::C11 | Mode::C11Narrow => Language::C11,
            Mode::Cpp17 => Language::Cxx17,
        }
    }

    /// Of a pair of figures, 64-bit and 32-bit, the one that holds here.
    pub fn pick(self, (wide, narrow): (u32, u32)) -> u32 {
        if self == Mode::C11Narrow { narrow } else { wide }
    }

    /// What assertions are written with: `CHECK`, `CHECK_TYPE` and `ALIGNMENT`.
    fn prelude(self) -> &'static str {
        if self == Mode::Cpp17 { PRELUDE_CPP } else { PRELUDE_C }
    }
}

const PRELUDE_C: &str = "
#define CHECK(what, condition) _Static_assert(condition, what)
#define CHECK_TYPE(what, expression, ...) CHECK(what, _Generic((expression), __VA_ARGS__: 1, default: 0))
#define ALIGNMENT _Alignof
struct nothing;
";

const PRELUDE_CPP: &str = "
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
#define CHECK(what, condition) static_assert(condition, what)
#define CHECK_TYPE(what, expression, ...) CHECK(what, (same<decltype(expression), __VA_ARGS__>::value))
#define ALIGNMENT alignof
";

/// A file of assertions, to be read in one mode.
pub struct Assertions {
    pub mode: Mode,
    pub text: String,
}

impl Assertions {
    /// None yet, below these `#include` lines.
    pub fn new(mode: Mode, includes: &str) -> Self {
        Self { mode, text: format!("{includes}{}", mode.prelude()) }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("a string takes everything");
    }

    pub fn equal(&mut self, what: &str, expression: &str, value: impl Into<i64>) {
        let value = value.into();
        self.line(format_args!("CHECK(\"{what} is {value}\", ({expression}) == {value});"));
    }

    pub fn expression_type(&mut self, what: &str, expression: &str, ty: &str) {
        self.line(format_args!("CHECK_TYPE(\"{what} has the type {ty}\", {expression}, {ty});"));
    }

    /// That nothing has that name: no macro in either language, and in C nothing else that would clash with the declaration
    /// made here.
    pub fn absent(&mut self, name: &str) {
        self.line(format_args!("#ifdef {name}\n#error \"{name} is not absent\"\n#endif"));
        if self.mode != Mode::Cpp17 {
            self.line(format_args!("extern struct nothing {name};"));
        }
    }

    /// The size and the alignment of a struct, each for 64-bit and 32-bit machines.
    pub fn record(&mut self, name: &str, size: (u32, u32), align: (u32, u32)) {
        self.equal(&format!("size of {name}"), &format!("sizeof({name})"), self.mode.pick(size));
        self.equal(&format!("alignment of {name}"), &format!("ALIGNMENT({name})"), self.mode.pick(align));
    }

    /// Where a field lies, how large it is, and its type.
    pub fn field(&mut self, owner: &str, name: &str, ty: &str, offset: (u32, u32), size: (u32, u32)) {
        let label = format!("{owner}.{name}");
        self.equal(&format!("offset of {label}"), &format!("offsetof({owner}, {name})"), self.mode.pick(offset));
        let place = format!("(({owner}*)0)->{name}");
        self.equal(&format!("size of {label}"), &format!("sizeof({place})"), self.mode.pick(size));
        match self.mode {
            Mode::Cpp17 => self.expression_type(&label, &format!("{owner}::{name}"), ty),
            // An array would decay to a pointer; the address of an array does not.
            _ => self.expression_type(&label, &format!("&{place}"), &declarator(ty, "(*)")),
        }
    }
}

/// Warnings are errors.
pub const OURS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Compiles `source` against the headers in these folders; an error holds what the compiler said.
pub fn compile(source: &str, include: &[&Path], mode: Mode, warnings: &[&str]) -> Result<(), String> {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("layout");
    fs::write(&file, source).expect("the folder is writable");
    let mut command = compiler(mode.language(), 0);
    command.args(mode.flags()).args(warnings).arg("-fsyntax-only");
    for folder in include {
        command.arg("-I").arg(folder);
    }
    mode.language().compile(command.arg(&file)).map(drop)
}
