//! Generates what the compiler has to know of the data: constants and the rows of the function table from `abi.toml`, the
//! ids of clauses from `clauses/*.toml`, and the revision of it all; and the data as JSON, which is read several times as
//! fast.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use sha2::{Digest, Sha256};

#[path = "src/abi/model.rs"]
mod abi;
#[path = "src/clause/model.rs"]
mod clause;

use abi::{Abi, Function};
use clause::{Area, Clause};

fn main() {
    let models = ["src/abi/model.rs", "src/clause/model.rs"];
    for source in ["abi.toml", "build.rs", "clauses", "generations", "promises.toml"].into_iter().chain(models) {
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rustc-env=TVM_FFI_SPEC_REVISION={}", revision());
    let abi: Abi = read(Path::new("abi.toml"));
    write("constants.rs", constants(&abi));
    write("functions.rs", function_rows(&abi));
    write("clause_ids.rs", clause_ids(&areas()));
    for path in files() {
        write_json(&path);
    }
}

/// Every file of the data.
fn files() -> impl Iterator<Item = PathBuf> {
    let single = ["abi.toml".into(), "promises.toml".into()];
    single.into_iter().chain(clause_files()).chain(files_in("generations"))
}

/// Writes a file once more, as JSON, under its own path.
fn write_json(path: &Path) {
    let json = out_dir().join("data").join(path).with_extension("json");
    fs::create_dir_all(json.parent().expect("it is in a folder")).expect("OUT_DIR is writable");
    let text = serde_json::to_string(&read::<toml::Table>(path)).expect("what TOML holds is JSON, too");
    fs::write(json, text).expect("OUT_DIR is writable");
}

fn out_dir() -> PathBuf {
    env::var_os("OUT_DIR").expect("cargo sets OUT_DIR").into()
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("spec/{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("spec/{}: {error}", path.display()))
}

/// Writes Rust code that a person can read, too.
fn write(name: &str, code: TokenStream) {
    let file = syn::parse2(code).unwrap_or_else(|error| panic!("{name}: {error}"));
    fs::write(out_dir().join(name), prettyplease::unparse(&file)).expect("OUT_DIR is writable");
}

/// The text of a documentation comment as rustfmt sets it.
fn comment(text: &str) -> String {
    format!(" {text}")
}

fn constants(abi: &Abi) -> TokenStream {
    abi.enums
        .iter()
        .flat_map(|group| group.constants.iter().map(move |constant| (&group.ty, constant)))
        .map(|(ty, constant)| {
            let (doc, name, ty) = (comment(&constant.doc), format_ident!("{}", constant.name), format_ident!("{ty}"));
            let value = Literal::i64_unsuffixed(constant.value);
            quote! {
                #[doc = #doc]
                pub const #name: #ty = #value;
            }
        })
        .collect()
}

/// The files of clauses, by name.
fn clause_files() -> Vec<PathBuf> {
    files_in("clauses")
}

/// The files of a folder and of those in it, by name.
fn files_in(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("spec/{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the entry is readable").path());
    let mut paths: Vec<_> = paths.flat_map(|path| if path.is_dir() { files_in(path) } else { vec![path] }).collect();
    paths.sort();
    paths
}

/// The files of clauses by their paths without the ending, as areas.
fn areas() -> Vec<(String, Area)> {
    let older = files_in("generations").into_iter().filter(|path| path.ends_with("clauses.toml"));
    let named = |path: PathBuf| (path.with_extension("").display().to_string(), read(&path));
    clause_files().into_iter().chain(older).map(named).collect()
}

/// Tells the data from any other, wherever it is built: the first digits of a SHA-256 of all its files.
fn revision() -> String {
    let mut hash = Sha256::new();
    for path in files() {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("spec/{}: {error}", path.display()));
        hash.update(format!("{} {}\n", path.display(), bytes.len()));
        hash.update(bytes);
    }
    hex::encode(&hash.finalize()[..6])
}

fn clause_ids(areas: &[(String, Area)]) -> TokenStream {
    let clauses = areas.iter().flat_map(|(_, area)| &area.clauses);
    let constants = clauses.clone().map(|Clause { id, text, .. }| {
        let (doc, name) = (comment(text), format_ident!("{}", id.replace('-', "_")));
        quote! {
            #[doc = #doc]
            pub const #name: &str = #id;
        }
    });
    let mut all: Vec<_> = clauses.map(|clause| &clause.id).collect();
    all.sort();
    let prefixes = areas.iter().map(|(path, Area { prefix, .. })| quote! { (#prefix, #path) });
    quote! {
        #(#constants)*
        /// The prefix of the ids in each file, and the file: to look a clause up without reading the others.
        pub(super) const PREFIXES: &[(&str, &str)] = &[#(#prefixes),*];
        /// Every id, sorted: to look one up without reading the clauses.
        pub const ALL: &[&str] = &[#(#all),*];
    }
}

fn function_rows(abi: &Abi) -> TokenStream {
    let rows = abi.functions.iter().map(|Function { name, params, returns, doc, .. }| {
        let (name, result) = (format_ident!("{name}"), rust_type(returns));
        let params = params.iter().map(|(name, ty)| {
            let (name, ty) = (rust_name(name), rust_type(ty));
            quote! { #name: #ty }
        });
        quote! { #[doc = #doc] #name(#(#params),*) -> #result; }
    });
    quote! {
        /// Expands `$rows!` with one row `#[doc] name(param: type, ...) -> result;` for each function of the ABI. The types
        /// of [`types`](crate::types) and `std::ffi::{c_char, c_int, c_void}` must be in scope.
        #[macro_export]
        macro_rules! for_each_function {
            ($rows:ident) => { $rows! { #(#rows)* } };
        }
    }
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

fn rust_type(c: &str) -> syn::Type {
    let known = RUST_TYPES.iter().find(|(of_c, _)| *of_c == c).map(|(_, rust)| (*rust).to_owned());
    let rust = known.or_else(|| pointer_to_struct(c));
    let rust = rust.unwrap_or_else(|| panic!("no Rust type for the C type `{c}` in abi.toml"));
    syn::parse_str(&rust).unwrap_or_else(|error| panic!("`{rust}`: {error}"))
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

/// C parameter names that are Rust keywords get an underscore.
fn rust_name(name: &str) -> proc_macro2::Ident {
    if name == "self" { format_ident!("self_") } else { format_ident!("{name}") }
}
