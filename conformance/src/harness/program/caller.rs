//! The program of a check that is a function in C or C++: its own source, and what stands in for the suite.

use std::fmt::Write;

use tvm_ffi_fixtures::{Caller, Form, OPERATORS};
use tvm_ffi_spec::generation::{TODAY, generation};

/// How the function of a caller is declared.
const DECLARATIONS: [&str; 2] = ["\nCALLER(", "\nCXX_CALLER("];

/// The program of a caller in one of its forms, with that for its first line.
pub fn program(headline: &str, id: &str, form: &Form, caller: &Caller) -> String {
    let library = generation(form.generation).map_or("", |generation| &generation.library);
    let library = library.trim_start_matches("lib").trim_end_matches(".so");
    let compiler = if form.language == "c11" { "cc -std=c11" } else { "c++ -std=c++17 -x c++" };
    let mut text = format!(
        "/* {headline}\n * {compiler} {id}.c -I include -L DIR -l{library} -pthread -ldl, and run with LD_LIBRARY_PATH=DIR\n"
    );
    if form.generation != TODAY {
        let name = form.generation;
        let _ = writeln!(text, " * The headers are those of tvm-ffi-verify reference --generation {name} --out FOLDER");
    }
    let operators = if caller.loads_operators { OPERATORS } else { &[] };
    for (name, _) in operators {
        let _ = writeln!(text, " * and first: cc -shared -fPIC -DLIBRARY_{name} {id}.c -I include -o legacy_{name}.so");
    }
    text += " */\n";
    for (nth, (name, source)) in operators.iter().enumerate() {
        let _ = writeln!(text, "#{} defined(LIBRARY_{name})\n{source}", if nth == 0 { "if" } else { "elif" });
    }
    let own = format!("{}\n{}return caller_{}(&t);\n}}\n", alone(caller.source, caller.name), IN_PLACE, caller.name);
    text += &if operators.is_empty() { own } else { format!("#else\n{own}#endif\n") };
    text
}

/// What stands in for the suite, up to the call.
const IN_PLACE: &str = r#"/* ---- In place of the suite --------------------------------------------------------------------------------------- */

static void is_about(void* context, const char* id) { (void)context, printf("-- %s\n", id); }
static void is_called(void* context, const char* call) { (void)context, printf("%s\n", call), fflush(stdout); }
static void has_returned(void* context) { (void)context; }
static void is_unmet(void* context, const char* what, const char* expected, const char* got) {
  (void)context, printf("%s: expected %s, got %s\n", what, expected, got);
}

int main(void) {
  struct caller t = {NULL, is_about, is_called, has_returned, is_unmet, "."};
  "#;

/// A file of callers with this one alone.
fn alone(source: &str, name: &str) -> String {
    let mut rest = source.to_owned();
    let mut from = 0;
    while let Some((start, declaration)) =
        DECLARATIONS.iter().filter_map(|each| Some((from + rest[from..].find(each)?, each))).min()
    {
        let named = &rest[start + declaration.len()..];
        let end = rest[start..].find("\n}\n").map_or(rest.len(), |end| start + end + "\n}\n".len());
        if named.split(')').next() == Some(name) {
            from = end;
            continue;
        }
        let above = rest[..start].rfind("\n/**").unwrap_or(start);
        rest.replace_range(above..end, "");
        from = above;
    }
    rest
}
