//! Where a function of the system library comes from, as its symbols are registered in any order.

use std::{
    collections::BTreeMap,
    ffi::{CString, c_void},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, callback::answer_number, modules::GET_FUNCTION, view},
    trial::Trial,
};

/// What is registered: the symbol without a prefix or that with one, and with which of the functions.
type Step = (&'static str, usize);

const STEPS: [Step; 4] = [("", 0), ("", 1), (PREFIX, 2), (PREFIX, 3)];
/// The prefix of one library, which that of another begins with.
const PREFIX: &str = "verify_follows_";
const SHORTER: &str = "verify_";
/// The rest of the prefix, with which names in the library of the shorter one begin.
const REST: &str = "follows_";

/// A function in a system library with a prefix is that of the symbol with the prefix where there is one and that without it otherwise, as
/// symbols are registered at the time: whatever the function was before, in whichever order they come, and however it was asked for meanwhile.
#[check(MOD_0034, MOD_0033, MOD_0051, MOD_0019)]
fn system_functions_follow_their_symbols(t: &Trial) -> Verdict {
    let system = |prefix: &str| t.call_global("ffi.SystemLib", &[t.string(prefix.as_bytes())?.any()]);
    let plain = t.call_global("ffi.SystemLib", &[])?;
    let modules = [("", plain), (PREFIX, system(PREFIX)?), (SHORTER, system(SHORTER)?), ("other_", system("other_")?)];
    let doors = [t.global(GET_FUNCTION)?, t.global("ffi.ModuleImplementsFunction")?];
    // How modules are asked between registrations: in every way, in one of them, or not at all.
    let ways: [&[(usize, bool)]; 6] = [
        &[(0, false), (0, true), (1, false), (1, true)],
        &[(0, false)],
        &[(0, true)],
        &[(1, false)],
        &[(1, true)],
        &[],
    ];
    let each_two = STEPS.iter().flat_map(|one| STEPS.map(|other| vec![*one, other]));
    let each_three = each_two.clone().flat_map(|two| STEPS.map(|third| [&two[..], &[third]].concat()));
    // Of three, some: each way to begin, and each to end.
    let each_three = each_three.step_by(3);
    for (number, steps) in each_two.chain(each_three).enumerate() {
        let name = format!("run{number}");
        // The function of each symbol.
        let mut symbols: BTreeMap<String, usize> = BTreeMap::new();
        let last = steps.len();
        for (at, &(prefix, function)) in steps.iter().enumerate() {
            ask(t, &modules, &doors, ways[number % ways.len()], &name, &symbols)?;
            let symbol = format!("{prefix}{name}");
            let registered = CString::new(format!("__tvm_ffi_{symbol}")).map_err(|error| t.error("a name", error))?;
            // To register it again may be refused.
            let call = FUNCTIONS[function] as *mut c_void;
            match t.api.TVMFFIEnvModRegisterSystemLibSymbol(registered.as_ptr(), call) {
                0 => drop(symbols.insert(symbol, function)),
                code if symbols.contains_key(&symbol) => drop(t.raises(code, &[])?),
                code => t.ok(code)?,
            }
            if at + 1 == last || number % 2 == 0 {
                ask(t, &modules, &doors, ways[0], &name, &symbols)?;
            }
        }
    }
    Ok(())
}

/// Asks each module for its function of the name, in these ways, and expects what the symbols say.
fn ask(
    t: &Trial,
    modules: &[(&str, Owned)],
    doors: &[Owned; 2],
    ways: &[(usize, bool)],
    name: &str,
    symbols: &BTreeMap<String, usize>,
) -> Verdict {
    for ((prefix, module), (door, imports)) in
        modules.iter().flat_map(|module| ways.iter().map(move |way| (module, way)))
    {
        // In the library of the shorter prefix, the symbol with the longer one has a longer name.
        let names =
            if *prefix == SHORTER { vec![name.to_owned(), format!("{REST}{name}")] } else { vec![name.to_owned()] };
        for name in names {
            let with_prefix = symbols.get(&format!("{prefix}{name}"));
            let expected = with_prefix.or_else(|| symbols.get(&name));
            let text = t.string(name.as_bytes())?;
            let answer = t.call(&doors[*door], &[module.any(), text.any(), view::bool(*imports)])?;
            let what = format!("{name} in the system library of the prefix {prefix:?}, where there are {symbols:?}");
            if *door == 1 {
                t.clause(id::MOD_0019);
                t.any_eq(format_args!("whether there is {what}"), &answer.any(), &view::bool(expected.is_some()))?;
                continue;
            }
            t.clause(if prefix.is_empty() { id::MOD_0033 } else { id::MOD_0034 });
            match expected {
                None => t.any_eq(&what, &answer.any(), &TVMFFIAny::NONE)?,
                Some(function) => {
                    t.type_index_eq(format_args!("type_index of {what}"), answer.any().type_index, kTVMFFIFunction)?;
                    t.answers(format_args!("the number of the function {what}"), &answer, &[], *function as i64)?;
                }
            }
        }
    }
    Ok(())
}

/// Functions that answer their places.
const FUNCTIONS: [TVMFFISafeCallType; 4] =
    [answer_number::<0>, answer_number::<1>, answer_number::<2>, answer_number::<3>];
