//! Modules: loaded, asked for functions, with and without imports.

use std::{
    ffi::{CStr, CString, c_void},
    fs,
    hint::black_box,
    os::unix::ffi::OsStrExt,
};

use tempfile::TempDir;
use tvm_ffi_fixtures::LIBRARIES;
use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{
    Owned,
    modules::{GET_FUNCTION, IMPORT, LOAD, load_args},
    view,
};

use super::operation::Area;
use crate::{
    library::{Library, handle},
    task::Task,
};

pub fn area() -> Area {
    let mut area = Area::new("modules");
    area.one("load and unload", |lib| {
        let (lib, load, file) = (*lib, lib.function(LOAD), File::new("functions.so"));
        let path = file.path.clone();
        Task::making(&lib, "ffi.Module", move || lib.call(load, &load_args(&path))).keeping(file)
    });
    area.one("function of a module", |lib| {
        let module = Loaded::new(lib, "functions.so");
        find(lib, module.module.any(), c"main", false).keeping(module)
    });
    area.one("function of the fourth import", |lib| {
        let importer = Loaded::new(lib, "imports.so");
        let names = ["empty.so", "provider_one.so", "described.so", "functions.so"];
        let imports = names.map(|name| {
            let import = Loaded::new(lib, name);
            lib.end(lib.call_global(IMPORT, &[importer.module.any(), import.module.any()]));
            import
        });
        find(lib, importer.module.any(), c"count_arguments", true).keeping((importer, imports))
    });
    area.one("function that no import has", |lib| {
        let (importer, import) = (Loaded::new(lib, "imports.so"), Loaded::new(lib, "functions.so"));
        lib.end(lib.call_global(IMPORT, &[importer.module.any(), import.module.any()]));
        let args = [importer.module.any(), view::c_str(c"a_name_that_is_nowhere"), view::bool(true)];
        let (lib, get) = (*lib, lib.function(GET_FUNCTION));
        Task::making(&lib, "None", move || lib.call(get, &args)).keeping((importer, import))
    });
    area.one("call of a module's function", |lib| {
        let module = Loaded::new(lib, "functions.so");
        let (lib, function) = (*lib, module.function(lib, c"main"));
        Task::making(&lib, "7", move || lib.call(function.handle(), &[])).keeping(module)
    });
    area.one("look-up from a module's code", |lib| {
        let (importer, import) = (Loaded::new(lib, "library_ctx.so"), Loaded::new(lib, "functions.so"));
        lib.end(lib.call_global(IMPORT, &[importer.module.any(), import.module.any()]));
        let lib = *lib;
        let context = handle(&importer.call(&lib, c"context"));
        let look_up = move || {
            let mut found = std::ptr::null_mut::<c_void>();
            lib.ok(lib.TVMFFIEnvModLookupFromImports(black_box(context), c"sum".as_ptr(), &mut found));
            found
        };
        assert!(!look_up().is_null(), "the import has the function");
        let step = move || {
            black_box(look_up());
        };
        Task::new("found", step).keeping((importer, import))
    });
    area
}

fn find(lib: &Library, module: TVMFFIAny, name: &'static CStr, imports: bool) -> Task {
    let (lib, get) = (*lib, lib.function(GET_FUNCTION));
    let args = [module, view::c_str(name), view::bool(imports)];
    Task::making(&lib, "ffi.Function", move || lib.call(get, &args))
}

/// A library of the fixtures in a folder of its own, so that no two libraries under test share it.
struct File {
    path: CString,
    _folder: TempDir,
}

impl File {
    fn new(name: &str) -> Self {
        let (_, content) = LIBRARIES.iter().find(|(other, _)| *other == name).expect("the fixture exists");
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join(name);
        fs::write(&path, content).expect("the fixture can be written");
        let path = CString::new(path.as_os_str().as_bytes()).expect("a path has no NUL");
        Self { path, _folder: folder }
    }
}

/// A module and the file that it came from.
struct Loaded {
    module: Owned,
    _file: File,
}

impl Loaded {
    fn new(lib: &Library, name: &str) -> Self {
        let file = File::new(name);
        Self { module: lib.own(lib.call_global(LOAD, &load_args(&file.path))), _file: file }
    }

    fn function(&self, lib: &Library, name: &CStr) -> Owned {
        let args = [self.module.any(), view::c_str(name), view::bool(false)];
        lib.own(lib.call_global(GET_FUNCTION, &args))
    }

    /// What a function of the module answers.
    fn call(&self, lib: &Library, name: &CStr) -> TVMFFIAny {
        lib.call(self.function(lib, name).handle(), &[])
    }
}
