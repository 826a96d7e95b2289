//! Compiles the fixtures to shared libraries and lists them for `LIBRARIES`.
//!
//! Functions of the ABI stay undefined in them: they are found in the target, which is opened first.

use std::{
    collections::BTreeSet,
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

#[path = "src/tools.rs"]
mod tools;
use tools::Language;

/// The name of today's generation, and the folder of the callers of each. The build script has nothing of the specification.
const TODAY: &str = "combined";
const CALLERS: &[(&str, &str)] = &[(TODAY, "callers"), ("split", "callers_split"), ("legacy", "callers_legacy")];
/// What callers name a library with that lies in `operators_legacy/`.
const LOADED_BY: &str = "operators_of(";
/// No warnings, nothing visible that is not marked so, and no library that is not needed.
const FLAGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,--as-needed"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tools.rs");
    // C compilers that are run outside of a build script have to be told the target.
    println!("cargo::rustc-env=TARGET={}", env::var("TARGET").expect("cargo sets TARGET"));
    println!("cargo::rerun-if-changed=include");

    let (mut libraries, mut table) = (Vec::new(), String::new());
    for (generation, callers) in CALLERS {
        let sources = sources(callers);
        let headers: Vec<_> = match *generation {
            TODAY => vec!["callers".to_owned(), "include".to_owned()],
            older => {
                let own = format!("include_{older}");
                println!("cargo::rerun-if-changed={own}");
                vec![(*callers).to_owned(), "callers".to_owned(), own, "include".to_owned()]
            }
        };
        let mut forms = Vec::new();
        for (language, name) in [(Language::C11, "c11"), (Language::Cxx17, "cxx17")] {
            let library = format!("{callers}_{name}");
            libraries.push(library_of(&library, &sources, language, &headers));
            forms.push((name, library));
        }
        table += &rows_of_callers(generation, &sources, &forms, &headers);
    }
    for kernel in sources("kernels") {
        libraries.push(library(&stem(&kernel), std::slice::from_ref(&kernel), Language::C11));
    }
    let mut operators = "&[\n".to_owned();
    for operator in sources("operators_legacy") {
        writeln!(
            operators,
            "({:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{}\"))),",
            stem(&operator),
            operator.display()
        )
        .expect("a string takes everything");
        let headers = ["include_legacy", "include"].map(str::to_owned);
        let name = format!("legacy_{}", stem(&operator));
        libraries.push(library_of(&name, std::slice::from_ref(&operator), Language::C11, &headers));
    }
    fs::write(out_dir().join("operators.rs"), operators + "]").expect("OUT_DIR is writable");

    println!("cargo::rerun-if-changed=cxx");
    libraries.push(library("module_class", &[PathBuf::from("cxx/module_class.cc")], Language::Cxx17));
    for name in ["values", "recursive", "modules", "imports", "locale", "texts", "tables"] {
        let (source, name) = (PathBuf::from(format!("cxx/{name}.cc")), format!("cxx_{name}"));
        let headers = ["callers".to_owned()];
        table += &rows_of_callers(TODAY, std::slice::from_ref(&source), &[("cxx", name.clone())], &headers);
        libraries.push(library(&name, &[source], Language::Cxx17));
    }
    fs::write(out_dir().join("callers.rs"), format!("&[\n{table}]")).expect("OUT_DIR is writable");

    let mut list = "&[\n".to_owned();
    for path in libraries {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a library has a name");
        // Relative to where the folder is when this is compiled: a target folder may have been moved since.
        writeln!(list, r#"({name:?}, include_bytes!(concat!(env!("OUT_DIR"), "/{name}"))),"#)
            .expect("a string takes everything");
    }
    fs::write(out_dir().join("libraries.rs"), list + "]").expect("OUT_DIR is writable");
}

/// The C files in a directory, sorted.
fn sources(directory: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={directory}");
    let entries = fs::read_dir(directory).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("the entry is readable").path());
    let mut sources: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    sources.sort();
    sources
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a source has a name").to_string_lossy().into_owned()
}

/// Compiles and links one fixture of today's generation.
fn library(name: &str, sources: &[PathBuf], language: Language) -> PathBuf {
    library_of(name, sources, language, &["callers", "include"].map(str::to_owned))
}

/// Compiles and links one fixture with headers from these folders.
fn library_of(name: &str, sources: &[PathBuf], language: Language, headers: &[String]) -> PathBuf {
    let library = out_dir().join(format!("{name}.so"));
    let mut command = language.compiler(cc::Build::new().opt_level(1).debug(true).warnings(false));
    command
        .args(FLAGS)
        .args(headers.iter().flat_map(|folder| ["-I", folder.as_str()]))
        .args(sources)
        .arg("-o")
        .arg(&library);
    if let Err(problem) = language.compile(&mut command) {
        eprintln!("error: {problem}");
        std::process::exit(1);
    }
    library
}

/// The callers that the files declare, in Rust, for `CALLERS`, with the languages and libraries that they were compiled to.
/// A clause that is not specified does not compile. `headers` are the folders of theirs, those of callers first.
fn rows_of_callers(generation: &str, sources: &[PathBuf], forms: &[(&str, String)], headers: &[String]) -> String {
    let form = |(language, name): &(&str, String)| {
        format!("Form {{ generation: {generation:?}, language: {language:?}, library: \"{name}.so\" }}")
    };
    let library = &forms[0].1;
    let forms: Vec<_> = forms.iter().map(form).collect();
    let forms = forms.join(", ");
    let mut table = String::new();
    let headers: Vec<_> = headers.iter().filter(|folder| folder.starts_with("callers")).map(PathBuf::from).collect();
    for source in sources {
        let text = fs::read_to_string(source).expect("a source is UTF-8");
        let whole = format!("{library}_{}", stem(source));
        fs::write(out_dir().join(&whole), whole_text(source, &headers, &mut BTreeSet::new()))
            .expect("OUT_DIR is writable");
        let loads = text.contains(LOADED_BY);
        let text = text.replace("\nCXX_CALLER(", "\nCALLER(");
        let parts: Vec<_> = text.split("\nCALLER(").collect();
        for pair in parts.windows(2) {
            let (name, body) = pair[1].split_once(')').expect("CALLER has one argument");
            let place = || format!("{}, {name}", source.display());
            let sentence = sentence_above(pair[0])
                .unwrap_or_else(|| panic!("{}: a sentence that ends with a full stop stands right above", place()));
            let clauses = clauses_of(body.split("\n}").next().unwrap_or(body));
            assert!(!clauses.is_empty(), "{}: a caller names the clauses that it decides", place());
            writeln!(
                table,
                "Caller {{ name: {name:?}, sentence: {sentence:?}, clauses: &[{clauses}], forms: &[{forms}], \
                 source: include_str!(concat!(env!(\"OUT_DIR\"), \"/{whole}\")), loads_operators: {loads} }},"
            )
            .expect("a string takes everything");
        }
    }
    table
}

/// A source in the place of each of whose lines that include a header of these folders, or one beside it, that header stands, once.
fn whole_text(source: &Path, folders: &[PathBuf], seen: &mut BTreeSet<PathBuf>) -> String {
    let (text, mut whole) = (fs::read_to_string(source).expect("a source is UTF-8"), String::new());
    for line in text.lines() {
        let header = line.strip_prefix("#include ");
        // In quotation marks, it is looked for beside the source first.
        let beside = source.parent().filter(|_| header.is_some_and(|name| name.starts_with('"')));
        let places = beside.into_iter().chain(folders.iter().map(PathBuf::as_path));
        let header = header
            .map(|name| name.trim_matches(['"', '<', '>']))
            .and_then(|name| places.map(|folder| folder.join(name)).find(|place| place.is_file()));
        match header.map(|header| header.canonicalize().expect("the header is there")) {
            Some(header) if !seen.contains(&header) => {
                seen.insert(header.clone());
                whole += &whole_text(&header, folders, seen);
            }
            Some(_) => {}
            None => whole += line,
        }
        whole.push('\n');
    }
    whole
}

/// The first paragraph of the comment at the end of `text`, without its full stop.
fn sentence_above(text: &str) -> Option<String> {
    let (_, comment) = text.strip_suffix("*/")?.rsplit_once("/**")?;
    let lines = comment.trim().lines().map(|line| line.trim_start_matches([' ', '*']).trim_end());
    let paragraph: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ").strip_suffix('.').map(str::to_owned)
}

/// The constants of the clauses that a caller decides, each where it is first named.
fn clauses_of(body: &str) -> String {
    let ids = body.split("CLAUSE(t, \"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut constants = Vec::new();
    for constant in ids.map(|id| format!("tvm_ffi_spec::clause::id::{}", id.replace('-', "_"))) {
        if !constants.contains(&constant) {
            constants.push(constant);
        }
    }
    constants.join(", ")
}

fn out_dir() -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).to_owned()
}
