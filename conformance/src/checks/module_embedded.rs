//! Modules that come with a library, as bytes.
//!
//! The library is `blob.so`: what is embedded in it is written here, before the target loads it. The global function
//! `ffi.Module.load_from_bytes.verify` makes the modules: it answers the one whose number is the first byte.

use std::{
    ffi::{c_int, c_void},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use proptest::{collection, prelude::*, sample};
use tvm_ffi_spec::*;

use super::module::{LOAD, NO_FORMAT, expect_int, fails, imported_function, imports_of, load_module, path};
use crate::{
    checks::check,
    client::{Owned, Verdict, homemade, memory, text_of, view},
    target::library,
    trial::Trial,
};

/// The tree of imports is restored.
#[check(MOD_0054)]
fn tree(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    // The library imports 0 and 1, and 1 imports 2.
    embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1"), (KIND, b"2")], &[&[1, 2], &[], &[3], &[]]))?;
    let library = load_module(t, "blob.so")?;
    expect_handles(t, "imports of the library", &imports_of(t, &library)?, &[modules.handle(0), modules.handle(1)])?;
    expect_handles(t, "imports of the first", &imports_of(t, &modules.0[0])?, &[])?;
    expect_handles(t, "imports of the second", &imports_of(t, &modules.0[1])?, &[modules.handle(2)])?;
    expect_int(t, "sum, of the third", &t.call(&imported_function(t, &library, c"sum")?, &[view::int(3)])?, 3)
}

/// A module that two import is one.
#[check(MOD_0054)]
fn shared(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1"), (KIND, b"2")], &[&[2, 1], &[3], &[3], &[]]))?;
    let library = load_module(t, "blob.so")?;
    expect_handles(t, "imports of the library", &imports_of(t, &library)?, &[modules.handle(1), modules.handle(0)])?;
    for importer in &modules.0[..2] {
        expect_handles(t, "imports of an import", &imports_of(t, importer)?, &[modules.handle(2)])?;
    }
    t.eq("calls of the loader", seen().len(), 3)
}

/// The library may be an import.
#[check(MOD_0055)]
fn library_inside(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[(KIND, b"1"), LIB, (KIND, b"0")], &[&[1], &[2], &[]]))?;
    let first = load_module(t, "blob.so")?;
    t.eq("the module that is loaded", first.handle(), modules.handle(1))?;
    let found = imports_of(t, &first)?;
    t.eq("number of imports", found.len(), 1)?;
    let kind = t.call_global("ffi.ModuleGetKind", &[TVMFFIAny::new(kTVMFFIModule, found[0] as u64)])?;
    t.eq("kind of the import", t.text(&kind.any())?.as_slice(), b"library")?;
    // The function of the library itself, not of what it imports.
    expect_int(t, "context of the library, if it is NULL", &is_null(t, &imported_function(t, &first, c"context")?)?, 0)
}

/// The library may be left out.
#[check(MOD_0055)]
fn without_library(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[(KIND, b"0"), (KIND, b"1")], &[&[1], &[]]))?;
    let first = load_module(t, "blob.so")?;
    t.eq("the module that is loaded", first.handle(), modules.handle(0))?;
    expect_handles(t, "its imports", &imports_of(t, &first)?, &[modules.handle(1)])
}

/// The loader gets the bytes.
#[check(MOD_0056)]
fn bytes(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let long = [b"0".as_slice(), &[0xA5; 30_000]].concat();
    for bytes in [b"0".as_slice(), b"0\0\0", b"0123456", b"01234567", &long] {
        embed(t, &Blob::new(&[LIB, (KIND, bytes)], &[&[1], &[]]))?;
        load_module(t, "blob.so")?;
        let seen = seen().pop().unwrap_or_default();
        t.eq("number of bytes that the loader got", seen.len(), bytes.len())?;
        t.that("bytes that the loader got", seen == bytes, bytes.escape_ascii(), seen.escape_ascii())?;
    }
    Ok(())
}

/// The kind names the loader.
#[check(MOD_0056)]
fn kinds(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let loader = t.function(std::ptr::null_mut(), answer_numbered, Some(ignore))?;
    let long = format!("verify_{}", "long".repeat(100));
    for kind in ["verify.v2", "a kind in words", "k", long.as_str()] {
        let name = format!("ffi.Module.load_from_bytes.{kind}");
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), loader.handle(), 0))?;
        embed(t, &Blob::new(&[LIB, (kind, b"2")], &[&[1], &[]]))?;
        expect_handles(
            t,
            "imports of the library",
            &imports_of(t, &load_module(t, "blob.so")?)?,
            &[modules.handle(2)],
        )?;
    }
    Ok(())
}

/// A loader's error is passed on.
#[check(MOD_0057)]
fn loader_fails(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"error")], &[&[1, 2], &[], &[]]))?;
    let (loader, path) = (t.global(LOAD)?, path(t, "blob.so")?);
    let raised = fails(t, &loader, &[view::c_str(&path), NO_FORMAT], &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "these are no module's bytes")
}

/// What is no module is refused.
#[check(MOD_0058)]
fn no_module(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for bytes in [b"int".as_slice(), b"none"] {
        embed(t, &Blob::new(&[LIB, (KIND, bytes)], &[&[1], &[]]))?;
        refused(t)?;
    }
    Ok(())
}

/// A blob that is cut off is refused.
#[check(MOD_0059)]
fn cut_off(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]).content;
    t.property(0..=whole.len() - LAST.len() - 1, |&length| cut_off_at(t, &whole, length))
}

/// Bytes that are cut off are refused.
#[check(MOD_0060)]
fn cut_off_bytes(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]).content;
    (whole.len() - LAST.len()..whole.len()).try_for_each(|length| cut_off_at(t, &whole, length))
}

/// Expects that much of a blob to be refused. What follows is not to be read: as numbers it would be lengths that nothing
/// has.
fn cut_off_at(t: &Trial, whole: &[u8], length: usize) -> Verdict {
    embed(t, &Blob::of(whole[..length].to_vec()))?;
    refused(t).map_err(|failure| failure.noting(format!("{length} bytes of {}", whole.len())))
}

/// An empty blob is refused.
#[check(MOD_0059)]
fn empty(t: &Trial) -> Verdict {
    embed(t, &Blob::of(Vec::new()))?;
    refused(t)
}

/// Lengths without content are refused.
#[check(MOD_0060)]
fn too_long(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0")], &[&[1], &[]]);
    // All numbers are lengths but the three beginnings and the one import.
    let lengths = whole.numbers.iter().enumerate().filter(|(nth, _)| ![1, 2, 3, 5].contains(nth));
    for (_, &place) in lengths {
        // Not what could be had: a target that believed it would fill all memory there is.
        for length in [1 << 16, u64::MAX / 8 + 2, u64::MAX / 2, u64::MAX] {
            let mut content = whole.content.clone();
            content[place..place + 8].copy_from_slice(&u64::to_le_bytes(length));
            embed(t, &Blob::of(content))?;
            refused(t).map_err(|failure| failure.noting(format!("the length at byte {place} is {length:#x}")))?;
        }
    }
    Ok(())
}

/// Indices of no module are refused.
#[check(MOD_0060)]
fn no_such_module(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for index in [2, 100, 1 << 32, u64::MAX] {
        embed(t, &Blob::new(&[LIB, (KIND, b"0")], &[&[index], &[]]))?;
        refused(t).map_err(|failure| failure.noting(format!("an import is module {index} of two")))?;
    }
    for (first, last) in [(0, 2), (0, u64::MAX), (5, 9)] {
        embed(t, &Blob::with_beginnings(&[LIB, (KIND, b"0")], &[first, last, last], &[1]))?;
        refused(t).map_err(|failure| failure.noting(format!("imports {first} to {last} of one")))?;
    }
    Ok(())
}

/// A tree that runs backwards is refused.
#[check(MOD_0060)]
fn descending(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    embed(t, &Blob::with_beginnings(&[LIB, (KIND, b"0")], &[1, 0, 1], &[1]))?;
    refused(t)
}

/// A tree that is a circle is refused.
#[check(MOD_0060)]
fn circle(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1")], &[&[1], &[2], &[1]]))?;
    refused(t)?;
    embed(t, &Blob::new(&[LIB], &[&[0]]))?;
    refused(t)?;
    t.eq("modules that were prepared", modules.0.len(), 3)
}

/// Garbage is refused or loaded.
#[check(MOD_0060)]
fn garbage(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]);
    // In texts and bytes. Wrong lengths and trees have checks of their own: a random one is a circle, or one of gigabytes
    // that a trusting target fills all memory with, only now and then, and a check that breaks now and then helps nobody.
    let in_number = |place: &usize| whole.numbers.iter().any(|number| (*number..number + 8).contains(place));
    let places: Vec<_> = (0..whole.content.len()).filter(|place| !in_number(place)).collect();
    let changes = collection::vec((sample::select(places), any::<u8>()), 1..4);
    t.property(changes, |changes| {
        let mut content = whole.content.clone();
        changes.iter().for_each(|&(place, byte)| content[place] = byte);
        embed(t, &Blob::of(content))?;
        let (mut result, path) = (TVMFFIAny::NONE, path(t, "blob.so")?);
        match t.try_call(&t.global(LOAD)?, &[view::c_str(&path), NO_FORMAT], &mut result) {
            0 => t.eq("type_index of the module", t.own(result).any().type_index, kTVMFFIModule),
            code => t.raises(code, &[]).map(drop),
        }
    })
}

/// A refused library can be loaded.
#[check(MOD_0061)]
fn refused_then_right(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let right = Blob::new(&[LIB, (KIND, b"0")], &[&[1], &[]]);
    for _ in 0..3 {
        cut_off_at(t, &right.content, right.content.len() - 2)?;
        embed(t, &right)?;
        let library = load_module(t, "blob.so")?;
        expect_handles(t, "imports of the library", &imports_of(t, &library)?, &[modules.handle(0)])?;
    }
    Ok(())
}

/// A refused library keeps nothing.
#[check(MOD_0061)]
fn refused_keeps_nothing(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let counts = || modules.0.iter().map(|module| t.counts(module.handle())).collect::<Verdict<Vec<_>>>();
    let before = counts()?;
    for (last, children) in [(b"error".as_slice(), [1, 2]), (b"int", [1, 2])] {
        embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, last)], &[&children, &[], &[]]))?;
        refused(t)?;
        t.eq("counts of what the loader had made", counts()?, before.clone())?;
    }
    Ok(())
}

/// Embedded modules leave nothing behind.
#[check(MOD_0062, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let (loader, path) = (t.global(LOAD)?, path(t, "blob.so")?);
    let right = Blob::new(&[LIB, (KIND, b"2 and more than seven bytes")], &[&[1], &[]]);
    embed(t, &right)?;
    t.no_growth("memory for embedded modules", || {
        lock().seen.clear();
        t.call(&loader, &[view::c_str(&path), NO_FORMAT]).map(drop)
    })?;
    embed(t, &Blob::of(right.content[..right.content.len() - 40].to_vec()))?;
    t.no_growth("memory for embedded modules that are refused", || {
        lock().seen.clear();
        fails(t, &loader, &[view::c_str(&path), NO_FORMAT], &[]).map(drop)
    })
}

/// The kind that stands for the library itself, which has no bytes.
const LIB: (&str, &[u8]) = ("_lib", b"");
/// Bytes of a module at the end of a blob.
const LAST: &[u8] = b"1234567890";
/// The kind that the loader here is for.
const KIND: &str = "verify";

/// What is embedded: the bytes, and where in them there are numbers.
struct Blob {
    content: Vec<u8>,
    numbers: Vec<usize>,
}

impl Blob {
    /// A tree: modules with kind and bytes, and for each the numbers of those that it imports.
    fn new(modules: &[(&str, &[u8])], children: &[&[u64]]) -> Self {
        let mut beginnings = vec![0];
        for children in children {
            beginnings.push(beginnings[beginnings.len() - 1] + children.len() as u64);
        }
        Self::with_beginnings(modules, &beginnings, &children.concat())
    }

    /// The same, with the places in the list of imports where each module's begin.
    fn with_beginnings(modules: &[(&str, &[u8])], beginnings: &[u64], imports: &[u64]) -> Self {
        let mut blob = Self::of(Vec::new());
        for list in [beginnings, imports] {
            blob.number(list.len() as u64);
            list.iter().for_each(|&each| blob.number(each));
        }
        for (kind, bytes) in modules {
            blob.text(kind.as_bytes());
            if *kind != LIB.0 {
                blob.text(bytes);
            }
        }
        blob
    }

    /// Bytes of the caller's choice.
    fn of(content: Vec<u8>) -> Self {
        Self { content, numbers: Vec::new() }
    }

    fn number(&mut self, number: u64) {
        self.numbers.push(self.content.len());
        self.content.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.content.extend(text);
    }
}

/// Writes a blob into the library, and large numbers behind it.
fn embed(t: &Trial, blob: &Blob) -> Verdict {
    const ROOM: usize = 1 << 16;
    static PLACE: OnceLock<usize> = OnceLock::new();
    let bytes = [&(blob.content.len() as u64).to_le_bytes(), blob.content.as_slice()].concat();
    if bytes.len() > ROOM {
        return Err(t.error("a blob", "it is too long"));
    }
    let place = match PLACE.get() {
        Some(place) => *place,
        None => {
            let found = library::fixture_symbol(&t.fixtures.join("blob.so"), "__tvm_ffi__library_bin");
            *PLACE.get_or_init(|| found.map_or(0, |address| address as usize))
        }
    };
    let room = std::ptr::with_exposed_provenance_mut::<u8>(place);
    if room.is_null() || memory::read_bytes(room.cast(), ROOM).is_none() {
        return Err(t.error("the fixture blob.so", "it has no place for a blob"));
    }
    // SAFETY: the fixture's own array of that many bytes, which stays loaded; nobody reads it meanwhile.
    unsafe {
        room.write_bytes(0xFF, ROOM);
        room.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    Ok(())
}

/// Expects the library to be refused with an error.
fn refused(t: &Trial) -> Verdict {
    let (loader, path) = (t.global(LOAD)?, path(t, "blob.so")?);
    fails(t, &loader, &[view::c_str(&path), NO_FORMAT], &[]).map(drop)
}

fn expect_handles(t: &Trial, what: &str, got: &[TVMFFIObjectHandle], expected: &[TVMFFIObjectHandle]) -> Verdict {
    t.eq(what, got, expected)
}

/// 1 if a function answers NULL.
fn is_null(t: &Trial, function: &Owned) -> Verdict<Owned> {
    let null = t.call(function, &[])?.any().payload() == 0;
    Ok(t.own(view::int(null.into())))
}

/// What the loader has to offer, and the bytes that it was given.
struct Loader {
    modules: Vec<u64>,
    seen: Vec<Vec<u8>>,
    raise: Option<unsafe extern "C" fn(*const std::ffi::c_char, *const std::ffi::c_char)>,
}

static LOADER: Mutex<Loader> = Mutex::new(Loader { modules: Vec::new(), seen: Vec::new(), raise: None });

fn lock() -> MutexGuard<'static, Loader> {
    LOADER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn seen() -> Vec<Vec<u8>> {
    lock().seen.clone()
}

/// Three modules, which the registered loader answers by number.
struct Modules(Vec<Owned>);

impl Modules {
    fn prepare(t: &Trial) -> Verdict<Self> {
        let modules = ["provider_one.so", "provider_two.so", "functions.so"].map(|library| load_module(t, library));
        let modules: Vec<_> = modules.into_iter().collect::<Verdict<_>>()?;
        let handles = modules.iter().map(|module| module.handle() as u64).collect();
        let raise = t.api.table().TVMFFIErrorSetRaisedFromCStr;
        *lock() = Loader { modules: handles, seen: Vec::new(), raise };
        let loader = t.function(std::ptr::null_mut(), answer_numbered, Some(ignore))?;
        let name = TVMFFIByteArray::new(b"ffi.Module.load_from_bytes.verify");
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, loader.handle(), 0))?;
        Ok(Self(modules))
    }

    fn handle(&self, number: usize) -> TVMFFIObjectHandle {
        self.0[number].handle()
    }
}

/// The loader: the first byte is the number of a module, or something goes wrong.
unsafe extern "C" fn answer_numbered(
    _: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    let bytes = memory::read(args).filter(|_| count == 1).and_then(|any| text_of(&any)).unwrap_or_default();
    let mut loader = lock();
    loader.seen.push(bytes.clone());
    let number = bytes.first().map_or(usize::MAX, |byte| usize::from(byte.wrapping_sub(b'0')));
    let answer = match loader.modules.get(number) {
        Some(&module) => {
            homemade::retain(module as TVMFFIObjectHandle);
            TVMFFIAny::new(kTVMFFIModule, module)
        }
        None if bytes.starts_with(b"int") => view::int(7),
        None if bytes.starts_with(b"none") => TVMFFIAny::NONE,
        None => {
            if let Some(raise) = loader.raise {
                // SAFETY: a function of the ABI is given two C strings.
                unsafe { raise(c"ValueError".as_ptr(), c"these are no module's bytes".as_ptr()) };
            }
            return -1;
        }
    };
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = answer };
    0
}

/// A deleter of a function that has no state.
unsafe extern "C" fn ignore(_: *mut c_void) {}
