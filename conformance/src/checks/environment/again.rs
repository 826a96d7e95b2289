//! Calls that meet what is there already: names that an ancestor has, what is registered again, and what takes the place of another.

use std::{cell::Cell, ffi::c_void};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Verdict, callback,
        node::{get_any, set_any},
        types, view,
    },
    trial::Trial,
};

/// How a type comes to what another has: what is registered for which of them, and how often.
const MET: [(&str, &[usize]); 6] = [
    ("a child, of its parent's name", &[0, 1]),
    ("a grandchild, of its grandparent's name", &[0, 2]),
    ("a grandchild, of the name that both ancestors have", &[0, 1, 2]),
    ("a parent, of its child's name", &[1, 0]),
    ("a sibling, of its sibling's name", &[1, 3]),
    ("a type, for the second time", &[1, 1]),
];

/// Hands calls to a test that register for a type what its ancestors, its children, its siblings or itself have, and such as register anything
/// once more; what a call comes to is for other checks to say.
pub(super) fn each_call_again(t: &Trial, test: &dyn Fn(&str, &dyn Fn()) -> Verdict) -> Verdict {
    let function = t.function(std::ptr::null_mut(), callback::return_none, Some(callback::keep_self))?;
    let number = Cell::new(0);
    let family = || -> Verdict<[i32; 4]> {
        number.set(number.get() + 1);
        let key = |whose: &str| format!("verify.Again{whose}{}", number.get());
        let grandparent = types::new(t, &key("Grandparent"));
        let parent = types::new_child(t, &key("Parent"), grandparent)?;
        let child = types::new_child(t, &key("Child"), parent)?;
        Ok([grandparent, parent, child, types::new_child(t, &key("Sibling"), grandparent)?])
    };
    // An error that is raised by a call is given up: each call begins without one.
    let register = |what: &str, index: i32, round: usize| {
        let name = TVMFFIByteArray::new(b"met_again");
        let status = match what {
            "a field" => {
                let plain = types::field(b"met_again", kTVMFFIAny, size_of::<TVMFFIAny>() as i64, 24);
                let field = TVMFFIFieldInfo {
                    flags: kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault,
                    getter: Some(get_any),
                    setter: set_any as *mut c_void,
                    default_value_or_factory: view::int(round as i64),
                    ..plain
                };
                t.api.TVMFFITypeRegisterField(index, &field)
            }
            "a method" => {
                let flags = if round == 0 { 0 } else { kTVMFFIFieldFlagBitMaskIsStaticMethod };
                let method = TVMFFIMethodInfo { flags, ..types::method_info(name, function.any()) };
                t.api.TVMFFITypeRegisterMethod(index, &method)
            }
            "metadata" => t.api.TVMFFITypeRegisterMetadata(index, &types::metadata(40 + 8 * round as i32)),
            _ => {
                let name = TVMFFIByteArray::new(b"verify_met_again");
                t.api.TVMFFITypeRegisterAttr(index, &name, &view::int(round as i64))
            }
        };
        if status != 0 {
            t.api.release_raised();
        }
    };
    for (how, members) in MET {
        for what in ["a field", "a method", "metadata", "an attribute"] {
            let types = family()?;
            // Each step by itself, so that the one that changes something is told.
            for (round, member) in members.iter().enumerate() {
                let name = format!("registering {what} for {how} (step {round})");
                test(&name, &|| register(what, types[*member], round))?;
            }
            // And on types that are new each time the test calls.
            test(&format!("registering {what} for {how}"), &|| {
                let Ok(types) = family() else { return };
                members.iter().enumerate().for_each(|(round, member)| register(what, types[*member], round));
            })?;
        }
    }
    once_more(t, test)
}

/// Hands calls to a test that register what is registered, under the same name, with another value.
fn once_more(t: &Trial, test: &dyn Fn(&str, &dyn Fn()) -> Verdict) -> Verdict {
    let function = t.function(std::ptr::null_mut(), callback::return_none, Some(callback::keep_self))?;
    let other = t.function(std::ptr::null_mut(), callback::return_none, Some(callback::keep_self))?;
    let (name, key) = (TVMFFIByteArray::new(b"verify.once_more"), TVMFFIByteArray::new(b"verify.OnceMore"));
    // An index is no failure.
    let done = |status: i32| {
        if status < 0 {
            t.api.release_raised();
        }
    };
    for (which, function) in [("a function", &function), ("another function", &other), ("the same function", &other)] {
        for overrides in [0, 1] {
            test(&format!("TVMFFIFunctionSetGlobal of {which}, override: {overrides}"), &|| {
                done(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), overrides));
            })?;
            let info = types::method_info(name, function.any());
            test(&format!("TVMFFIFunctionSetGlobalFromMethodInfo of {which}, override: {overrides}"), &|| {
                done(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, overrides));
            })?;
        }
    }
    for how in ["of a key", "of a key once more"] {
        test(&format!("TVMFFITypeGetOrAllocIndex {how}"), &|| {
            done(t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 2, 1, kTVMFFIObject));
        })?;
    }
    let symbols = [callback::return_none as *mut c_void, callback::keep_self as *mut c_void];
    for (which, symbol) in ["a symbol", "another"].into_iter().zip(symbols) {
        test(&format!("TVMFFIEnvModRegisterSystemLibSymbol of {which}"), &|| {
            done(t.api.TVMFFIEnvModRegisterSystemLibSymbol(c"__tvm_ffi_verify_once_more".as_ptr(), symbol));
        })?;
        test(&format!("TVMFFIEnvModRegisterContextSymbol of {which}"), &|| {
            done(t.api.TVMFFIEnvModRegisterContextSymbol(c"verify_once_more".as_ptr(), symbol));
        })?;
    }
    Ok(())
}
