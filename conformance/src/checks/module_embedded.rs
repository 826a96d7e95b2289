//! Modules that come with a library, as bytes.
//!
//! The library is `blob.so`: what is embedded in it is written here, before the target loads it. The global function
//! `ffi.Module.load_from_bytes.verify` makes the modules: it answers the one whose number is the first byte.

use std::{
    ffi::{c_int, c_void},
    iter,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use proptest::{collection, prelude::any, sample};
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, TypeIndex, Verdict, homemade, memory,
        modules::{LOAD, load_args},
        text_of, view,
    },
    trial::Trial,
};

/// Modules embedded in a library are restored with the tree of their imports, in its order.
#[check(MOD_0054)]
fn tree(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    // The library imports 0 and 1, and 1 imports 2.
    let library =
        load_with(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1"), (KIND, b"2")], &[&[1, 2], &[], &[3], &[]]))?;
    expect_imports(t, "imports of the library", &library, &[modules.handle(0), modules.handle(1)])?;
    expect_imports(t, "imports of the first", &modules.0[0], &[])?;
    expect_imports(t, "imports of the second", &modules.0[1], &[modules.handle(2)])?;
    t.answers("sum, of the third", &t.imported_function(&library, c"sum")?, &[view::int(3)], 3)
}

/// Hundreds of embedded modules are restored with the tree of their imports, in its order.
#[check(MOD_0054)]
fn large_tree(t: &Trial) -> Verdict {
    const COUNT: usize = 300;
    let modules = Modules::prepare(t)?;
    let number = |place: usize| place * 7 % 3;
    let embedded: Vec<_> =
        iter::once(LIB).chain((0..COUNT).map(|place| (KIND, [b"0".as_slice(), b"1", b"2"][number(place)]))).collect();
    let all: Vec<u64> = (1..=COUNT as u64).collect();
    let children: Vec<&[u64]> = iter::once(all.as_slice()).chain(iter::repeat_n(&[][..], COUNT)).collect();
    let library = load_with(t, &Blob::new(&embedded, &children))?;
    let expected: Vec<_> = (0..COUNT).map(|place| modules.handle(number(place))).collect();
    t.eq("calls of the loader", seen().len(), COUNT)?;
    expect_imports(t, "imports of the library", &library, &expected)
}

/// An embedded module that several embedded modules import is made once.
#[check(MOD_0054)]
fn shared(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let library =
        load_with(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1"), (KIND, b"2")], &[&[2, 1], &[3], &[3], &[]]))?;
    expect_imports(t, "imports of the library", &library, &[modules.handle(1), modules.handle(0)])?;
    for importer in &modules.0[..2] {
        expect_imports(t, "imports of an import", importer, &[modules.handle(2)])?;
    }
    t.eq("calls of the loader", seen().len(), 3)
}

/// Loading a library answers the root of its embedded modules, also when that one imports the library itself.
#[check(MOD_0055)]
fn library_inside(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let first = load_with(t, &Blob::new(&[(KIND, b"1"), LIB, (KIND, b"0")], &[&[1], &[2], &[]]))?;
    t.eq("the module that is loaded", first.handle(), modules.handle(1))?;
    let found = t.imports_of(&first)?;
    t.eq("number of imports", found.len(), 1)?;
    t.ne("the import, which is the library", found[0], modules.handle(0))?;
    // The function of the library itself, not of what it imports.
    let context = t.call(&t.imported_function(&first, c"context")?, &[])?.any();
    t.ne("context of the library", context.payload(), 0)
}

/// Loading a library answers the root of its embedded modules when the library itself is not among them.
#[check(MOD_0055)]
fn without_library(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let first = load_with(t, &Blob::new(&[(KIND, b"0"), (KIND, b"1")], &[&[1], &[]]))?;
    t.eq("the module that is loaded", first.handle(), modules.handle(0))?;
    expect_imports(t, "imports of the first module", &first, &[modules.handle(1)])
}

/// The loader of an embedded module gets exactly the module's bytes.
#[check(MOD_0056)]
fn bytes(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let long = [b"0".as_slice(), &[0xA5; 30_000]].concat();
    for bytes in [b"0".as_slice(), b"0\0\0", b"0123456", b"01234567", &long] {
        load_with(t, &Blob::new(&[LIB, (KIND, bytes)], &[&[1], &[]]))?;
        let seen = seen().pop().unwrap_or_default();
        t.eq("number of bytes that the loader got", seen.len(), bytes.len())?;
        t.that("bytes that the loader got", seen == bytes, bytes.escape_ascii(), seen.escape_ascii())?;
    }
    Ok(())
}

/// The loader of an embedded module gets the bytes of the module as Bytes, however few they are and whatever they say.
#[check(MOD_0056)]
fn bytes_of_any_number_are_bytes(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for number in (1..=10).chain([16, 100]) {
        // The first of them is the number of a module.
        for rest in [b'a', 0] {
            let content: Vec<u8> = (0..number).map(|at| if at == 0 { b'0' } else { rest }).collect();
            load_with(t, &Blob::new(&[LIB, (KIND, &content)], &[&[1], &[]]))?;
            let (found, is_bytes) = (lock().type_index, [kTVMFFISmallBytes, kTVMFFIBytes]);
            let what = format!("type_index of the {number} bytes that the loader got");
            t.that(what, is_bytes.contains(&found), format_args!("one of {is_bytes:?}"), TypeIndex(found))?;
            t.eq("the bytes that the loader got", seen().pop(), Some(content))?;
        }
    }
    Ok(())
}

/// An embedded module without bytes that stands before others is made by its loader, which gets Bytes without content.
#[check(MOD_0056)]
fn no_bytes(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let (empty, other, third) = ((KIND, b"".as_slice()), (KIND, b"1".as_slice()), (KIND, b"2".as_slice()));
    let children: [&[u64]; 4] = [&[1, 2, 3], &[], &[], &[]];
    for embedded in [[LIB, empty, other, third], [LIB, other, empty, third], [LIB, empty, empty, third]] {
        lock().seen.clear();
        let library = load_with(t, &Blob::new(&embedded, &children))?;
        // In which order modules are made is open.
        let mut got = seen();
        let mut expected: Vec<_> = embedded[1..].iter().map(|(_, bytes)| bytes.to_vec()).collect();
        got.sort();
        expected.sort();
        t.eq("bytes that the loader got, in order", got, expected)?;
        let number = |bytes: &[u8]| bytes.first().map_or(0, |byte| usize::from(byte - b'0'));
        let imports: Vec<_> = embedded[1..].iter().map(|(_, bytes)| modules.handle(number(bytes))).collect();
        expect_imports(t, "imports of the library", &library, &imports)?;
    }
    lock().seen.clear();
    let root = load_with(t, &Blob::new(&[empty, other, LIB], &[&[1, 2], &[], &[]]))?;
    t.eq("the module that is loaded, which has no bytes", root.handle(), modules.handle(0))
}

/// An embedded module is made by the global function ffi.Module.load_from_bytes.KIND, whatever its kind.
#[check(MOD_0056)]
fn kinds(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let loader = t.function(std::ptr::null_mut(), answer_numbered, Some(ignore))?;
    let long = format!("verify_{}", "long".repeat(100));
    for kind in ["verify.v2", "a kind in words", "k", long.as_str()] {
        let name = format!("ffi.Module.load_from_bytes.{kind}");
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), loader.handle(), 0))?;
        let library = load_with(t, &Blob::new(&[LIB, (kind, b"2")], &[&[1], &[]]))?;
        expect_imports(t, "imports of the library", &library, &[modules.handle(2)])?;
    }
    Ok(())
}

/// An embedded module is made by the loader that is registered for its kind at the time, and is refused while there is none, also where kinds differ
/// in one letter and follow each other in one place in memory.
#[check(MOD_0056, MOD_0037)]
fn loaders_of_kinds_come_and_go(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let loader = t.function(std::ptr::null_mut(), answer_numbered, Some(ignore))?;
    for kind in ["k", "kind", "a_kind_of_some_length_and_more"].iter().flat_map(|kind| steps_of(kind)) {
        let name = format!("ffi.Module.load_from_bytes.{kind}");
        let blob = Blob::new(&[LIB, (&kind, b"2 of them")], &[&[1], &[]]);
        for round in 0..2 {
            t.clause(id::MOD_0037);
            refused(t, &blob).map_err(|failure| failure.noting(format!("the kind {kind} in round {round}")))?;
            t.clause(id::MOD_0056);
            t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), loader.handle(), 0))?;
            expect_imports(t, "imports of the library", &load_with(t, &blob)?, &[modules.handle(2)])?;
            if round == 0 {
                t.call_global("ffi.FunctionRemoveGlobal", &[t.string(name.as_bytes())?.any()])?;
            }
        }
    }
    Ok(())
}

/// A kind, and others of which each differs from the one before in one letter.
fn steps_of(kind: &str) -> Vec<String> {
    let (mut now, mut all) = (kind.as_bytes().to_vec(), vec![kind.to_owned()]);
    for at in [0, kind.len() / 2, kind.len() - 1] {
        now[at].make_ascii_uppercase();
        all.push(String::from_utf8_lossy(&now).into_owned());
    }
    all.dedup();
    all
}

/// Loading a library fails with an error when the loader of an embedded module fails.
#[check(MOD_0057)]
fn failing_loader(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for (modules, children) in
        [([LIB, (KIND, b"error"), (KIND, b"0")], [1, 2]), ([LIB, (KIND, b"0"), (KIND, b"error")], [1, 2])]
    {
        refused(t, &Blob::new(&modules, &[&children, &[], &[]]))?;
    }
    Ok(())
}

/// An error that the loader of an embedded module raises is the error of loading the library.
#[check(MOD_0081)]
fn loader_fails(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    embed(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, b"error")], &[&[1, 2], &[], &[]]))?;
    let raised = t.fails_to_load(&t.fixture("blob.so")?, &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "these are no module's bytes")
}

/// Loading a library fails when the loader of an embedded module answers something that is no module.
#[check(MOD_0058)]
fn no_module(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for bytes in [b"int".as_slice(), b"none"] {
        refused(t, &Blob::new(&[LIB, (KIND, bytes)], &[&[1], &[]]))?;
    }
    Ok(())
}

/// A library is refused when its embedded modules end anywhere before the bytes of the last one.
#[check(MOD_0059)]
fn cut_off(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]).content;
    t.property(0..=whole.len() - LAST.len() - 1, |&length| cut_off_at(t, &whole, length))
}

/// A library is refused when its embedded modules end within the bytes of the last one.
#[check(MOD_0060)]
fn cut_off_bytes(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]).content;
    (whole.len() - LAST.len()..whole.len()).try_for_each(|length| cut_off_at(t, &whole, length))
}

/// Expects that much of a blob to be refused. A target that reads on finds numbers that are lengths of nothing.
fn cut_off_at(t: &Trial, whole: &[u8], length: usize) -> Verdict {
    refused(t, &Blob::of(whole[..length].to_vec()))
        .map_err(|failure| failure.noting(format!("{length} bytes of {}", whole.len())))
}

/// A library is refused when the place for its embedded modules is empty.
#[check(MOD_0059)]
fn empty(t: &Trial) -> Verdict {
    refused(t, &Blob::of(Vec::new()))
}

/// A library is refused when a length among its embedded modules is more than there is.
#[check(MOD_0060)]
fn too_long(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0")], &[&[1], &[]]);
    // All numbers are lengths but the three beginnings and the one import.
    let lengths = whole.numbers.iter().enumerate().filter(|(nth, _)| ![1, 2, 3, 5].contains(nth));
    for (_, &place) in lengths {
        // No length that could be had: a target that believed it would fill all memory.
        for length in [1 << 16, u64::MAX / 8 + 2, u64::MAX / 2, u64::MAX] {
            let mut content = whole.content.clone();
            content[place..place + 8].copy_from_slice(&u64::to_le_bytes(length));
            refused(t, &Blob::of(content))
                .map_err(|failure| failure.noting(format!("the length at byte {place} is {length:#x}")))?;
        }
    }
    Ok(())
}

/// A library is refused when an embedded module imports a module that is not embedded.
#[check(MOD_0060)]
fn no_such_module(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    for index in [2, 100, 1 << 32, u64::MAX] {
        refused(t, &Blob::new(&[LIB, (KIND, b"0")], &[&[index], &[]]))
            .map_err(|failure| failure.noting(format!("an import is module {index} of two")))?;
    }
    Ok(())
}

/// A library is refused when the imports of an embedded module end beyond the list of imports.
#[check(MOD_0060)]
fn imports_beyond_the_list(t: &Trial) -> Verdict {
    const COUNT: usize = 100;
    let _modules = Modules::prepare(t)?;
    let embedded: Vec<_> = iter::once(LIB).chain(iter::repeat_n((KIND, b"0".as_slice()), COUNT - 1)).collect();
    let path = t.fixture("blob.so")?;
    t.short_backtraces();
    memory::keep();
    for (length, beyond) in (1..=16).flat_map(|length| [1, 4, u64::MAX - 100].map(|beyond| (length, beyond))) {
        let end = length as u64 + beyond;
        let beginnings: Vec<u64> = iter::once(0).chain(iter::repeat_n(end, COUNT)).collect();
        embed(t, &Blob::with_beginnings(&embedded, &beginnings, &vec![1; length]))?;
        // A target that reads on finds what was in that memory before. Now that is mostly the number of a module.
        litter(1);
        t.fails_to_load(&path, &[]).map_err(|failure| failure.noting(format!("the imports 0 to {end} of {length}")))?;
    }
    Ok(())
}

/// Leaves a number wherever the heap has room for a few words.
fn litter(number: u64) {
    let blocks: Vec<_> = (0..4_000).map(|block| vec![number; 3 + 2 * (block % 8)]).collect();
    drop(std::hint::black_box(blocks));
}

/// A library is refused when the tree of its embedded modules runs backwards.
#[check(MOD_0079)]
fn descending(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    refused(t, &Blob::with_beginnings(&[LIB, (KIND, b"0")], &[1, 0, 1], &[1]))
}

/// A library whose embedded modules import each other in a circle is refused, or searches in it end.
#[check(MOD_0080)]
fn circle(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let circles = [
        Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1")], &[&[1], &[2], &[1]]),
        Blob::new(&[LIB, (KIND, b"0"), (KIND, b"1")], &[&[1], &[2], &[0]]),
        Blob::new(&[LIB], &[&[0]]),
    ];
    let path = t.fixture("blob.so")?;
    for circle in circles {
        embed(t, &circle)?;
        let mut result = TVMFFIAny::NONE;
        match t.try_call(&t.global(LOAD)?, &load_args(&path), &mut result) {
            0 => {
                let library = t.own(result);
                t.lacks("a function that nobody has", &library, c"nobody", true)?;
                t.clear_imports(&library)?;
            }
            code => t.raises(code, &[]).map(drop)?,
        }
        modules.0.iter().try_for_each(|module| t.clear_imports(module))?;
    }
    Ok(())
}

/// A library is loaded or refused with an error when random bytes in the texts of its embedded modules change.
#[check(MOD_0060)]
fn garbage(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let whole = Blob::new(&[LIB, (KIND, b"0"), (KIND, LAST)], &[&[1, 2], &[], &[]]);
    // Only texts and bytes change. Wrong lengths and trees have checks of their own: a random number would make a circle,
    // or fill the memory of a trusting target, only now and then, and a check that fails now and then helps nobody.
    let in_number = |place: &usize| whole.numbers.iter().any(|number| (*number..number + 8).contains(place));
    let places: Vec<_> = (0..whole.content.len()).filter(|place| !in_number(place)).collect();
    let changes = collection::vec((sample::select(places), any::<u8>()), 1..4);
    t.property(changes, |changes| {
        let mut content = whole.content.clone();
        changes.iter().for_each(|&(place, byte)| content[place] = byte);
        embed(t, &Blob::of(content))?;
        let (mut result, path) = (TVMFFIAny::NONE, t.fixture("blob.so")?);
        match t.try_call(&t.global(LOAD)?, &load_args(&path), &mut result) {
            0 => t.type_index_eq("type_index of the module", t.own(result).any().type_index, kTVMFFIModule),
            code => t.raises(code, &[]).map(drop),
        }
    })
}

/// A library that was refused for its embedded modules can be loaded when they are in order.
#[check(MOD_0061)]
fn refused_then_right(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let right = Blob::new(&[LIB, (KIND, b"0")], &[&[1], &[]]);
    for _ in 0..3 {
        cut_off_at(t, &right.content, right.content.len() - 2)?;
        let library = load_with(t, &right)?;
        expect_imports(t, "imports of the library", &library, &[modules.handle(0)])?;
    }
    Ok(())
}

/// A library that is refused releases the embedded modules that were made before.
#[check(MOD_0061)]
fn refused_keeps_nothing(t: &Trial) -> Verdict {
    let modules = Modules::prepare(t)?;
    let counts = || modules.0.iter().map(|module| t.counts(module.handle())).collect::<Verdict<Vec<_>>>();
    let before = counts()?;
    for (last, children) in [(b"error".as_slice(), [1, 2]), (b"int", [1, 2])] {
        refused(t, &Blob::new(&[LIB, (KIND, b"0"), (KIND, last)], &[&children, &[], &[]]))?;
        t.eq("counts of what the loader had made", counts()?, before.clone())?;
    }
    Ok(())
}

/// Loading and refusing libraries with embedded modules leaves no memory behind.
#[check(MOD_0062, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let _modules = Modules::prepare(t)?;
    let (loader, path) = (t.global(LOAD)?, t.fixture("blob.so")?);
    let right = Blob::new(&[LIB, (KIND, b"2 and more than seven bytes")], &[&[1], &[]]);
    embed(t, &right)?;
    t.no_growth("memory for embedded modules", || {
        lock().seen.clear();
        t.call(&loader, &load_args(&path)).map(drop)
    })?;
    embed(t, &Blob::of(right.content[..right.content.len() - 40].to_vec()))?;
    t.no_growth("memory for embedded modules that are refused", || {
        lock().seen.clear();
        t.call_fails(&loader, &load_args(&path), &[]).map(drop)
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
            let found = t.fixture_symbol("blob.so", "__tvm_ffi__library_bin")?;
            *PLACE.get_or_init(|| found as usize)
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

/// Loads the library with a blob, which is expected to succeed.
fn load_with(t: &Trial, blob: &Blob) -> Verdict<Owned> {
    embed(t, blob)?;
    t.load("blob.so")
}

/// Expects the library to be refused with an error for a blob.
fn refused(t: &Trial, blob: &Blob) -> Verdict {
    embed(t, blob)?;
    t.fails_to_load(&t.fixture("blob.so")?, &[]).map(drop)
}

fn expect_imports(t: &Trial, what: &str, module: &Owned, expected: &[TVMFFIObjectHandle]) -> Verdict {
    t.eq(what, t.imports_of(module)?.as_slice(), expected)
}

/// Three modules, which the registered loader answers by number.
struct Modules(Vec<Owned>);

impl Modules {
    fn prepare(t: &Trial) -> Verdict<Self> {
        let modules = ["provider_one.so", "provider_two.so", "functions.so"].map(|library| t.load(library));
        let modules: Vec<_> = modules.into_iter().collect::<Verdict<_>>()?;
        let handles = modules.iter().map(|module| module.handle() as u64).collect();
        let raise = t.api.table().TVMFFIErrorSetRaisedFromCStr;
        *lock() = Loader { modules: handles, seen: Vec::new(), type_index: kTVMFFINone, raise };
        let loader = t.function(std::ptr::null_mut(), answer_numbered, Some(ignore))?;
        let name = TVMFFIByteArray::new(b"ffi.Module.load_from_bytes.verify");
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, loader.handle(), 0))?;
        Ok(Self(modules))
    }

    fn handle(&self, number: usize) -> TVMFFIObjectHandle {
        self.0[number].handle()
    }
}

/// What the loader has to offer, and the bytes that it was given.
struct Loader {
    modules: Vec<u64>,
    seen: Vec<Vec<u8>>,
    /// The type index of what it was given last.
    type_index: i32,
    raise: Option<unsafe extern "C" fn(*const std::ffi::c_char, *const std::ffi::c_char)>,
}

static LOADER: Mutex<Loader> =
    Mutex::new(Loader { modules: Vec::new(), seen: Vec::new(), type_index: kTVMFFINone, raise: None });

fn lock() -> MutexGuard<'static, Loader> {
    LOADER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn seen() -> Vec<Vec<u8>> {
    lock().seen.clone()
}

/// The loader: the first byte is the number of a module, or something goes wrong. No bytes stand for module 0, and what is no Bytes for none.
unsafe extern "C" fn answer_numbered(
    _: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    let arg = memory::read(args).filter(|_| count == 1);
    let given = arg.and_then(|any| text_of(&any));
    let without_bytes = if given.is_some() { 0 } else { usize::MAX };
    let bytes = given.unwrap_or_default();
    let mut loader = lock();
    loader.seen.push(bytes.clone());
    loader.type_index = arg.map_or(kTVMFFINone, |arg| arg.type_index);
    let number = bytes.first().map_or(without_bytes, |byte| usize::from(byte.wrapping_sub(b'0')));
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
