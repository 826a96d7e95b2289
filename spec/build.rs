//! Generates the typed function table and the constants from `abi.toml`.

use std::{collections::BTreeMap, env, fmt::Write, fs, path::Path};

#[derive(serde::Deserialize)]
struct Abi {
    function: Vec<Function>,
    #[serde(rename = "enum")]
    enums: Vec<Enum>,
}

#[derive(serde::Deserialize)]
struct Function {
    name: String,
    returns: String,
    params: Vec<(String, String)>,
    doc: String,
}

#[derive(serde::Deserialize)]
struct Enum {
    #[serde(rename = "type")]
    ty: String,
    constant: Vec<Constant>,
}

#[derive(serde::Deserialize)]
struct Constant {
    name: String,
    value: i64,
    doc: String,
}

/// The Rust spelling of each C type that occurs in a signature. A pointer to a function may be NULL, hence `Option`.
const RUST_TYPES: &[(&str, &str)] = &[
    ("void", "()"),
    ("int", "c_int"),
    ("int32_t", "i32"),
    ("void*", "*mut c_void"),
    ("void**", "*mut *mut c_void"),
    ("int32_t*", "*mut i32"),
    ("const char*", "*const c_char"),
    ("const char**", "*mut *const c_char"),
    ("TVMFFIObjectHandle", "TVMFFIObjectHandle"),
    ("TVMFFIObjectHandle*", "*mut TVMFFIObjectHandle"),
    ("TVMFFIStreamHandle", "TVMFFIStreamHandle"),
    ("TVMFFIStreamHandle*", "*mut TVMFFIStreamHandle"),
    ("TVMFFISafeCallType", "Option<TVMFFISafeCallType>"),
    ("DLPackManagedTensorAllocator", "Option<DLPackManagedTensorAllocator>"),
    ("DLPackManagedTensorAllocator*", "*mut Option<DLPackManagedTensorAllocator>"),
    ("void (*)(void* handle)", "Option<unsafe extern \"C\" fn(*mut c_void)>"),
    ("void (*)(void* self)", "Option<unsafe extern \"C\" fn(*mut c_void)>"),
    ("int (*)(void** result)", "Option<unsafe extern \"C\" fn(*mut *mut c_void) -> c_int>"),
    ("int (*)(void* handle)", "Option<unsafe extern \"C\" fn(*mut c_void) -> c_int>"),
    ("TVMFFIByteArray", "TVMFFIByteArray"),
];

fn main() {
    println!("cargo:rerun-if-changed=abi.toml");
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read_to_string("abi.toml").expect("spec/abi.toml is readable");
    let abi: Abi = toml::from_str(&text).expect("spec/abi.toml is well-formed");
    let out_dir = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out_dir).join("functions.rs"), functions(&abi)).expect("OUT_DIR is writable");
    fs::write(Path::new(&out_dir).join("constants.rs"), constants(&abi)).expect("OUT_DIR is writable");
}

fn constants(abi: &Abi) -> String {
    let mut out = String::new();
    for Enum { ty, constant } in &abi.enums {
        for Constant { name, value, doc } in constant {
            writeln!(out, "/// {doc}\npub const {name}: {ty} = {value};").unwrap();
        }
    }
    out
}

fn functions(abi: &Abi) -> String {
    let types: BTreeMap<_, _> = RUST_TYPES.iter().copied().collect();
    let rust = |c: &str| match types.get(c) {
        Some(known) => known.to_string(),
        None => pointer_to_struct(c).unwrap_or_else(|| panic!("no Rust type for the C type `{c}` in abi.toml")),
    };

    let mut table = String::new();
    let mut lookups = String::new();
    let mut rows = String::new();
    for Function { name, returns, params, doc } in &abi.function {
        let result = rust(returns);
        let params: Vec<_> = params.iter().map(|(name, ty)| format!("{}: {}", rust_name(name), rust(ty))).collect();
        let signature = format!("({}) -> {result}", params.join(", "));
        writeln!(table, "    /// {doc}\n    pub {name}: Option<unsafe extern \"C\" fn{signature}>,").unwrap();
        writeln!(
            lookups,
            "            // SAFETY: the caller vouches for the symbol, and a function pointer has the size of a data pointer.\n            \
             {name}: unsafe {{ std::mem::transmute::<*const c_void, Option<unsafe extern \"C\" fn{signature}>>(find(\"{name}\")) }},"
        )
        .unwrap();
        writeln!(rows, "            #[doc = {doc:?}] {name}{signature};").unwrap();
    }
    format!(
        "/// The functions of one library, by name; `None` where it exports none.\n\
         #[derive(Clone, Copy, Debug)]\npub struct FunctionTable {{\n{table}}}\n\n\
         impl FunctionTable {{\n    \
         /// Fills the table from `find`, which answers a symbol's address or NULL.\n    ///\n    \
         /// # Safety\n    /// Each address is NULL or a function of the type that `abi.toml` gives it, for as long as the table is used.\n    \
         pub unsafe fn load(mut find: impl FnMut(&'static str) -> *const c_void) -> Self {{\n        Self {{\n{lookups}        }}\n    }}\n}}\n\n\
         /// Expands `$rows!` with one row `#[doc] name(param: type, ...) -> result;` for each function of the ABI. The types of\n\
         /// [`types`](crate::types) and `std::ffi::{{c_char, c_int, c_void}}` must be in scope.\n\
         #[macro_export]\nmacro_rules! for_each_function {{\n    ($rows:ident) => {{\n        $rows! {{\n{rows}        }}\n    }};\n}}\n"
    )
}

/// `const TVMFFIAny*` and `TVMFFIAny*` (and so on for every struct) are raw pointers to the Rust type of the same name.
fn pointer_to_struct(c: &str) -> Option<String> {
    let (qualifier, rest) = match c.strip_prefix("const ") {
        Some(rest) => ("const", rest),
        None => ("mut", c),
    };
    let name = rest.trim_end_matches('*');
    let depth = rest.len() - name.len();
    if depth == 0 || !(name.starts_with("TVMFFI") || name.starts_with("DL")) {
        return None;
    }
    Some(format!("{}*{qualifier} {name}", "*mut ".repeat(depth - 1)))
}

/// C parameter names that are Rust keywords.
fn rust_name(name: &str) -> String {
    match name {
        "self" => "self_".to_owned(),
        other => other.to_owned(),
    }
}
