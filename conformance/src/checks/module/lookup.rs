//! The context of a library, from which its functions look up those of imports.

use std::{
    ffi::{CStr, CString, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use tvm_ffi_spec::*;

use super::kit::{answer_count, context_of, unloads, watched};
use crate::{
    checks::check,
    client::{Owned, Verdict, memory, view},
    trial::Trial,
};

/// A library gets a context when it is loaded, which TVMFFIEnvModLookupFromImports takes.
#[check(MOD_0024)]
fn library_context(t: &Trial) -> Verdict {
    let module = t.load("library_ctx.so")?;
    let context = context_of(t, &module)?;
    t.type_index_eq("type_index of the context", context.type_index, kTVMFFIOpaquePtr)?;
    t.ne("context", context.payload(), 0)?;
    let provider = t.load("provider_one.so")?;
    t.import(&module, &provider)?;
    let mut found = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvModLookupFromImports(context.payload() as *mut c_void, c"who".as_ptr(), &mut found))?;
    t.type_index_eq("type_index of the function", t.header(found)?.type_index, kTVMFFIFunction)
}

/// The context of a library that is loaded again, while its module lives or when that has ended, leads to a module that lives: what the new module
/// imports is looked up through it.
#[check(MOD_0024)]
fn context_of_a_library_loaded_again(t: &Trial) -> Verdict {
    for is_open in [false, true] {
        if is_open {
            // The library itself stays in the process from now on, whatever becomes of its modules.
            t.fixture_symbol("imports.so", "__tvm_ffi__library_ctx")?;
        }
        for overlap in [false, true] {
            let mut former: Option<Owned> = None;
            for round in 0..5 {
                let (library, name, expected) =
                    [("provider_one.so", c"only_one", 11), ("provider_two.so", c"only_two", 12)][round % 2];
                if !overlap {
                    former = None;
                }
                let module = t.load("imports.so")?;
                drop(former);
                // Where a module lay that has ended, something else lies now.
                memory::use_again();
                t.import(&module, &t.load(library)?)?;
                let what = format!(
                    "{name:?}, looked up after load {round}, {} the module before had ended{}",
                    if overlap { "before" } else { "after" },
                    if is_open { ", of a library that somebody else keeps open" } else { "" }
                );
                t.answers(what, &t.function_of(&module, c"call_import")?, &[view::c_str(name)], expected)?;
                former = Some(module);
            }
        }
    }
    Ok(())
}

/// A function of a module that looks up imports comes back, with an answer or an error, when other modules of its library have ended, in whichever
/// order, and finds nothing that modules of other libraries alone import.
#[check(MOD_0012)]
fn lookup_when_another_module_has_ended(t: &Trial) -> Verdict {
    /// In each step, how many modules are loaded, and which of those that live ends then.
    const ORDERS: [&[(usize, usize)]; 8] = [
        &[(2, 1)],
        &[(2, 0)],
        &[(3, 2), (0, 1)],
        &[(3, 1), (0, 1)],
        &[(2, 1), (1, 0)],
        &[(2, 1), (1, 1)],
        &[(2, 0), (1, 1)],
        &[(3, 2), (1, 2), (1, 0)],
    ];
    for first_ends in [false, true] {
        let (one, other) = (importer(t, &["provider_one.so"])?, importer(t, &["provider_one.so"])?);
        let (ends, stays) = if first_ends { (one, other) } else { (other, one) };
        let call = t.function_of(&stays, c"call_import")?;
        drop(ends);
        // Where the module lay that has ended, something else lies now.
        memory::use_again();
        for name in [c"only_one", c"nobody"] {
            // A library has one context for all its modules, so that what is found is open.
            drop(t.answer_of(call.handle(), &[view::c_str(name)])?);
        }
        t.answers("result of the module's own function", &t.function_of(&stays, c"own")?, &[], 100)?;
    }
    let far = t.load("provider_two.so")?;
    for order in ORDERS {
        let (mut living, mut others) = (Vec::new(), Vec::new());
        for &(loads, ends) in order {
            for _ in 0..loads {
                living.push(importer(t, &["provider_one.so"])?);
            }
            drop(living.remove(ends));
            // Where the module lay that has ended, one of another library may lie now.
            for _ in 0..8 {
                let other = t.load("empty.so")?;
                t.import(&other, &far)?;
                others.push(other);
            }
            for module in &living {
                let call = t.function_of(module, c"call_import")?;
                t.call_fails(&call, &[view::c_str(c"only_two")], &[])?;
                if let Ok(found) = t.answer_of(call.handle(), &[view::c_str(c"only_one")])? {
                    t.any_eq(format_args!("only_one, of loads and ends {order:?}"), &found.any(), &view::int(11))?;
                }
                t.answers("result of the module's own function", &t.function_of(module, c"own")?, &[], 100)?;
            }
        }
    }
    Ok(())
}

/// The context of a library is the address one pointer before the handle of its module.
#[check(MOD_0053)]
fn context_address(t: &Trial) -> Verdict {
    let module = t.load("library_ctx.so")?;
    let context = context_of(t, &module)?;
    let expected = module.handle().wrapping_byte_sub(size_of::<*const c_void>());
    t.any_eq("context of the library", &context, &view::pointer(expected))
}

/// TVMFFIEnvModLookupFromImports finds functions of the modules that the library's module imports.
#[check(MOD_0025)]
fn lookup(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so", "provider_two.so", "functions.so"])?;
    let call = t.function_of(&host, c"call_import")?;
    for (name, expected) in [(c"only_two", 12), (c"only_one", 11), (c"main", 7)] {
        t.answers(format!("result of {name:?}"), &call, &[view::c_str(name)], expected)?;
    }
    // Two of them have a function of this name.
    let who = t.call(&call, &[view::c_str(c"who")])?.any();
    let is_one = [1, 2].iter().any(|&number| who.to_bytes() == view::int(number).to_bytes());
    t.that("result of who", is_one, "1 or 2", who.payload())?;
    let args = [view::c_str(c"sum"), view::int(20), view::int(22)];
    t.answers("result of sum", &call, &args, 42)
}

/// TVMFFIEnvModLookupFromImports finds a function of an import's import.
#[check(MOD_0025)]
fn lookup_in_nested_import(t: &Trial) -> Verdict {
    let host = t.load("imports.so")?;
    let one = t.load("provider_one.so")?;
    t.import(&one, &t.load("provider_two.so")?)?;
    t.import(&host, &one)?;
    let call = t.function_of(&host, c"call_import")?;
    t.answers("result of only_two", &call, &[view::c_str(c"only_two")], 12)
}

/// TVMFFIEnvModLookupFromImports finds a function that was imported after it was asked for in vain.
#[check(MOD_0025)]
fn lookup_after_a_miss(t: &Trial) -> Verdict {
    let host = t.load("imports.so")?;
    let call = t.function_of(&host, c"call_import")?;
    t.call_fails(&call, &[view::c_str(c"who")], &[])?;
    t.import(&host, &t.load("provider_two.so")?)?;
    t.answers("result of who", &call, &[view::c_str(c"who")], 2)
}

/// TVMFFIEnvModLookupFromImports finds a global function that was registered after it was asked for in vain.
#[check(MOD_0026)]
fn lookup_global_after_a_miss(t: &Trial) -> Verdict {
    let host = t.load("imports.so")?;
    let call = t.function_of(&host, c"call_import")?;
    t.call_fails(&call, &[view::c_str(c"verify.later")], &[])?;
    drop(global_count(t, "verify.later")?);
    t.answers("result of the global", &call, &[view::c_str(c"verify.later")], 0)
}

/// TVMFFIEnvModLookupFromImports finds a global function when no import has its name.
#[check(MOD_0026)]
fn lookup_global(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so"])?;
    drop(global_count(t, "verify.count")?);
    let call = t.function_of(&host, c"call_import")?;
    for _ in 0..2 {
        let args = [view::c_str(c"verify.count"), view::int(1), view::int(2)];
        t.answers("result of the global", &call, &args, 2)?;
    }
    Ok(())
}

/// TVMFFIEnvModLookupFromImports finds an import's function before a global one of the same name.
#[check(MOD_0026)]
fn lookup_prefers_imports(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so"])?;
    let _global = global_count(t, "who")?;
    let call = t.function_of(&host, c"call_import")?;
    t.answers("result of who", &call, &[view::c_str(c"who")], 1)
}

/// TVMFFIEnvModLookupFromImports finds the function of an import's import before a global one of the same name, wherever it stands.
#[check(MOD_0026)]
fn lookup_prefers_nested_imports(t: &Trial) -> Verdict {
    let _global = global_count(t, "only_two")?;
    for in_front in [&[][..], &["library_ctx.so"]] {
        for between in [&["provider_one.so"][..], &["functions.so", "provider_one.so"]] {
            let mut import = t.load("provider_two.so")?;
            for library in between {
                let around = t.load(library)?;
                t.import(&around, &import)?;
                import = around;
            }
            let host = importer(t, in_front)?;
            t.import(&host, &import)?;
            let call = t.function_of(&host, c"call_import")?;
            let what = format!("result of what lies behind {between:?}, with {in_front:?} imported before");
            t.answers(what, &call, &[view::c_str(c"only_two")], 12)?;
        }
    }
    Ok(())
}

/// TVMFFIEnvModLookupFromImports fails with an error for a name that neither an import nor a global has.
#[check(MOD_0027)]
fn lookup_missing(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so"])?;
    let call = t.function_of(&host, c"call_import")?;
    for _ in 0..2 {
        t.call_fails(&call, &[view::c_str(c"nobody")], &[])?;
    }
    t.answers("result of who after that", &call, &[view::c_str(c"who")], 1)
}

/// TVMFFIEnvModLookupFromImports answers -1 for a name that neither an import nor a global has.
#[check(MOD_0027)]
fn lookup_missing_is_minus_one(t: &Trial) -> Verdict {
    let module = t.load("library_ctx.so")?;
    let (context, mut found) = (context_of(t, &module)?.payload(), std::ptr::null_mut());
    let code = t.api.TVMFFIEnvModLookupFromImports(context as *mut c_void, c"nobody".as_ptr(), &mut found);
    t.raises(code, &[])?;
    t.eq("return value", code, -1)
}

/// TVMFFIEnvModLookupFromImports fails with an error when the name is NULL.
#[check(MOD_0047)]
fn lookup_of_null_name(t: &Trial) -> Verdict {
    let module = t.load("library_ctx.so")?;
    let context = context_of(t, &module)?.payload();
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(context as *mut c_void, std::ptr::null(), &mut found);
    t.raises(code, &[]).map(drop)
}

/// TVMFFIEnvModLookupFromImports fails with an error when the context is NULL.
#[check(MOD_0047)]
fn lookup_in_null_context(t: &Trial) -> Verdict {
    let mut found = std::ptr::null_mut();
    let code = t.api.TVMFFIEnvModLookupFromImports(std::ptr::null_mut(), c"who".as_ptr(), &mut found);
    t.raises(code, &[]).map(drop)
}

/// TVMFFIEnvModLookupFromImports takes no further reference to a function that it finds again.
#[check(MOD_0028)]
fn lookup_is_borrowed(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so"])?;
    let _global = global_count(t, "verify.count")?;
    let find = t.function_of(&host, c"find_import")?;
    for name in [c"who", c"verify.count"] {
        let first = t.call(&find, &[view::c_str(name)])?.any();
        let handle = first.payload() as TVMFFIObjectHandle;
        t.type_index_eq("type_index of the function", t.header(handle)?.type_index, kTVMFFIFunction)?;
        let counts = t.counts(handle)?;
        for _ in 0..20 {
            t.any_eq("function found again", &t.call(&find, &[view::c_str(name)])?.any(), &first)?;
        }
        t.eq(format_args!("strong and weak count of {name:?} after 20 more lookups"), t.counts(handle)?, counts)?;
    }
    Ok(())
}

/// A function that TVMFFIEnvModLookupFromImports has found can be called when the imports are taken away.
#[check(MOD_0046)]
fn lookup_outlives_imports(t: &Trial) -> Verdict {
    let (module, provider) = (t.load("imports.so")?, t.load("provider_one.so")?);
    t.import(&module, &provider)?;
    drop(provider);
    let found = t.call_of(&module, c"find_import", &[view::c_str(c"who")])?.any();
    t.clear_imports(&module)?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(found.payload() as TVMFFIObjectHandle, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq("who of what was imported", &result, &view::int(1))
}

/// Functions that TVMFFIEnvModLookupFromImports has found can be called however often modules are imported, functions looked up and the imports
/// taken away after that, and however often the global ones among them are replaced or removed.
#[check(MOD_0046)]
fn lookups_outlive_each_clearing(t: &Trial) -> Verdict {
    static ENDS: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn note_end(_: *mut c_void) {
        ENDS.fetch_add(1, Ordering::SeqCst);
    }
    /// What is imported, and what is looked up then.
    const ROUNDS: [(&[&str], &[&CStr]); 7] = [
        (&["provider_one.so", "farewell.so"], &[c"who", c"only_one", c"increment"]),
        (&["provider_two.so", "provider_one.so"], &[c"only_two", c"who"]),
        (&["functions.so"], &[c"main"]),
        (&[], &[]),
        (&["provider_one.so"], &[c"who"]),
        (&["functions.so", "provider_two.so"], &[c"only_two", c"count_arguments"]),
        (&["provider_two.so"], &[c"who"]),
    ];
    let (module, args) = (t.load("imports.so")?, [view::int(41)]);
    let find = t.function_of(&module, c"find_import")?;
    let call = |function: TVMFFIObjectHandle| -> Verdict<TVMFFIAny> {
        let mut result = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), 1, &mut result))?;
        Ok(result)
    };
    let all_live = |found: &[(String, TVMFFIObjectHandle, TVMFFIAny)], when: &str| -> Verdict {
        t.eq(format_args!("ends of global functions that were looked up, {when}"), ENDS.load(Ordering::SeqCst), 0)?;
        t.eq(format_args!("unloads of what a function was looked up in, {when}"), unloads(), 0)?;
        found.iter().try_for_each(|(what, function, first)| {
            t.any_eq(format_args!("result of {what}, {when}"), &call(*function)?, first)
        })
    };
    let mut found = Vec::new();
    for (round, (imports, names)) in ROUNDS.into_iter().enumerate() {
        for &library in imports {
            let import = if library == "farewell.so" { watched(t)? } else { t.load(library)? };
            t.import(&module, &import)?;
        }
        let global = CString::new(format!("verify.looked_up_{round}")).unwrap_or_default();
        let register = |override_| -> Verdict {
            // Whoever looks it up is the only one to hold it, once it is replaced or removed.
            let function = t.function(std::ptr::null_mut(), answer_count, Some(note_end))?;
            let name = TVMFFIByteArray::new(global.to_bytes());
            t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), override_))
        };
        register(0)?;
        for name in names.iter().copied().chain([global.as_c_str()]) {
            let function = t.call(&find, &[view::c_str(name)])?.any().payload() as TVMFFIObjectHandle;
            found.push((format!("{name:?} of round {round}"), function, call(function)?));
            all_live(&found, &format!("after {name:?} was looked up in round {round}"))?;
        }
        if round % 2 == 0 {
            t.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(&global)])?;
        } else {
            register(1)?;
        }
        all_live(&found, &format!("after {global:?} was replaced or removed"))?;
        for _ in 0..1 + round % 2 {
            t.clear_imports(&module)?;
            all_live(&found, &format!("after the imports were taken away in round {round}"))?;
        }
    }
    Ok(())
}

/// Threads look functions up from imports at once, and each gets functions that can be called.
#[check(MOD_0029, patient = 2)]
fn lookup_on_threads(t: &Trial) -> Verdict {
    let host = importer(t, &["provider_one.so", "provider_two.so", "functions.so"])?;
    let find = t.function_of(&host, c"find_import")?;
    let find = find.any().payload();
    t.threads(4, |t, _| {
        for _ in 0..50 {
            for (name, expected) in [(c"main", 7), (c"only_one", 11), (c"only_two", 12)] {
                let (mut args, mut found) = ([view::c_str(name)], TVMFFIAny::NONE);
                t.ok(t.api.TVMFFIFunctionCall(find as TVMFFIObjectHandle, args.as_mut_ptr(), 1, &mut found))?;
                let (found, mut result) = (found.payload() as TVMFFIObjectHandle, TVMFFIAny::NONE);
                t.ok(t.api.TVMFFIFunctionCall(found, std::ptr::null_mut(), 0, &mut result))?;
                t.any_eq(format_args!("result of {name:?}"), &result, &view::int(expected))?;
            }
        }
        Ok(())
    })
}

/// Threads that look the same functions up for the first time at once, from imports and global ones, each get one that can be called when all
/// threads have theirs.
///
/// Whether all get the same one is open, as long as the module keeps each.
#[check(MOD_0029, patient = 2)]
fn first_lookups_at_once(t: &Trial) -> Verdict {
    const ROUNDS: usize = 30;
    const NAMES: [(&CStr, i64); 4] = [(c"main", 7), (c"only_one", 11), (c"only_two", 12), (c"verify.at-once", 0)];
    t.clear_what_is_reclaimed();
    let _global = global_count(t, "verify.at-once")?;
    let providers = [t.load("provider_one.so")?, t.load("provider_two.so")?, t.load("functions.so")?];
    let lookup = t.api.bare("TVMFFIEnvModLookupFromImports", |table| table.TVMFFIEnvModLookupFromImports);
    for round in 0..ROUNDS {
        let threads = 2 + round % 3;
        let module = t.load("library_ctx.so")?;
        providers.iter().try_for_each(|provider| t.import(&module, provider))?;
        let context = context_of(t, &module)?.payload() as usize;
        let (come, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        t.api.note(&format!("TVMFFIEnvModLookupFromImports of each of {NAMES:?} on {threads} threads"));
        t.threads(threads, |_, _| {
            for (place, (name, _)) in NAMES.iter().enumerate() {
                come.fetch_add(1, Ordering::SeqCst);
                // All begin within a moment that is shorter than what it takes to wake up.
                let mut waited = 0;
                while come.load(Ordering::SeqCst) < (place + 1) * threads {
                    waited += 1;
                    if waited < 2000 { std::hint::spin_loop() } else { thread::yield_now() }
                }
                let mut function = std::ptr::null_mut();
                // SAFETY: a call as the header asks for, with the context of a module that lives.
                let code = unsafe { lookup(context as *mut c_void, name.as_ptr(), &mut function) };
                // Judged later: who fails here would keep the others waiting.
                found.lock().unwrap_or_else(PoisonError::into_inner).push((place, code, function as usize));
            }
            Ok(())
        })?;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        t.eq("lookups", found.len(), threads * NAMES.len())?;
        for (place, code, function) in found {
            let (name, expected) = NAMES[place];
            let function = function as TVMFFIObjectHandle;
            let what = format!("{name:?}, which {threads} threads looked up at once");
            t.eq(format_args!("status of looking up {what}"), code, 0)?;
            t.type_index_eq(format_args!("type_index of {what}"), t.header(function)?.type_index, kTVMFFIFunction)?;
            t.that(format_args!("strong count of {what}"), t.counts(function)?.0 > 0, "more than 0", 0)?;
            let mut result = TVMFFIAny::NONE;
            t.ok(t.api.TVMFFIFunctionCall(function, std::ptr::null_mut(), 0, &mut result))?;
            t.any_eq(format_args!("result of {what}"), &result, &view::int(expected))?;
        }
    }
    Ok(())
}

/// The module of `imports.so`, which imports these libraries.
fn importer(t: &Trial, libraries: &[&str]) -> Verdict<Owned> {
    let importer = t.load("imports.so")?;
    libraries.iter().try_for_each(|library| t.import(&importer, &t.load(library)?))?;
    Ok(importer)
}

/// A global function that answers the number of its arguments.
fn global_count(t: &Trial, name: &str) -> Verdict<Owned> {
    let function = t.function(std::ptr::null_mut(), answer_count, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), 0))?;
    Ok(function)
}
