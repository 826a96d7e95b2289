//! The headers of older generations against `spec/generations/`: static assertions say every size, alignment, offset, type, value and
//! signature of a generation, and what of today's it does not have; and each header declares what is said to be its own.

mod assertion;

use std::{collections::BTreeSet, fs, path::Path};

use assertion::{Assertions, Mode, OURS, compile};
use rstest::rstest;
use tvm_ffi_fixtures::{fail, include_dirs_of};
use tvm_ffi_spec::{
    abi::{Field, Struct, abi},
    generation::{Function, Generation, generation},
};

/// A header of an older generation.
struct Header {
    /// What the data calls it.
    name: &'static str,
    path: &'static str,
    /// The headers of its generation that it includes.
    includes: &'static [&'static str],
}

const SPLIT: &[Header] = &[
    Header { name: "c_api", path: "tvm/ffi/c_api.h", includes: &[] },
    Header { name: "c_env_api", path: "tvm/ffi/extra/c_env_api.h", includes: &["c_api"] },
];
/// What generated code depends on includes nothing that only runtimes use.
const LEGACY: &[Header] = &[
    Header { name: "c_packed_func", path: "tvm/runtime/c_packed_func.h", includes: &[] },
    Header { name: "c_backend_api", path: "tvm/runtime/c_backend_api.h", includes: &["c_packed_func"] },
    Header {
        name: "c_runtime_api",
        path: "tvm/runtime/c_runtime_api.h",
        includes: &["c_packed_func", "c_backend_api"],
    },
];

fn named(name: &str) -> Generation {
    generation(name).unwrap_or_else(|| panic!("there is no generation {name}")).clone()
}

fn headers(name: &str) -> &'static [Header] {
    if name == "split" { SPLIT } else { LEGACY }
}

/// Assertions about what a header and those that it includes declare.
fn assertions(generation: &Generation, header: &str, mode: Mode) -> String {
    let found = headers(&generation.name).iter().find(|each| each.name == header);
    let Header { path, includes, .. } = found.expect("the generation has the header");
    let here = |name: &String| name == header || name == "dlpack" || includes.contains(&name.as_str());
    let mut file = Assertions::new(mode, &format!("#include <{path}>\n"));
    for group in generation.all_enums().iter().filter(|group| here(&group.header)) {
        group.constants.iter().for_each(|each| file.equal(&each.name, &each.name, each.value));
        if !group.macros && group.header != "dlpack" {
            file.equal(&format!("size of {}", group.name), &format!("sizeof({})", group.name), 4);
        }
    }
    for typedef in generation.all_typedefs().into_iter().filter(|each| here(&each.header)) {
        file.expression_type(&typedef.name, &format!("({})0", typedef.name), &typedef.ty);
    }
    generation
        .all_structs()
        .into_iter()
        .filter(|each| here(&each.header))
        .for_each(|each| assert_record(&mut file, each));
    let functions = generation.all_functions();
    functions.iter().filter(|each| here(&each.header)).for_each(|each| assert_function(&mut file, &each.name, each));
    for alias in generation.aliases.iter().filter(|alias| here(&alias.header)) {
        match functions.iter().find(|each| each.name == alias.of) {
            Some(found) => assert_function(&mut file, &alias.name, found),
            None => file.expression_type(&alias.name, &format!("({})0", alias.name), &alias.of),
        }
    }
    let declared: BTreeSet<_> = functions.iter().filter(|each| here(&each.header)).map(|each| &each.name).collect();
    let others = functions.iter().map(|each| &each.name).chain(abi().functions.iter().map(|each| &each.name));
    let others: BTreeSet<_> = others.filter(|name| !declared.contains(name)).collect();
    others.into_iter().for_each(|name| file.absent(name));
    file.text
}

fn assert_record(file: &mut Assertions, described: &Struct) {
    file.record(&described.name, described.size, described.align);
    for Field { name, ty, offset, size, .. } in &described.fields {
        file.field(&described.name, name, ty, *offset, *size);
    }
}

fn assert_function(file: &mut Assertions, name: &str, function: &Function) {
    file.expression_type(name, &format!("&{name}"), &function.pointer_type());
}

/// Compiles the assertions about a header of a generation.
fn hold(generation: &Generation, header: &str, mode: Mode) -> Result<(), String> {
    let include = include_dirs_of(&generation.name);
    let include: Vec<&Path> = include.iter().map(AsRef::as_ref).collect();
    compile(&assertions(generation, header, mode), &include, mode, OURS)
}

#[rstest]
#[case::split("split")]
#[case::legacy("legacy")]
fn headers_are_as_described(#[case] name: &str) {
    for mode in Mode::all() {
        for Header { name: header, .. } in headers(name) {
            hold(&named(name), header, mode).unwrap_or_else(|errors| fail(&format!("{header}, {mode:?}: {errors}")));
        }
    }
}

/// The functions that the text of a header declares.
fn declared(text: &str) -> BTreeSet<String> {
    let marks = ["\nTVM_FFI_DLL ", "\nTVM_DLL "];
    let declarations = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    let name = |declaration: &str| {
        let before = declaration.split('(').next().expect("something is declared");
        before.rsplit([' ', '*']).next().expect("it has a name").to_owned()
    };
    declarations.map(name).collect()
}

#[rstest]
#[case::split("split")]
#[case::legacy("legacy")]
fn each_function_is_declared_where_it_is_said_to_be(#[case] name: &str) {
    let [folder, _] = include_dirs_of(name);
    for Header { name: header, path, .. } in headers(name) {
        let text = fs::read_to_string(folder.join(path)).expect("the header is readable");
        let functions = named(name).all_functions();
        let expected = functions.into_iter().filter(|each| each.header == *header).map(|each| each.name).collect();
        assert_eq!(declared(&text), expected, "{path}");
    }
}

fn record<'a>(generation: &'a mut Generation, name: &str) -> &'a mut Struct {
    generation.structs.iter_mut().find(|described| described.name == name).expect("the struct is described")
}

fn function<'a>(generation: &'a mut Generation, name: &str) -> &'a mut Function {
    generation.functions.iter_mut().find(|function| function.name == name).expect("the function is described")
}

/// A wrong description does not compile, and the compiler's message says what is wrong.
#[rstest]
#[case::offset(
    "split", "c_api", Mode::C11,
    |it: &mut Generation| record(it, "TVMFFIObject").fields[2].offset.0 = 0,
    "offset of TVMFFIObject.strong_ref_count"
)]
#[case::narrow_size(
    "split", "c_api", Mode::C11Narrow,
    |it: &mut Generation| record(it, "TVMFFIErrorCell").size.1 = 36,
    "size of TVMFFIErrorCell"
)]
#[case::sign(
    "split", "c_api", Mode::Cpp17,
    |it: &mut Generation| record(it, "TVMFFIObject").fields[1].ty = "int32_t".into(),
    "TVMFFIObject.weak_ref_count has the type"
)]
#[case::value(
    "split", "c_api", Mode::C11,
    |it: &mut Generation| it.enums[0].constants[0].value = 79,
    "kTVMFFIStaticObjectEnd is 79"
)]
#[case::result(
    "split", "c_api", Mode::C11,
    |it: &mut Generation| function(it, "TVMFFIErrorCreate").returns = "int".into(),
    "TVMFFIErrorCreate has the type"
)]
#[case::todays_function(
    "split", "c_api", Mode::C11,
    |it: &mut Generation| it.as_today.functions.retain(|name| name != "TVMFFIFunctionCall"),
    "TVMFFIFunctionCall"
)]
#[case::parameter(
    "legacy", "c_runtime_api", Mode::Cpp17,
    |it: &mut Generation| function(it, "TVMFuncCreateFromCFunc").params[0].1 = "TVMPackedFunc".into(),
    "TVMFuncCreateFromCFunc has the type"
)]
#[case::alias(
    "legacy", "c_runtime_api", Mode::C11,
    |it: &mut Generation| it.aliases[3].of = "TVMPackedFunc".into(),
    "TVMPackedCFunc has the type TVMPackedFunc"
)]
#[case::place(
    "legacy", "c_backend_api", Mode::C11,
    |it: &mut Generation| function(it, "TVMFuncCall").header = "c_runtime_api".into(),
    "TVMFuncCall"
)]
#[case::code(
    "legacy", "c_packed_func", Mode::C11,
    |it: &mut Generation| it.enums[0].constants[14].value = 16,
    "kTVMArgBool is 16"
)]
fn a_wrong_description_is_found(
    #[case] name: &str,
    #[case] header: &str,
    #[case] mode: Mode,
    #[case] break_it: fn(&mut Generation),
    #[case] expected: &str,
) {
    let mut wrong = named(name);
    break_it(&mut wrong);
    let errors = hold(&wrong, header, mode).expect_err("the description is wrong");
    assert!(errors.contains(expected), "{errors}");
}
