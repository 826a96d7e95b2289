//! Everything that a program can call: the exported functions and the global ones.

use std::sync::LazyLock;

use tvm_ffi_spec::abi::abi;

use super::{
    functions,
    verb::{Verb, Want},
};

/// Everything that a program can call.
pub fn all() -> &'static [Verb] {
    static ALL: LazyLock<Vec<Verb>> = LazyLock::new(|| {
        let globals = abi().globals.iter().map(|global| of_global(&global.name, &global.signature));
        globals.chain(functions::all()).collect()
    });
    &ALL
}

/// The verb of that name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> &'static Verb {
    all().iter().find(|verb| verb.name == name).unwrap_or_else(|| panic!("no verb is named {name}"))
}

fn of_global(name: &'static str, signature: &str) -> Verb {
    let any = || Want::Value("Any".to_owned());
    // The library looks types up that it is told of by their index, and takes it from there that they exist.
    let index = || Want::Number(&[64, 65, 68, 71, 77, 128, 129, 130, 131, 132, 133]);
    let (wants, more) = match name {
        // It calls what its pointers lead to.
        "ffi.FunctionFromExternC" => (vec![Want::Null, Want::Callee, Want::Null], None),
        "ffi.MakeObjectFromPackedArgs" => (vec![index()], Some(any())),
        "ffi.MakeFieldGetter" | "ffi._RegisterFFIInit" => (vec![index()], None),
        // The size is that of the instances.
        "ffi._PyClassRegisterTypeAttrColumns" => (vec![Want::Number(&[64]), Want::Number(&[24, 32])], None),
        _ if signature == "packed" => (Vec::new(), Some(any())),
        _ => (parameters(signature).into_iter().map(Want::Value).collect(), None),
    };
    let lasting =
        matches!(name, "ffi.FunctionRemoveGlobal" | "ffi._RegisterFFIInit" | "ffi._PyClassRegisterTypeAttrColumns");
    Verb { name, wants, more, function: None, lasting }
}

/// The types of `name(0: int, 1: Dict<Any, Any>) -> bool`.
fn parameters(signature: &str) -> Vec<String> {
    let inside =
        signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(") -> ")).map_or("", |(inside, _)| inside);
    let mut parameters: Vec<String> = Vec::new();
    for part in inside.split(", ") {
        match (part.split_once(": "), parameters.last_mut()) {
            (Some((_, ty)), _) => parameters.push(ty.to_owned()),
            // The rest of a type with a comma in it.
            (None, Some(last)) => *last = format!("{last}, {part}"),
            (None, None) => {}
        }
    }
    parameters
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi;

    use super::*;

    #[test]
    fn the_types_of_parameters_are_read_from_signatures() {
        assert_eq!(parameters("f(0: int, 1: Dict<Any, Any>, 2: str) -> bool"), ["int", "Dict<Any, Any>", "str"]);
        assert!(parameters("f() -> bool").is_empty());
    }

    #[test]
    fn every_exported_function_and_every_global_one_is_called() {
        let text = concat!(include_str!("functions.rs"), include_str!("machine.rs"));
        let missing = |function: &&abi::Function| !text.contains(&format!(".{}(", function.name));
        let missing: Vec<_> = abi().functions.iter().filter(missing).map(|function| &function.name).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(abi().globals.iter().all(|global| all().iter().any(|verb| verb.name == global.name)));
    }
}
