//! Modules that import modules.

use std::{ffi::CString, time::Duration};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{unloads, watched};
use crate::{
    checks::check,
    client::{Owned, Verdict, modules::IMPORT, view},
    trial::Trial,
};

/// Functions of an imported module are found when imports are asked for, and not otherwise.
#[check(MOD_0020)]
fn imports(t: &Trial) -> Verdict {
    let (one, two) = (t.load("provider_one.so")?, t.load("provider_two.so")?);
    t.lacks("only_two before the import", &one, c"only_two", true)?;
    t.import(&one, &two)?;
    t.lacks("only_two without imports", &one, c"only_two", false)?;
    t.answers("result of only_two", &t.imported_function(&one, c"only_two")?, &[], 12)?;
    t.lacks("only_one in the imported module", &two, c"only_one", true)
}

/// Functions of an import's imports are found when imports are asked for.
#[check(MOD_0020)]
fn imports_of_imports(t: &Trial) -> Verdict {
    let modules = ["imports.so", "functions.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = modules.into_iter().map(|name| t.load(name)).collect::<Verdict<_>>()?;
    for pair in modules.windows(2) {
        t.import(&pair[0], &pair[1])?;
    }
    t.answers("result of only_two", &t.imported_function(&modules[0], c"only_two")?, &[], 12)?;
    t.lacks("a function that nobody has", &modules[0], c"nobody", true)
}

/// A module's own function is found before an import's of the same name.
#[check(MOD_0021)]
fn own_function_first(t: &Trial) -> Verdict {
    let (one, two) = (t.load("provider_one.so")?, t.load("provider_two.so")?);
    t.import(&one, &two)?;
    t.answers("who of the module itself", &t.imported_function(&one, c"who")?, &[], 1)
}

/// Among imports of the same name, the function of an earlier one is found.
#[check(MOD_0078)]
fn order_of_imports(t: &Trial) -> Verdict {
    let (one, two) = (t.load("provider_one.so")?, t.load("provider_two.so")?);
    let host = t.load("imports.so")?;
    t.import(&host, &two)?;
    t.import(&host, &one)?;
    t.answers("who of the first import", &t.imported_function(&host, c"who")?, &[], 2)
}

/// A function is found at the end of a line of a hundred imports.
#[check(MOD_0045)]
fn long_line_of_imports(t: &Trial) -> Verdict {
    let first = t.load("imports.so")?;
    let mut last = t.load("empty.so")?;
    t.import(&first, &last)?;
    for _ in 0..100 {
        let next = t.load("empty.so")?;
        t.import(&last, &next)?;
        last = next;
    }
    t.import(&last, &t.load("provider_one.so")?)?;
    t.answers("who of the last module", &t.imported_function(&first, c"who")?, &[], 1)
}

/// A search through a line of many thousand imports ends on an ordinary thread, and so does giving the line up.
#[check(MOD_0082, patient = 2)]
fn endless_line_of_imports(t: &Trial) -> Verdict {
    const LENGTH: usize = 15_000;
    let (system, import) = (t.global("ffi.SystemLib")?, t.global(IMPORT)?);
    let (system, import) = (system.handle() as usize, import.handle() as usize);
    let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    t.api.note(&format!("ffi.SystemLib and {IMPORT} of {LENGTH} modules in a line"));
    let first = t.call_untraced(system, &[view::c_str(c"verify_line_")])?;
    let mut last = first;
    for number in 0..LENGTH {
        let prefix = CString::new(format!("verify_line_{number}_")).unwrap_or_default();
        let next = t.call_untraced(system, &[view::c_str(&prefix)])?;
        t.call_untraced(import, &[last, next])?;
        if number > 0 {
            // SAFETY: the reference that the last module was answered with; the one before it holds another.
            t.ok(unsafe { release(last.payload() as TVMFFIObjectHandle) })?;
        }
        last = next;
    }
    // SAFETY: as above.
    t.ok(unsafe { release(last.payload() as TVMFFIObjectHandle) })?;
    let first = first.payload();
    // A thread that is started here has a stack of two megabytes, a quarter of what the first thread has.
    t.threads(1, |t, _| {
        let first = t.own(TVMFFIAny::new(kTVMFFIModule, first));
        t.lacks("a function that nobody has", &first, c"nobody", true)?;
        t.clear_imports(&first)?;
        t.lacks("a function that nobody has, without the line", &first, c"nobody", true)
    })
}

/// A search for what is nowhere, or at the end, ends however many ways there are to each module, where the modules of each of many levels import all
/// modules of the next one.
#[check(MOD_0082, patient = 2)]
fn ladder_of_imports(t: &Trial) -> Verdict {
    for (levels, width) in [(24, 2), (60, 2), (30, 3), (24, 12)] {
        let root = t.load("imports.so")?;
        let last = ladder(t, &root, levels, width)?;
        t.import(&last[width - 1], &t.load("provider_two.so")?)?;
        t.import(&root, &t.load("provider_one.so")?)?;
        let what = format!("{levels} levels of {width} modules");
        // So that one which does not end is told soon.
        let searched = root.handle() as u64;
        t.comes_back_within(
            Duration::from_secs(1),
            &format!("a search for what nobody has in {what}"),
            move |client| {
                let args = [TVMFFIAny::new(kTVMFFIModule, searched), view::c_str(c"nobody"), view::bool(true)];
                client.answer("ffi.ModuleGetFunction", &args).is_ok()
            },
        )?;
        t.lacks(format_args!("a function that nobody has, in {what}"), &root, c"nobody", true)?;
        let answer = t.ask_module("ffi.ModuleImplementsFunction", &root, c"nobody", true)?;
        t.any_eq(format_args!("whether one in {what} has what nobody has"), &answer.any(), &view::bool(false))?;
        let call = t.function_of(&root, c"call_import")?;
        t.call_fails(&call, &[view::c_str(c"nobody")], &[])?;
        for (name, expected) in [(c"only_two", 12), (c"only_one", 11)] {
            t.answers(format_args!("{name:?} behind {what}"), &t.imported_function(&root, name)?, &[], expected)?;
            t.answers(format_args!("{name:?} behind {what}, looked up"), &call, &[view::c_str(name)], expected)?;
        }
        // What is imported is looked through for a circle.
        let importer = t.load("empty.so")?;
        t.import(&importer, &root)?;
        t.lacks(format_args!("a function that nobody has, above {what}"), &importer, c"nobody", true)?;
    }
    let described = t.load("described.so")?;
    ladder(t, &described, 30, 3)?;
    for question in ["ffi.ModuleGetFunctionDoc", "ffi.ModuleGetFunctionMetadata"] {
        let answer = t.ask_module(question, &described, c"nobody", true)?;
        t.any_eq(format_args!("answer of {question} about what nobody has"), &answer.any(), &TVMFFIAny::NONE)?;
        t.text(&t.ask_module(question, &described, c"described", true)?.any())?;
    }
    Ok(())
}

/// Has the module import a level of modules, each of which imports all those of the next level, and answers the last level.
fn ladder(t: &Trial, root: &Owned, levels: usize, width: usize) -> Verdict<Vec<Owned>> {
    let (system, import) = (t.global("ffi.SystemLib")?, t.global(IMPORT)?);
    let mut last: Vec<Owned> = Vec::new();
    // From the top on: a module that imports nothing yet is soon looked through for a circle.
    for level in 0..levels {
        let importers = if level == 0 { std::slice::from_ref(root) } else { &last[..] };
        let module = |place: usize| -> Verdict<Owned> {
            let prefix = t.string(format!("verify_ladder_{levels}_{width}_{level}_{place}_").as_bytes())?;
            let module = t.call(&system, &[prefix.any()])?;
            for importer in importers {
                t.call(&import, &[importer.any(), module.any()])?;
            }
            Ok(module)
        };
        let next = (0..width).map(module).collect::<Verdict<_>>()?;
        last = next;
    }
    Ok(last)
}

/// A module keeps the modules that it imports alive.
#[check(MOD_0022)]
fn imports_are_kept(t: &Trial) -> Verdict {
    let host = t.load("imports.so")?;
    let imported = watched(t)?;
    t.import(&host, &imported)?;
    drop(imported);
    t.eq("unloads while the module is imported", unloads(), 0)?;
    let increment = t.imported_function(&host, c"increment")?;
    drop(host);
    t.answers("result of increment", &increment, &[view::int(41)], 42)
}

/// ffi.ModuleClearImports takes a module's imports away, and they can be imported again.
#[check(MOD_0022)]
fn clear_imports(t: &Trial) -> Verdict {
    let (one, two) = (t.load("provider_one.so")?, t.load("provider_two.so")?);
    t.import(&one, &two)?;
    t.clear_imports(&one)?;
    t.lacks("only_two afterwards", &one, c"only_two", true)?;
    t.answers("who of the module itself", &t.function_of(&one, c"who")?, &[], 1)?;
    t.import(&one, &two)?;
    t.answers("only_two after another import", &t.imported_function(&one, c"only_two")?, &[], 12)
}

/// An import that closes a circle fails with an error, or functions are looked for in the circle and the search ends.
#[check(MOD_0023)]
fn circular_import(t: &Trial) -> Verdict {
    let names = ["imports.so", "provider_one.so", "provider_two.so"];
    let modules: Vec<Owned> = names.into_iter().map(|name| t.load(name)).collect::<Verdict<_>>()?;
    t.import(&modules[0], &modules[1])?;
    t.import(&modules[1], &modules[2])?;
    let import_function = t.global(IMPORT)?;
    for (importer, imported) in [(0, 0), (1, 0), (2, 0), (2, 1)] {
        let mut result = TVMFFIAny::NONE;
        let args = [modules[importer].any(), modules[imported].any()];
        match t.try_call(&import_function, &args, &mut result) {
            0 => drop(t.own(result)),
            code => t
                .raises(code, &[])
                .map(drop)
                .map_err(|failure| failure.noting(format!("{} imports {}", names[importer], names[imported])))?,
        }
        modules.iter().try_for_each(|module| t.lacks("a function that nobody has", module, c"nobody", true))?;
        t.answers("who of the second module", &t.imported_function(&modules[1], c"who")?, &[], 1)?;
    }
    Ok(())
}

/// A module may be imported along several ways.
#[check(MOD_0045)]
fn shared_import(t: &Trial) -> Verdict {
    let [root, left, right] = ["imports.so", "functions.so", "described.so"].map(|library| t.load(library));
    let (root, left, right, shared) = (root?, left?, right?, t.load("provider_two.so")?);
    for (importer, imported) in [(&root, &left), (&root, &right), (&left, &shared), (&right, &shared), (&root, &shared)]
    {
        t.import(importer, imported)?;
    }
    t.answers("who of the shared module", &t.imported_function(&root, c"who")?, &[], 2)?;
    t.eq("imports of the shared module", t.imports_of(&shared)?, vec![])
}

/// The field imports_ of a module is an Array of its imports in the order in which they were imported.
#[check(MOD_0043)]
fn imports_are_listed(t: &Trial) -> Verdict {
    let module = t.load("imports.so")?;
    t.eq("imports of a new module", t.imports_of(&module)?, vec![])?;
    let mut imported = Vec::new();
    for library in ["provider_two.so", "functions.so", "provider_one.so"] {
        imported.push(t.load(library)?);
        t.import(&module, &imported[imported.len() - 1])?;
        t.eq("imports of the module", t.imports_of(&module)?, imported.iter().map(Owned::handle).collect())?;
    }
    Ok(())
}

/// A module that imports hundreds of modules lists them all, and functions of the last one are found.
#[check(MOD_0043, MOD_0020)]
fn hundreds_of_imports(t: &Trial) -> Verdict {
    let (host, system) = (t.load("imports.so")?, t.global("ffi.SystemLib")?);
    let mut imported = Vec::new();
    for number in 0..300 {
        let prefix = t.string(format!("verify_wide_{number}_").as_bytes())?;
        imported.push(t.call(&system, &[prefix.any()])?);
        t.import(&host, &imported[number])?;
    }
    imported.push(t.load("provider_two.so")?);
    t.import(&host, &imported[300])?;
    t.eq("imports of the module", t.imports_of(&host)?, imported.iter().map(Owned::handle).collect())?;
    t.clause(id::MOD_0020);
    t.answers("only_two of the last import", &t.imported_function(&host, c"only_two")?, &[], 12)
}

/// An Array of imports that was read before does not change when imports come and go, however many there are.
#[check(MOD_0044)]
fn imports_are_a_snapshot(t: &Trial) -> Verdict {
    let (module, system) = (t.load("imports.so")?, t.global("ffi.SystemLib")?);
    let (mut imported, mut read) = (Vec::new(), Vec::new());
    for number in 0..20 {
        read.push((t.imports_array(&module)?, imported.clone()));
        if number == 12 {
            t.clear_imports(&module)?;
            imported.clear();
            read.push((t.imports_array(&module)?, vec![]));
        }
        let prefix = t.string(format!("verify_snapshot_{number}_").as_bytes())?;
        let next = t.call(&system, &[prefix.any()])?;
        t.import(&module, &next)?;
        imported.push(next.handle());
        for (array, modules) in &read {
            let what = format!("{} imports that were read before another came", modules.len());
            t.eq(what, t.modules_in(array)?, modules.clone())?;
        }
    }
    t.eq("imports of the module", t.imports_of(&module)?, imported.clone())?;
    read.push((t.imports_array(&module)?, imported));
    t.clear_imports(&module)?;
    for (array, modules) in &read {
        let what = format!("{} imports that were read before all were given up", modules.len());
        t.eq(what, t.modules_in(array)?, modules.clone())?;
    }
    t.eq("imports of the module", t.imports_of(&module)?, vec![])
}
