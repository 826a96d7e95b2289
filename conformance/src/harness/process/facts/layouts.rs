//! How structs lie in a target's memory, measured: a library that was stripped says nothing of them, and what is put in is found
//! again.
//!
//! What is not found is left out: a function that the library wraps has another address in its cell.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::*;

use super::marks::{Layout, Samples, found, leads_to};
use crate::client::{
    Client, Owned, Verdict,
    callback::{keep_self, raise_self, return_none},
    header, memory, reflected, types, view,
};

/// Measures a struct.
type Measure = fn(&Client) -> Verdict<Layout>;

/// The structs that can be measured.
pub const STRUCTS: &[(&str, Measure)] = &[
    ("TVMFFIObject", object),
    ("TVMFFIAny", any),
    ("TVMFFIByteArray", string),
    ("TVMFFIShapeCell", shape),
    ("TVMFFISeqCell", array),
    ("ListObj", list),
    ("MapObj", map),
    ("DictObj", dict),
    ("TVMFFIErrorCell", error),
    ("TVMFFIFunctionCell", function),
    ("TVMFFIOpaqueObjectCell", opaque),
    ("DLTensor", tensor),
    ("TVMFFITypeInfo", |client| records(client).map(|records| records.info)),
    ("TVMFFIFieldInfo", |client| records(client).map(|records| records.field)),
    ("TVMFFIMethodInfo", |client| records(client).map(|records| records.method)),
    ("TVMFFITypeMetadata", |client| records(client).map(|records| records.metadata)),
    ("TVMFFITypeAttrColumn", column),
];

/// Numbers that lie nowhere by chance.
const MARKS: [u64; 2] = [0x1357_9BDF_0246_8ACE, 0x2468_ACE0_1357_9BDF];

fn object(client: &Client) -> Verdict<Layout> {
    let objects = [client.new_error("Kind", "message", "")?, client.opaque(MARKS[0] as *mut c_void, keep_self)?];
    let handles = objects.each_ref().map(Owned::handle);
    let samples = Samples::of(&handles);
    let type_index = samples.halves(&[kTVMFFIError, kTVMFFIOpaquePyObject]);
    let before = handles.map(counts_at);
    for handle in handles {
        client.ok(client.api.TVMFFIObjectIncRef(handle))?;
    }
    let after = handles.map(counts_at);
    handles.iter().for_each(|handle| client.api.release(*handle));
    let grew = |place: &usize| (0..2).all(|which| after[which][*place] == before[which][*place].wrapping_add(1));
    let count = (0..before[0].len().min(before[1].len())).find(grew).map(|place| 4 * place as u64);
    Ok(found([(header::name_of("combined_ref_count"), count), ("type_index", type_index)]))
}

/// The first words of an object, among which its count is.
fn counts_at(object: TVMFFIObjectHandle) -> Vec<u32> {
    memory::read(object.cast_const().cast::<[u32; 6]>()).map(Vec::from).unwrap_or_default()
}

fn any(client: &Client) -> Verdict<Layout> {
    const UNTOUCHED: u8 = 0xA5;
    let owned = |mark: u64| -> Verdict<[u8; 64]> {
        let mut room = [UNTOUCHED; 64];
        let out = room.as_mut_ptr().cast::<TVMFFIAny>();
        client.ok(client.api.TVMFFIAnyViewToOwnedAny(&view::int(mark as i64), out))?;
        Ok(room)
    };
    let rooms = [owned(MARKS[0])?, owned(MARKS[1])?];
    let samples = Samples::at(&rooms.each_ref().map(|room| room.as_ptr().cast()));
    let written = rooms.iter().filter_map(|room| room.iter().rposition(|byte| *byte != UNTOUCHED)).max();
    Ok(found([
        ("type_index", samples.halves(&[kTVMFFIInt; 2])),
        ("v_int64", samples.words(&MARKS)),
        ("sizeof(TVMFFIAny)", written.map(|last| last as u64 + 1)),
    ]))
}

fn string(client: &Client) -> Verdict<Layout> {
    let texts: [&[u8]; 2] = [b"a text that is put into a String, to be found", b"another text, of another length"];
    let strings = [client.string(texts[0])?, client.string(texts[1])?];
    let samples = Samples::of(&strings.each_ref().map(Owned::handle));
    let sizes = texts.map(|text| text.len() as u64);
    Ok(found([("data", samples.lead_to(&texts)), ("size", samples.words(&sizes))]))
}

fn shape(client: &Client) -> Verdict<Layout> {
    let extents: [&[i64]; 2] = [&[0x1234_5678, 2, 3, 4, 5], &[0x2345_6789, 9, 8, 7, 6, 5, 4]];
    let make = |extents: &[i64]| {
        client.call_global("ffi.Shape", &extents.iter().map(|extent| view::int(*extent)).collect::<Vec<_>>())
    };
    let shapes = [make(extents[0])?, make(extents[1])?];
    let samples = Samples::of(&shapes.each_ref().map(Owned::handle));
    let bytes = extents.map(|extents| extents.iter().flat_map(|extent| extent.to_ne_bytes()).collect::<Vec<_>>());
    let data = samples.lead_to(&bytes.each_ref().map(Vec::as_slice));
    Ok(found([("data", data), ("size", samples.words(&extents.map(|extents| extents.len() as u64)))]))
}

fn array(client: &Client) -> Verdict<Layout> {
    sequence(client, "ffi.Array")
}

fn list(client: &Client) -> Verdict<Layout> {
    sequence(client, "ffi.List")
}

fn sequence(client: &Client, maker: &str) -> Verdict<Layout> {
    let items = [vec![0x1234_5671_i64; 5], vec![0x2345_6782; 7]];
    let make =
        |items: &[i64]| client.call_global(maker, &items.iter().map(|item| view::int(*item)).collect::<Vec<_>>());
    let sequences = [make(&items[0])?, make(&items[1])?];
    let samples = Samples::of(&sequences.each_ref().map(Owned::handle));
    let cells =
        items.each_ref().map(|items| items.iter().flat_map(|item| view::int(*item).to_bytes()).collect::<Vec<_>>());
    let data = samples.lead_to(&cells.each_ref().map(Vec::as_slice));
    Ok(found([("data", data), ("size", samples.words(&items.each_ref().map(|items| items.len() as u64)))]))
}

fn map(client: &Client) -> Verdict<Layout> {
    entries(client, "ffi.Map")
}

fn dict(client: &Client) -> Verdict<Layout> {
    entries(client, "ffi.Dict")
}

/// Of maps large enough to be dense.
fn entries(client: &Client, maker: &str) -> Verdict<Layout> {
    let make = |entries: i64| {
        let pairs: Vec<_> = (0..entries).flat_map(|key| [view::int(key), view::int(-key)]).collect();
        client.call_global(maker, &pairs)
    };
    let maps = [make(1000)?, make(777)?];
    let samples = Samples::of(&maps.each_ref().map(Owned::handle));
    Ok(found([("size", samples.words(&[1000, 777]))]))
}

fn error(client: &Client) -> Verdict<Layout> {
    let texts = [["FirstKind", "first message", "first trace"], ["SecondKind", "second message", "second trace"]];
    let (mut errors, mut causes, mut contexts) = (Vec::new(), Vec::new(), Vec::new());
    let whole = client.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_some();
    for text in texts {
        if !whole {
            errors.push(client.new_error(text[0], text[1], text[2])?);
            continue;
        }
        let [kind, message, backtrace] = text.map(|text| TVMFFIByteArray::new(text.as_bytes()));
        let (cause, context) =
            (client.new_error("Cause", "cause", "")?, client.opaque(MARKS[0] as *mut c_void, keep_self)?);
        let mut out = null_mut();
        client.ok(client.api.TVMFFIErrorCreateWithCauseAndExtraContext(
            &kind,
            &message,
            &backtrace,
            cause.handle(),
            context.handle(),
            &mut out,
        ))?;
        errors.push(client.own_object("the new error", out)?);
        causes.push(cause);
        contexts.push(context);
    }
    let samples = Samples::of(&errors.iter().map(Owned::handle).collect::<Vec<_>>());
    let text = |which: usize| samples.lead_to(&texts.map(|texts| texts[which].as_bytes()));
    let handles = |objects: &[Owned]| objects.iter().map(|object| object.handle() as u64).collect::<Vec<_>>();
    let place = |objects: &[Owned]| samples.words(&handles(objects)).filter(|_| whole);
    Ok(found([
        ("kind", text(0)),
        ("message", text(1)),
        (header::name_of("backtrace"), text(2)),
        ("cause_chain", if whole { place(&causes) } else { None }),
        ("extra_context", if whole { place(&contexts) } else { None }),
    ]))
}

fn function(client: &Client) -> Verdict<Layout> {
    let functions = [client.function(null_mut(), return_none, None)?, client.function(null_mut(), raise_self, None)?];
    let samples = Samples::of(&functions.each_ref().map(Owned::handle));
    let callees = [return_none as *const c_void as u64, raise_self as *const c_void as u64];
    Ok(found([("safe_call", samples.words(&callees))]))
}

fn opaque(client: &Client) -> Verdict<Layout> {
    let objects =
        [client.opaque(MARKS[0] as *mut c_void, keep_self)?, client.opaque(MARKS[1] as *mut c_void, keep_self)?];
    let samples = Samples::of(&objects.each_ref().map(Owned::handle));
    Ok(found([("handle", samples.words(&MARKS))]))
}

fn tensor(client: &Client) -> Verdict<Layout> {
    let shapes = [[3_i64, 5, 7].as_slice(), &[2, 3, 4, 5, 6]];
    let (offsets, mut datas, mut tensors) = ([0x1240_u64, 0x2380], Vec::new(), Vec::new());
    for (shape, byte_offset) in shapes.into_iter().zip(offsets) {
        let strides: Vec<i64> = (1..=shape.len()).map(|after| shape[after..].iter().product()).collect();
        let data = vec![0_u8; 1 << 16].leak().as_mut_ptr();
        let dl_tensor = DLTensor {
            data: data.cast(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: shape.len() as i32,
            dtype: DLDataType { code: kDLInt, bits: 32, lanes: 1 },
            shape: shape.to_vec().leak().as_mut_ptr(),
            strides: strides.leak().as_mut_ptr(),
            byte_offset,
        };
        let managed = DLManagedTensor { dl_tensor, manager_ctx: null_mut(), deleter: None };
        let mut tensor = null_mut();
        client.ok(client.api.TVMFFITensorFromDLPack(Box::leak(Box::new(managed)), 0, 0, &mut tensor))?;
        tensors.push(client.own_object("the tensor", tensor)?);
        datas.push(data as u64);
    }
    let samples = Samples::of(&tensors.iter().map(Owned::handle).collect::<Vec<_>>());
    let bytes = shapes.map(|shape| shape.iter().flat_map(|extent| extent.to_ne_bytes()).collect::<Vec<_>>());
    Ok(found([
        ("data", samples.words(&datas)),
        ("ndim", samples.halves(&shapes.map(|shape| shape.len() as i32))),
        ("shape", samples.lead_to(&bytes.each_ref().map(Vec::as_slice))),
        ("byte_offset", samples.words(&offsets)),
    ]))
}

/// The structs that types are registered with.
struct Records {
    info: Layout,
    field: Layout,
    method: Layout,
    metadata: Layout,
}

/// A type with what was put into its record.
struct Marked {
    key: &'static str,
    depth: i32,
    fields: i32,
    methods: i32,
    /// Of a field: size, alignment, offset.
    places: [u64; 3],
    static_type: i32,
    total_size: i32,
    doc: &'static [u8],
}

const MARKED: [Marked; 2] = [
    Marked {
        key: "verify.facts.First",
        depth: 4,
        fields: 3,
        methods: 5,
        places: [0x31, 0x40, 0x1358],
        static_type: kTVMFFIStr,
        total_size: 0x5A58,
        doc: b"what is said of the first",
    },
    Marked {
        key: "verify.facts.TheOther",
        depth: 6,
        fields: 5,
        methods: 2,
        places: [0x57, 0x20, 0x2460],
        static_type: kTVMFFIArray,
        total_size: 0x3C38,
        doc: b"what is said of the other one",
    },
];

const FIELDS: [&[u8]; 5] =
    [b"field_of_place_0", b"field_of_place_1", b"field_of_place_2", b"field_of_place_3", b"field_of_place_4"];
const METHODS: [&[u8]; 5] =
    [b"method_number_0", b"method_number_1", b"method_number_2", b"method_number_3", b"method_number_4"];

fn records(client: &Client) -> Verdict<Records> {
    let function = client.function(null_mut(), return_none, None)?;
    let mut indices = [0; 2];
    for (index, marked) in indices.iter_mut().zip(&MARKED) {
        *index = register(client, marked, &function)?;
    }
    let samples = Samples::at(&indices.map(|index| client.api.TVMFFIGetTypeInfo(index).cast()));
    let number = |of: fn(&Marked) -> i32| samples.halves(&MARKED.each_ref().map(of));
    let names =
        |name: &[u8]| samples.word(|_, word| memory::read(word as *const u64).is_some_and(|text| leads_to(text, name)));
    let (docs, sizes) = (MARKED.each_ref().map(|marked| marked.doc), MARKED.each_ref().map(|marked| marked.total_size));
    // What lies right before it in memory seems to lead there, too.
    let metadata = samples.nearest(|behind| behind.halves(&sizes).and(behind.lead_to(&docs)));
    let (fields, methods) = (names(FIELDS[0]), names(METHODS[0]));
    let [of_field, of_method, of_metadata] =
        [fields, methods, metadata].map(|place| place.map(|place| samples.behind(place)));
    let info = found([
        ("type_index", samples.halves(&indices)),
        ("type_depth", number(|marked| marked.depth)),
        ("type_key", samples.lead_to(&MARKED.each_ref().map(|marked| marked.key.as_bytes()))),
        ("num_fields", number(|marked| marked.fields)),
        ("num_methods", number(|marked| marked.methods)),
        ("fields", fields),
        ("methods", methods),
        ("metadata", metadata),
    ]);
    let place = |which: usize| of_field.as_ref()?.words(&MARKED.each_ref().map(|marked| marked.places[which]));
    let named = |samples: &Option<Samples>, name| samples.as_ref()?.lead_to(&[name; 2]);
    let field = found([
        ("name", named(&of_field, FIELDS[0])),
        ("size", place(0)),
        ("alignment", place(1)),
        ("offset", place(2)),
        (
            "field_static_type_index",
            of_field.as_ref().and_then(|samples| samples.halves(&MARKED.each_ref().map(|marked| marked.static_type))),
        ),
        ("sizeof(TVMFFIFieldInfo)", named(&of_field, FIELDS[1])),
    ]);
    let callee = function.handle() as u64;
    let method = found([
        ("name", named(&of_method, METHODS[0])),
        ("method", of_method.as_ref().and_then(|samples| samples.words(&[callee; 2])).map(|payload| payload - 8)),
        ("sizeof(TVMFFIMethodInfo)", named(&of_method, METHODS[1])),
    ]);
    let of_metadata = of_metadata.as_ref();
    let metadata = found([
        ("doc", of_metadata.and_then(|samples| samples.lead_to(&docs))),
        ("total_size", of_metadata.and_then(|samples| samples.halves(&sizes))),
    ]);
    Ok(Records { info, field, method, metadata })
}

/// Registers a type and its ancestors, and answers its index.
fn register(client: &Client, marked: &Marked, function: &Owned) -> Verdict<i32> {
    let mut index = kTVMFFIObject;
    for depth in 1..=marked.depth {
        let key = if depth < marked.depth { format!("{}{depth}", marked.key) } else { marked.key.to_owned() };
        // The depth that the parent's record tells is one of those that are looked for.
        let key = TVMFFIByteArray::new(key.as_bytes());
        index = client.api.TVMFFITypeGetOrAllocIndex(&key, -1, depth, 0, 1, index);
    }
    let [size, alignment, offset] = marked.places.map(|place| place as i64);
    for name in &FIELDS[..marked.fields as usize] {
        let field = types::field(name, marked.static_type, size, offset);
        client.ok(client.api.TVMFFITypeRegisterField(index, &TVMFFIFieldInfo { alignment, ..field }))?;
    }
    for name in &METHODS[..marked.methods as usize] {
        let method = types::method_info(TVMFFIByteArray::new(name), function.any());
        client.ok(client.api.TVMFFITypeRegisterMethod(index, &method))?;
    }
    let metadata = TVMFFITypeMetadata { doc: TVMFFIByteArray::new(marked.doc), ..types::metadata(marked.total_size) };
    client.ok(client.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
    Ok(index)
}

/// Of columns with one entry, which is that of the first type or of a later one.
fn column(client: &Client) -> Verdict<Layout> {
    let (mut columns, mut indices) = (Vec::new(), Vec::new());
    for (key, name, mark) in [
        ("verify.facts.InColumn", "__verify_one__", MARKS[0]),
        ("verify.facts.InAnother", "__verify_other__", MARKS[1]),
    ] {
        let index = types::new(client, key);
        client.set_hook(index, name, &view::int(mark as i64))?;
        columns.push(reflected::column(client, name).cast::<c_void>());
        indices.push(index);
    }
    let samples = Samples::at(&columns);
    let entry = |data: u64, place: i32| {
        let entry = (data as *const TVMFFIAny).wrapping_add(place as usize);
        memory::read(entry).map(|entry| entry.payload())
    };
    let holds = |sample: usize, data, place| entry(data, place) == Some(MARKS[sample]);
    let data = samples.word(|sample, word| holds(sample, word, indices[sample]) || holds(sample, word, 0));
    Ok(found([("data", data)]))
}
