//! Modules that come with a library, as bytes: whatever the bytes are, the library is loaded or refused.

use std::{
    ffi::{CString, c_int, c_void},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    ptr::null_mut,
    sync::atomic::{AtomicU64, Ordering},
};

use bolero::TypeGenerator;
use tvm_ffi_fuzz::{made, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Client, homemade, modules},
    side_by_side,
    target::library,
};

/// What is embedded: modules with kinds and bytes, which import each other, and changes to the bytes of it all.
#[derive(Clone, Debug, TypeGenerator)]
struct Embedded {
    modules: Vec<(u8, Vec<u8>)>,
    imports: Vec<(u8, u8)>,
    changes: Vec<(u16, u8)>,
    cut: u8,
}

const KINDS: &[&str] = &["_lib", "fuzz", "fuzz", "no.such", ""];

impl Embedded {
    /// The bytes as the format has them: where each module's imports begin, the imports, and the modules.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        let mut imports = self.imports.clone();
        imports.sort_unstable();
        let count = self.modules.len() as u64;
        number(&mut bytes, count + 1);
        for module in 0..=count {
            let before = imports.iter().filter(|(from, _)| u64::from(*from) % count.max(1) < module).count();
            number(&mut bytes, before as u64);
        }
        number(&mut bytes, imports.len() as u64);
        imports.sort_unstable_by_key(|(from, _)| u64::from(*from) % count.max(1));
        // Mostly modules that come later, so that there is no circle.
        for (from, to) in &imports {
            let (from, to) = (u64::from(*from) % count.max(1), u64::from(*to));
            number(&mut bytes, if to < 200 { from + 1 + to % (count - from).max(1) } else { to - 200 });
        }
        for (kind, content) in &self.modules {
            let kind = KINDS[usize::from(*kind) % KINDS.len()];
            number(&mut bytes, kind.len() as u64);
            bytes.extend(kind.as_bytes());
            if kind != "_lib" {
                number(&mut bytes, content.len() as u64);
                bytes.extend(content);
            }
        }
        for (place, byte) in &self.changes {
            let len = bytes.len();
            bytes[usize::from(*place) % len] = *byte;
        }
        bytes.truncate(bytes.len() - if self.cut < 200 { 0 } else { usize::from(self.cut - 200) % bytes.len() });
        bytes
    }
}

/// A fixture, written where it can be loaded from.
fn fixture(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let (_, library) = tvm_ffi_fixtures::LIBRARIES.iter().find(|(file, _)| *file == name).expect("a fixture is there");
    let path = folder.path().join(name);
    std::fs::write(&path, library).expect("a fixture can be written");
    path
}

/// The module that the loader answers, whatever the bytes are.
static MODULE: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn answer_module(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let module = MODULE.load(Ordering::Relaxed);
    homemade::retain(module as TVMFFIObjectHandle);
    // SAFETY: the library passes where the result goes.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIModule, module)) };
    0
}

fn load(client: &Client, path: &CString) -> Result<(), String> {
    made(client.answer(modules::LOAD, &modules::load_args(path))).map(drop)
}

#[test]
fn embedded_bytes_are_modules_or_an_error() {
    const ROOM: usize = 1 << 16;
    let reference = side_by_side::reference();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| CString::new(fixture(&folder, name).as_os_str().as_bytes()).expect("a path has no NUL");
    let (blob, other) = (path("blob.so"), path("functions.so"));
    let module = reference.load_module(&other).expect("a module can be loaded");
    MODULE.store(module.handle() as u64, Ordering::Relaxed);
    let loader = reference.function(null_mut(), answer_module, None).expect("a function can be made");
    let name = TVMFFIByteArray::new(b"ffi.Module.load_from_bytes.fuzz");
    assert_eq!(reference.api.TVMFFIFunctionSetGlobal(&name, loader.handle(), 1), 0);
    let place = library::fixture_symbol(&folder.path().join("blob.so"), "__tvm_ffi__library_bin");
    let place = place.expect("the fixture has a place for bytes").cast_mut().cast::<u8>();
    target!().with_type::<(Embedded, Vec<u8>)>().for_each(|(embedded, bytes)| {
        for bytes in [embedded.bytes(), bytes.clone()] {
            let bytes = [(bytes.len() as u64).to_le_bytes().as_slice(), &bytes].concat();
            if bytes.len() <= ROOM {
                // SAFETY: the fixture's own array of that many bytes, which stays loaded; nobody reads it meanwhile.
                unsafe {
                    place.write_bytes(0xFF, ROOM);
                    place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
                }
                let before = reference.counts(module.handle()).ok();
                let _ = load(&reference, &blob);
                assert_eq!(reference.counts(module.handle()).ok(), before, "what was made is given up");
            }
        }
    });
}
