//! Arguments that are refused.
//!
//! Which functions there are and what they take is read from the signatures of `spec/abi.toml`. Each is called with too
//! few and too many arguments, and with one argument after the other of each type that its parameter does not take,
//! while the others are right: so that it is that argument that is refused. A packed function looks at its arguments
//! itself, and is left to the area that it belongs to.

use tvm_ffi_spec::{abi::Global, clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, globals, homemade::Homemade, reflected, view},
    trial::Trial,
};

/// Each global function of values, objects and errors refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_values(t: &Trial) -> Verdict {
    numbers(t, VALUES, ANY_KIND)
}

/// Each global function of arrays and lists refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_sequences(t: &Trial) -> Verdict {
    numbers(t, SEQUENCES, ANY_KIND)
}

/// Each global function of maps and dictionaries refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_maps(t: &Trial) -> Verdict {
    numbers(t, MAPS, ANY_KIND)
}

/// Each global function that compares, copies or visits refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_comparison(t: &Trial) -> Verdict {
    numbers(t, COMPARISON, ANY_KIND)
}

/// Each global function of JSON refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_json(t: &Trial) -> Verdict {
    numbers(t, JSON, ANY_KIND)
}

/// Each global function of modules refuses a wrong number of arguments.
#[check(GLB_0024)]
fn number_modules(t: &Trial) -> Verdict {
    numbers(t, MODULES, ANY_KIND)
}

/// Expects the functions of these subjects to refuse too few and too many arguments.
fn numbers(t: &Trial, subjects: &[&str], kinds: &[&str]) -> Verdict {
    functions(t, subjects)?.iter().try_for_each(|function| {
        let (right, takes) = (function.args(t)?, function.parameters.len());
        // Arguments that the function takes, then None for as many as there are too many.
        let args: Vec<_> = right.each_any().into_iter().chain([TVMFFIAny::NONE; 7]).collect();
        let wrong = [takes.checked_sub(1), Some(takes + 1), Some(takes + 7)];
        wrong.into_iter().flatten().try_for_each(|count| function.refuses(t, &args[..count], kinds).map(drop))
    })
}

/// Each global function of values, objects and errors refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_values(t: &Trial) -> Verdict {
    types(t, VALUES, ANY_KIND)
}

/// Each global function of arrays and lists refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_sequences(t: &Trial) -> Verdict {
    types(t, SEQUENCES, ANY_KIND)
}

/// Each global function of maps and dictionaries refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_maps(t: &Trial) -> Verdict {
    types(t, MAPS, ANY_KIND)
}

/// Each global function that compares, copies or visits refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_comparison(t: &Trial) -> Verdict {
    types(t, COMPARISON, ANY_KIND)
}

/// Each global function of JSON refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_json(t: &Trial) -> Verdict {
    types(t, JSON, ANY_KIND)
}

/// Each global function of modules refuses an argument of a wrong type.
#[check(GLB_0025)]
fn type_modules(t: &Trial) -> Verdict {
    types(t, MODULES, ANY_KIND)
}

/// Expects the functions of these subjects to refuse one argument of each wrong type.
fn types(t: &Trial, subjects: &[&str], kinds: &[&str]) -> Verdict {
    functions(t, subjects)?.iter().try_for_each(|function| {
        for (place, parameter) in function.parameters.iter().enumerate() {
            for &wrong in refused_by(parameter) {
                function.refuses(t, &function.args_with(t, place, wrong)?.each_any(), kinds)?;
            }
        }
        Ok(())
    })
}

/// Each global function refuses a wrong number of arguments, and an argument of a wrong type, with a TypeError.
#[check(GLB_0034)]
fn kind_of_refusals(t: &Trial) -> Verdict {
    numbers(t, ALL, &["TypeError"])?;
    types(t, ALL, &["TypeError"])
}

/// What stands for any kind of error: which one it is, nothing binding says.
const ANY_KIND: &[&str] = &[];
const VALUES: &[&str] = &["value", "object", "error"];
const SEQUENCES: &[&str] = &["array", "list"];
const MAPS: &[&str] = &["map", "dict"];
const COMPARISON: &[&str] = &["structural", "recursive"];
const JSON: &[&str] = &["json"];
const MODULES: &[&str] = &["module"];

/// All subjects.
pub(super) const ALL: &[&str] =
    &["value", "object", "error", "array", "list", "map", "dict", "structural", "recursive", "json", "module"];

/// A global function that is called with too many arguments keeps no reference to any of them.
#[check(ARG_0001, GLB_0024)]
fn refused_number_keeps_nothing(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        let object = Homemade::new(kTVMFFIError, [0_u64; 12]);
        let args = vec![object.view(); function.parameters.len() + 1];
        t.clause(id::GLB_0024);
        function.refuses(t, &args, ANY_KIND)?;
        t.clause(id::ARG_0001);
        t.eq(format_args!("counts of an argument of {}", function.global.name), object.counts(), (1, 1))?;
    }
    Ok(())
}

/// A global function that is called with an argument of a wrong type keeps no reference to any argument.
#[check(ARG_0001, GLB_0025)]
fn refused_type_keeps_nothing(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        for (place, parameter) in function.parameters.iter().enumerate() {
            if refused_by(parameter).is_empty() {
                continue;
            }
            // The others are objects that the function may have taken before it met the wrong one.
            let args = function.args_with(t, place, refused_by(parameter)[0])?;
            let objects = || args.0.iter().filter(|arg| !arg.handle().is_null());
            let counts = || objects().map(|arg| t.counts(arg.handle())).collect::<Verdict<Vec<_>>>();
            let before = counts()?;
            t.clause(id::GLB_0025);
            function.refuses(t, &args.each_any(), ANY_KIND)?;
            t.clause(id::ARG_0001);
            t.eq(format_args!("counts of the arguments of {}", function.global.name), counts()?, before)?;
        }
    }
    Ok(())
}

/// A global function that has refused its arguments answers the next right call.
#[check(ARG_0001)]
fn refused_then_right(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(40), view::int(41)])?;
    let get = t.global("ffi.ArrayGetItem")?;
    for round in 0..3 {
        for wrong in [&[array.any()][..], &[array.any(), view::float(1.0)], &[view::int(1), array.any()]] {
            t.call_fails(&get, wrong, &["TypeError"])?;
        }
        let item = t.call(&get, &[array.any(), view::int(round % 2)])?;
        t.any_eq("item of the array", &item.any(), &view::int(40 + round % 2))?;
    }
    Ok(())
}

/// Calls that a global function refuses do not make the heap grow.
#[check(ARG_0001, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(40)])?;
    let get = t.global("ffi.ArrayGetItem")?;
    t.no_growth("memory for refused calls", || {
        t.call_fails(&get, &[array.any(), view::c_str(c"a text that is no integer")], &["TypeError"])?;
        t.call_fails(&get, &[array.any()], &["TypeError"]).map(drop)
    })
}

/// The error about a wrong number of arguments names the function and says how many it takes and how many there were.
#[check(ARG_0002, GLB_0024)]
fn number_is_told(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        let takes = function.parameters.len();
        t.clause(id::GLB_0024);
        // Of the right types as far as there are parameters: which of two mistakes is told is nobody's promise.
        let args = function.args(t)?;
        let message = function.refuses(t, &[args.each_any(), vec![TVMFFIAny::NONE; 9]].concat(), ANY_KIND)?;
        t.clause(id::ARG_0002);
        function.is_named_in(t, &message)?;
        for (what, number) in [("number of parameters", takes), ("number of arguments", takes + 9)] {
            let told = numbers_in(&without_signature(&message, &function.global.name)).contains(&number);
            t.that("message", told, format_args!("the {what}, {number}, in it"), &message)?;
        }
    }
    Ok(())
}

/// The error about an argument of a wrong type names the function and the argument's place, counted from 0.
#[check(ARG_0003, GLB_0025)]
fn place_is_told(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        for (place, parameter) in function.parameters.iter().enumerate() {
            let Some(wrong) = refused_by(parameter).first().copied() else { continue };
            t.clause(id::GLB_0025);
            let args = function.args_with(t, place, wrong)?;
            let message = function.refuses(t, &args.each_any(), ANY_KIND)?;
            t.clause(id::ARG_0003);
            function.is_named_in(t, &message)?;
            let told = numbers_in(&without_signature(&message, &function.global.name)).contains(&place);
            t.that("message", told, format_args!("the place, {place}, in it"), &message)?;
        }
    }
    Ok(())
}

/// A message without a function's signature, in which the parameters are numbered.
fn without_signature(message: &str, name: &str) -> String {
    let Some((before, rest)) = message.split_once(name) else { return message.to_owned() };
    let mut depth = 0;
    let end = rest.find(|char: char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        depth == 0
    });
    before.to_owned() + end.map_or("", |end| &rest[end..])
}

/// The whole numbers in a text.
fn numbers_in(text: &str) -> Vec<usize> {
    text.split(|char: char| !char.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// A function of the library with its declared parameters.
pub(super) struct Function {
    pub global: &'static Global,
    pub parameters: Vec<&'static str>,
    pub object: Owned,
}

impl Function {
    /// Arguments that it takes.
    pub fn args(&self, t: &Trial) -> Verdict<Args> {
        self.parameters.iter().map(|parameter| accepted(t, parameter)).collect::<Verdict<_>>().map(Args)
    }

    /// Arguments that it takes, but for one.
    fn args_with(&self, t: &Trial, place: usize, wrong: fn(&Trial) -> Owned) -> Verdict<Args> {
        let mut args = self.args(t)?;
        args.0[place] = wrong(t);
        Ok(args)
    }

    /// Expects a message to name the function.
    fn is_named_in(&self, t: &Trial, message: &str) -> Verdict {
        t.that("message", message.contains(&self.global.name), "the name of the function in it", message)
    }

    /// Expects a call to be refused with an error of one of these kinds, or of any; answers the message.
    fn refuses(&self, t: &Trial, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<String> {
        match t.call_fails(&self.object, args, kinds) {
            Ok(raised) => Ok(raised.message),
            Err(failure) => Err(failure.noting(format!("calling {}", self.global.signature))),
        }
    }
}

/// The typed functions of these subjects that the target has.
pub(super) fn functions(t: &Trial, subjects: &[&str]) -> Verdict<Vec<Function>> {
    let mut found = Vec::new();
    for global in globals::about(subjects).filter(|global| global.signature != "packed") {
        if let Some(object) = globals::find(t, &global.name)? {
            found.push(Function { global, parameters: parameters(global), object });
        }
    }
    Ok(found)
}

/// The types in a signature such as `f(0: int, 1: Map<str, Any>) -> Any`.
fn parameters(global: &Global) -> Vec<&str> {
    let inside = global.signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(") -> "));
    let Some((mut rest, _)) = inside else { return Vec::new() };
    let mut found = Vec::new();
    for number in 0.. {
        let Some(this) = rest.strip_prefix(&format!("{number}: ")) else { break };
        let (ty, later) =
            this.split_once(&format!(", {}: ", number + 1)).map_or((this, ""), |(ty, _)| (ty, &this[ty.len() + 2..]));
        found.push(ty);
        rest = later;
    }
    found
}

/// Arguments that are held while they are passed.
pub(super) struct Args(Vec<Owned>);

impl Args {
    pub fn each_any(&self) -> Vec<TVMFFIAny> {
        self.0.iter().map(Owned::any).collect()
    }
}

/// A value that a parameter of that type takes.
fn accepted(t: &Trial, parameter: &str) -> Verdict<Owned> {
    let plain = |any| Ok(t.own(any));
    match parameter {
        "str" => t.string(b"text"),
        "bytes" => t.bytes(b"bytes"),
        "int" => plain(view::int(0)),
        "bool" => plain(view::bool(false)),
        "void*" => plain(view::pointer(std::ptr::dangling_mut())),
        "Any" | "AnyView" => plain(TVMFFIAny::NONE),
        _ if parameter.starts_with("Optional<") => plain(TVMFFIAny::NONE),
        _ if parameter.starts_with("Array<") => t.call_global("ffi.Array", &[]),
        _ if parameter.starts_with("List<") => t.call_global("ffi.List", &[]),
        _ if parameter.starts_with("Dict<") => t.call_global("ffi.Dict", &[]),
        // An object of that type, as far as its header says: the call is refused before anybody looks further.
        key => plain(Homemade::new(reflected::type_index(t, key)?, [0_u64; 12]).view()),
    }
}

/// Values that a parameter of that type does not take.
fn refused_by(parameter: &str) -> &'static [fn(&Trial) -> Owned] {
    const NONE: fn(&Trial) -> Owned = |t| t.own(TVMFFIAny::NONE);
    const INT: fn(&Trial) -> Owned = |t| t.own(view::int(1));
    const FLOAT: fn(&Trial) -> Owned = |t| t.own(view::float(1.5));
    const TEXT: fn(&Trial) -> Owned = |t| t.own(view::c_str(c"text"));
    const BYTES: fn(&Trial) -> Owned = |t| t.own(TVMFFIAny::new(kTVMFFISmallBytes, 0));
    const POINTER: fn(&Trial) -> Owned = |t| t.own(view::pointer(std::ptr::dangling_mut()));
    const ERROR: fn(&Trial) -> Owned = |t| t.own(Homemade::new(kTVMFFIError, [0_u64; 12]).view());
    match parameter {
        "Any" | "AnyView" => &[],
        "str" => &[INT, NONE, FLOAT, BYTES, POINTER, ERROR],
        "bytes" => &[INT, NONE, FLOAT, TEXT, POINTER, ERROR],
        "int" | "bool" => &[TEXT, NONE, FLOAT, BYTES, POINTER, ERROR],
        "void*" => &[INT, FLOAT, TEXT, BYTES, ERROR],
        // Each function with such a parameter decides for itself what None means.
        "ffi.Function" => &[INT, FLOAT, TEXT, BYTES, POINTER, ERROR],
        "ffi.Object" => &[INT, FLOAT, TEXT, BYTES, POINTER],
        _ if parameter.starts_with("Optional<") => &[TEXT, FLOAT, BYTES, POINTER, ERROR],
        _ => &[INT, NONE, FLOAT, TEXT, BYTES, POINTER, ERROR],
    }
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi;

    use super::*;

    #[test]
    fn numbers_are_told_from_those_of_a_signature() {
        let message = "Expected 2 but got 11: `ffi.f(0: Array<Tuple<int>>, 1: str) -> void`, not 3";
        assert_eq!(numbers_in(&without_signature(message, "ffi.f")), [2, 11, 3]);
        assert_eq!(numbers_in(&without_signature("ffi.f takes 1, not 2", "ffi.f")), [1, 2]);
        assert_eq!(numbers_in(&without_signature("argument 4", "ffi.f")), [4]);
    }

    #[test]
    fn signatures_are_taken_apart() {
        let parameters_of = |name| parameters(abi::abi().global(name).expect("in the table"));
        assert_eq!(parameters_of("ffi.GetRegisteredTypeKeys"), [""; 0]);
        assert_eq!(parameters_of("ffi.ArrayGetItem"), ["ffi.Array", "int"]);
        assert_eq!(parameters_of("ffi.DictSetItem"), ["Dict<Any, Any>", "Any", "Any"]);
        let tuples = "Array<Tuple<int, ffi.Function>>";
        assert_eq!(parameters_of("ffi.StructuralWalk"), ["AnyView", tuples, tuples, "int"]);
    }
}
