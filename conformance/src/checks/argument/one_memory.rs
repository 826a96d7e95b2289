//! Texts that a client puts into one place in memory, one after the other, and lends out: each is what stands there at the time of the call.

use std::ffi::c_char;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        one_memory::{LENGTHS, OneMemory, pairs, steps},
        view,
    },
    trial::Trial,
};

/// Texts of several lengths, short and long ones of one length, and such as another begins with.
const TEXTS: [&[u8]; 10] = [
    b"",
    b"one",
    b"two",
    b"eight_by",
    b"layers.8.bias",
    b"layers.9.bias",
    b"layers.10.bias",
    b"layers.9.attention.bias",
    b"layers.10.attention.weight",
    b"layers.10.attention.weight of the first",
];

/// What becomes of the text that stands in a place: the clause that says so, what takes the text, and what that has made of it.
type Door = (&'static str, &'static str, fn(&Trial, &mut OneMemory, &[u8]) -> Verdict<Vec<u8>>);

/// A text that stands in the place in memory where another stood at the call before is taken for what it says then, whatever takes it: what
/// makes owned values, Strings, Bytes, elements, values or errors, and the reader of JSON.
#[check(ANY_0012, ANY_0014, STR_0008, ARR_0007, MAP_0002, ERR_0004, ERR_0010, ERR_0011, JSN_0005)]
fn texts_in_one_memory(t: &Trial) -> Verdict {
    let doors: [Door; 10] = [
        (id::ANY_0012, "an owned value of a C string", |t, memory, text| {
            owned(t, &memory.borrowed(kTVMFFIRawStr, text))
        }),
        (id::ANY_0014, "an owned value of a byte array", |t, memory, text| {
            owned(t, &memory.borrowed(kTVMFFIByteArrayPtr, text))
        }),
        (id::STR_0008, "a String", |t, memory, text| {
            let mut out = TVMFFIAny::NONE;
            t.ok(t.api.TVMFFIStringFromByteArray(memory.put(text), &mut out))?;
            t.text(&t.own(out).any())
        }),
        (id::STR_0008, "Bytes", |t, memory, text| {
            let mut out = TVMFFIAny::NONE;
            t.ok(t.api.TVMFFIBytesFromByteArray(memory.put(text), &mut out))?;
            t.text(&t.own(out).any())
        }),
        (id::ARR_0007, "an element of an Array, of a C string", |t, memory, text| {
            element(t, "ffi.Array", memory.borrowed(kTVMFFIRawStr, text))
        }),
        (id::ARR_0007, "an element of an Array, of a byte array", |t, memory, text| {
            element(t, "ffi.Array", memory.borrowed(kTVMFFIByteArrayPtr, text))
        }),
        (id::MAP_0002, "a value of a Map", |t, memory, text| {
            let map = t.call_global("ffi.Map", &[view::int(1), memory.borrowed(kTVMFFIRawStr, text)])?;
            t.text(&t.call_global("ffi.MapGetItem", &[map.any(), view::int(1)])?.any())
        }),
        (id::ERR_0004, "kind, message and backtrace of an Error", |t, memory, text| {
            let (array, mut error) = (memory.put(text), std::ptr::null_mut());
            t.ok(t.api.TVMFFIErrorCreate(array, array, array, &mut error))?;
            let error = t.own_object("the new error", error)?;
            let [kind, message, backtrace]: [TVMFFIByteArray; 3] = t.cell("the texts of an Error", error.handle())?;
            let kind = t.read_array("kind", kind)?;
            t.eq("message of an Error whose texts are one", t.read_array("message", message)?, kind.clone())?;
            t.eq("backtrace of an Error whose texts are one", t.read_array("backtrace", backtrace)?, kind.clone())?;
            Ok(kind)
        }),
        (id::ERR_0010, "kind and message of an error that is raised from C strings", |t, memory, text| {
            let text: *const c_char = memory.put(text).data;
            t.api.TVMFFIErrorSetRaisedFromCStr(text, text);
            raised(t)
        }),
        (id::ERR_0011, "kind and message of an error that is raised from parts", |t, memory, text| {
            let text: *const c_char = memory.put(text).data;
            t.api.TVMFFIErrorSetRaisedFromCStrParts(text, &mut { text }, 1);
            raised(t)
        }),
    ];
    each_is_taken(t, &doors)?;
    let Some(parse) = globals::find(t, "ffi.json.Parse")? else { return Ok(()) };
    t.clause(id::JSN_0005);
    let mut memory = OneMemory::new();
    for text in in_turn() {
        let json = [b"\"", &text[..], b"\""].concat();
        let read = t.call(&parse, &[memory.borrowed(kTVMFFIRawStr, &json)])?;
        t.eq("the string that ffi.json.Parse has read", t.text(&read.any())?, text)?;
    }
    Ok(())
}

/// A text that stands in the place in memory where another stood at the call before is kept by a List and a Dict as what it says then.
#[check(LST_0001, DCT_0019)]
fn kept_from_one_memory(t: &Trial) -> Verdict {
    let doors: [Door; 4] = [
        (id::LST_0001, "an element of a List, of a C string", |t, memory, text| {
            element(t, "ffi.List", memory.borrowed(kTVMFFIRawStr, text))
        }),
        (id::LST_0001, "an element of a List, of a byte array", |t, memory, text| {
            element(t, "ffi.List", memory.borrowed(kTVMFFIByteArrayPtr, text))
        }),
        (id::DCT_0019, "a key of a Dict", |t, memory, text| {
            let dict = t.call_global("ffi.Dict", &[memory.borrowed(kTVMFFIRawStr, text), view::int(1)])?;
            let entry = t.map(dict.handle())?.entries.first().copied();
            t.text(&entry.map_or(TVMFFIAny::NONE, |(key, _)| key))
        }),
        (id::DCT_0019, "a value of a Dict", |t, memory, text| {
            let dict = t.call_global("ffi.Dict", &[view::int(1), memory.borrowed(kTVMFFIRawStr, text)])?;
            t.text(&t.call_global("ffi.DictGetItem", &[dict.any(), view::int(1)])?.any())
        }),
    ];
    each_is_taken(t, &doors)
}

/// A name of a data type that stands in the place in memory where another stood at the call before is read as the data type that it names.
#[check(DTY_0001, DTY_0008)]
fn names_of_data_types_in_one_memory(t: &Trial) -> Verdict {
    let small = |code, lanes| DLDataType { code, bits: 8, lanes };
    let names: [(&[u8], DLDataType); 6] = [
        (b"int8", DLDataType { code: kDLInt, bits: 8, lanes: 1 }),
        (b"uint8", DLDataType { code: kDLUInt, bits: 8, lanes: 1 }),
        (b"float32", DLDataType { code: kDLFloat, bits: 32, lanes: 1 }),
        (b"float64", DLDataType { code: kDLFloat, bits: 64, lanes: 1 }),
        (b"float8_e4m3fn", small(kDLFloat8_e4m3fn, 1)),
        (b"float8_e4m3b11fnuz", small(kDLFloat8_e4m3b11fnuz, 1)),
    ];
    let mut memory = OneMemory::new();
    for at in pairs(names.len()).flatten() {
        let ((name, expected), mut read) = (names[at], small(0, 0));
        t.clause(if expected.code < kDLFloat8_e3m4 { id::DTY_0001 } else { id::DTY_0008 });
        t.ok(t.api.TVMFFIDataTypeFromString(memory.put(name), &mut read))?;
        t.eq(format_args!("data type of `{}`", name.escape_ascii()), read, expected)?;
    }
    Ok(())
}

/// Each two of the texts, in either order, and then such as differ from the one before in a single byte.
fn in_turn() -> impl Iterator<Item = Vec<u8>> {
    let each_two = pairs(TEXTS.len()).flatten().map(|at| TEXTS[at].to_vec());
    each_two.chain(LENGTHS.into_iter().flat_map(steps))
}

/// Expects each text, one after the other in one place, to be taken for what it is.
fn each_is_taken(t: &Trial, doors: &[Door]) -> Verdict {
    for &(clause, what, door) in doors {
        let mut memory = OneMemory::new();
        for text in in_turn() {
            t.clause(clause);
            t.eq(what, door(t, &mut memory, &text)?, text)?;
        }
    }
    Ok(())
}

/// The text of an owned value of what is lent.
fn owned(t: &Trial, lent: &TVMFFIAny) -> Verdict<Vec<u8>> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(lent, &mut out))?;
    // Never given back: the values that come after it are made while it lives.
    t.text(&t.own(out).into_any())
}

/// The text of the element that a function has made a sequence of.
fn element(t: &Trial, make: &str, lent: TVMFFIAny) -> Verdict<Vec<u8>> {
    let sequence: Owned = t.call_global(make, &[view::int(1), lent])?;
    let item = t.sequence(sequence.handle())?.items.get(1).copied();
    t.text(&item.unwrap_or(TVMFFIAny::NONE))
}

/// The kind of the raised error, which is expected to be its message, too.
fn raised(t: &Trial) -> Verdict<Vec<u8>> {
    let raised = t.take_raised().ok_or_else(|| t.failure("the raised error", "an Error object", "NULL"))?;
    t.eq("message of an error whose texts are one", &raised.message, &raised.kind)?;
    Ok(raised.kind.into_bytes())
}
