//! Arrays: making and reading them, their memory as clients read it, and appending in place.

use std::ptr::null_mut;

use proptest::collection::vec;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, GRAFFITI},
            keys::{Pool, text_object, values},
            object_of, retain,
            sequence::SIZE,
        },
        homemade::{self, Homemade},
        memory, view,
    },
    trial::Trial,
};

// ---- making and reading ----------------------------------------------------------------------------------------------

/// `ffi.Array` makes an Array of its arguments in their order.
#[check(ARR_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let array = ints(t, &[5, -7, 5, i64::MIN])?;
    t.eq("type_index of the result", array.any().type_index, kTVMFFIArray)?;
    t.eq("type_index in the header", t.header(array.handle())?.type_index, kTVMFFIArray)?;
    t.eq("strong count of a new Array", t.counts(array.handle())?.0, 1)?;
    t.holds_ints(array.handle(), &[5, -7, 5, i64::MIN])
}

/// `ffi.Array` makes an empty Array of no arguments.
#[check(ARR_0001)]
fn empty(t: &Trial) -> Verdict {
    let array = ints(t, &[])?;
    t.eq("type_index of the result", array.any().type_index, kTVMFFIArray)?;
    t.holds_ints(array.handle(), &[])?;
    t.answers("ffi.ArraySize", &[array.any()], 0)
}

/// `ffi.Array` makes an Array of 100,000 integers.
#[check(ARR_0001)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    let many: Vec<i64> = (0..100_000).collect();
    let array = ints(t, &many)?;
    t.holds_ints(array.handle(), &many)?;
    t.answers("ffi.ArraySize", &[array.any()], 100_000)
}

/// `ffi.ArrayGetItem` answers the element of an index, counted from 0.
#[check(ARR_0002)]
fn get_item(t: &Trial) -> Verdict {
    let array = ints(t, &[10, 11, 12, 13, 14])?;
    for index in [4, 0, 2, 1, 3] {
        let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(index)])?;
        t.any_eq(format!("element {index}"), &item.any(), &view::int(10 + index))?;
    }
    Ok(())
}

/// `ffi.ArraySize` answers the number of elements.
#[check(ARR_0003)]
fn size(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 3, 4, 5, 17, 1000] {
        let array = ints(t, &vec![1; len])?;
        t.eq(format!("ffi.ArraySize of {len}"), t.call_int("ffi.ArraySize", &[array.any()])?, len as i64)?;
    }
    Ok(())
}

// ---- memory ----------------------------------------------------------------------------------------------------------

/// An Array keeps the address, the number and the capacity of its elements behind its header.
#[check(ARR_0004)]
fn cell(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 100] {
        let array = ints(t, &vec![3; len])?;
        let cell: TVMFFISeqCell = t.cell("cell", array.handle())?;
        t.eq("size", cell.size, len as i64)?;
        t.that("capacity", cell.capacity >= cell.size, format!("at least {len}"), cell.capacity)?;
        let last = t.read("the last element", cell.data.cast::<TVMFFIAny>().wrapping_add(len - 1).cast_const())?;
        t.any_eq("the last element", &last, &view::int(3))?;
    }
    Ok(())
}

/// The elements of an Array lie in the object itself, and the Array has no `data_deleter`.
#[check(ARR_0005)]
fn cells_in_the_object(t: &Trial) -> Verdict {
    for len in [0, 1, 5, 300] {
        let array = ints(t, &vec![1; len])?;
        let cell: TVMFFISeqCell = t.cell("cell", array.handle())?;
        t.eq("distance of the elements from the object", cell.data as usize - array.handle() as usize, SIZE)?;
        t.that("data_deleter", cell.data_deleter.is_none(), "NULL", "a function")?;
    }
    Ok(())
}

/// An Array has memory for as many elements as its capacity tells.
#[check(ARR_0006)]
fn room_is_there(t: &Trial) -> Verdict {
    // Arrays side by side: whoever tells of more room than it has shares it with its neighbour.
    let arrays: Vec<Owned> =
        (0..40).map(|number| ints(t, &vec![number; number as usize % 9])).collect::<Verdict<_>>()?;
    for array in &arrays {
        let cell: TVMFFISeqCell = t.cell("cell", array.handle())?;
        t.that("capacity", (cell.size..1 << 20).contains(&cell.capacity), "from the size on", cell.capacity)?;
        while client::append_to_array(array.handle(), view::int(-1)) {}
    }
    for (number, array) in arrays.iter().enumerate() {
        let items = t.sequence(array.handle())?.items;
        let len = number % 9;
        t.that(format!("size of Array {number}"), items.len() >= len, format!("{len} or more"), items.len())?;
        for (index, item) in items.iter().enumerate() {
            let expected = view::int(if index < len { number as i64 } else { -1 });
            t.any_eq(format!("element {index} of Array {number}"), item, &expected)?;
        }
    }
    Ok(())
}

/// An Array owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(ARR_0007)]
fn owns_texts(t: &Trial) -> Verdict {
    let (mut short, mut long, mut bytes) = (*b"short\0", *b"a text that is not short\0", *b"bytes that are not short");
    let span = TVMFFIByteArray::new(&bytes);
    let raw = |text: *const u8| TVMFFIAny::new(kTVMFFIRawStr, text as u64);
    let args = [raw(short.as_ptr()), raw(long.as_ptr()), view::byte_array(&span)];
    let array = t.call_global("ffi.Array", &args)?;
    for text in [&mut short[..], &mut long[..], &mut bytes[..]] {
        text.fill(b'#');
    }
    std::hint::black_box((&short, &long, &bytes));
    let items = t.sequence(array.handle())?.items;
    let kinds: Vec<_> = items.iter().map(|item| item.type_index).collect();
    t.that("type_index of the first", [kTVMFFISmallStr, kTVMFFIStr].contains(&kinds[0]), "a String", kinds[0])?;
    t.eq("type_index of the second", kinds[1], kTVMFFIStr)?;
    t.eq("type_index of the third", kinds[2], kTVMFFIBytes)?;
    for (item, expected) in items.iter().zip(["short", "a text that is not short", "bytes that are not short"]) {
        t.eq("text", String::from_utf8_lossy(&t.text(item)?), expected.into())?;
    }
    Ok(())
}

/// `ffi.Array` takes over the reference of an object that is passed as an r-value reference.
#[check(ARR_0007)]
fn takes_moved(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    homemade::retain(object.handle());
    let mut slot = object.handle();
    let moved = TVMFFIAny::new(kTVMFFIObjectRValueRef, &raw mut slot as u64);
    let array = t.call_global("ffi.Array", &[moved])?;
    t.any_eq("element", &t.sequence(array.handle())?.items[0], &object.view())?;
    t.eq("the slot that the object was moved out of", slot, null_mut())?;
    t.eq("strong count of the object", object.counts().0, 2)?;
    drop(array);
    t.eq("strong count after the Array", object.counts().0, 1)
}

/// An Array keeps a value of every type to the bit, with zero in the bytes that it does not use.
#[check(ARR_0008)]
fn every_kind(t: &Trial) -> Verdict {
    let device = TVMFFIAny::new(kTVMFFIDevice, 7 << 32 | 2);
    let dtype = TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002);
    let (small, heap) = (t.string(b"seven_b")?, t.string(b"eight_by")?);
    let (small_bytes, heap_bytes) = (t.bytes(b"\0\xff")?, t.bytes(b"\0bytes\xff and more")?);
    let object = Homemade::new(kTVMFFIObject, ());
    let mut place = 0_u8;
    let values = [
        TVMFFIAny::NONE,
        view::bool(true),
        view::bool(false),
        view::int(-1),
        view::float(-0.0),
        view::pointer((&raw mut place).cast()),
        device,
        dtype,
        small.any(),
        heap.any(),
        small_bytes.any(),
        heap_bytes.any(),
        object.view(),
    ];
    let array = t.call_global("ffi.Array", &values)?;
    let items = t.sequence(array.handle())?.items;
    for (index, (item, expected)) in items.iter().zip(&values).enumerate() {
        t.any_eq(format!("element {index}"), item, expected)?;
        let got = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(index as i64)])?;
        t.any_eq(format!("answer for element {index}"), &got.any(), expected)?;
    }
    t.eq("number of elements", items.len(), values.len())
}

// ---- references ------------------------------------------------------------------------------------------------------

/// An Array holds one strong reference for each element, however many hold the Array.
#[check(ARR_0009)]
fn holds_once(t: &Trial) -> Verdict {
    let objects = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
    let array = t.call_global("ffi.Array", &objects.each_ref().map(Homemade::view))?;
    for object in &objects {
        t.eq("strong and weak count of an element", object.counts(), (2, 1))?;
    }
    homemade::retain(array.handle());
    t.eq("strong count of an element of an Array with two holders", objects[0].counts().0, 2)?;
    homemade::release(array.handle());
    t.eq("strong count of an element with one holder left", objects[0].counts().0, 2)
}

/// An Array that ends releases each element once.
#[check(ARR_0009)]
fn ends_elements(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let array = t.call_global("ffi.Array", &objects.each_ref().map(Homemade::view))?;
    objects.iter().for_each(|object| homemade::release(object.handle()));
    t.eq("ends while the Array lives", homemade::all_ends(), 0)?;
    drop(array);
    t.each_ended_once("element", &objects)
}

/// An element that was read from an Array outlives the Array.
#[check(ARR_0009)]
fn element_outlives(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
    drop(array);
    t.eq("strong count of an element that was taken out", object.counts().0, 2)?;
    drop(element);
    t.eq("strong count in the end", object.counts().0, 1)?;
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// An Array holds an object once for each element that it is.
#[check(ARR_0009)]
fn same_object_twice(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view(); 5])?;
    t.eq("strong count of an object that is five elements", object.counts().0, 6)?;
    drop(array);
    t.eq("strong count afterwards", object.counts().0, 1)
}

/// The end of a hundred nested Arrays releases the innermost element.
#[check(ARR_0009)]
fn nested(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut array = t.call_global("ffi.Array", &[object.view()])?;
    for _ in 0..100 {
        array = t.call_global("ffi.Array", &[view::int(0), array.any()])?;
    }
    t.eq("strong count of the innermost element", object.counts().0, 2)?;
    drop(array);
    t.eq("strong count after the outermost Array", object.counts().0, 1)
}

/// An Array releases its elements with its last strong reference, even while a weak reference keeps its memory.
#[check(ARR_0010)]
fn ends_with_weak(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let handle = array.handle();
    homemade::retain_weak(handle);
    drop(array);
    t.eq("strong count of the element of an Array that only a weak reference is left to", object.counts().0, 1)?;
    t.eq("counts of the Array", t.counts(handle)?, (0, 1))?;
    t.that("promotion of the weak reference", !homemade::promote(handle), "refused", "granted")?;
    homemade::release_weak(handle);
    t.eq("strong count of the element when the memory is gone", object.counts().0, 1)
}

/// `ffi.ArrayGetItem` answers a new reference to an element that is an object.
#[check(ARR_0011)]
fn get_is_owned(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
    t.any_eq("the answer", &element.any(), &object.view())?;
    t.eq("strong count with the answer", object.counts().0, 3)?;
    drop(element);
    t.eq("strong count without it", object.counts().0, 2)
}

/// No function of an Array changes the reference counts of the Array.
#[check(ARR_0017)]
fn lent(t: &Trial) -> Verdict {
    let array = ints(t, &[1, 2, 3])?;
    for name in ["ffi.ArraySize", "ffi.ArrayGetItem"] {
        let args = [array.any(), view::int(1)];
        let count = if name == "ffi.ArraySize" { 1 } else { 2 };
        t.call_global(name, &args[..count])?;
        t.eq(format!("strong count after {name}"), t.counts(array.handle())?, (1, 1))?;
    }
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(99)], &[])?;
    t.eq("strong count after a refused call", t.counts(array.handle())?, (1, 1))
}

// ---- refusing --------------------------------------------------------------------------------------------------------

/// `ffi.ArrayGetItem` raises an IndexError for an index that is not below the size.
#[check(ARR_0012)]
fn past_the_end(t: &Trial) -> Verdict {
    for (len, index) in [(0, 0), (1, 1), (3, 3), (3, 4), (4, i64::MAX)] {
        let array = ints(t, &vec![1; len])?;
        t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(index)], &["IndexError"])?;
        t.holds_ints(array.handle(), &vec![1; len])?;
    }
    Ok(())
}

/// `ffi.ArrayGetItem` raises an IndexError for a negative index.
#[check(ARR_0013)]
fn negative(t: &Trial) -> Verdict {
    for (len, index) in [(0, -1), (3, -1), (3, -3), (3, i64::MIN)] {
        let array = ints(t, &vec![1; len])?;
        t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(index)], &["IndexError"])?;
    }
    Ok(())
}

/// The functions of an Array raise a TypeError for what is no Array, and for an index that is no integer.
#[check(ARR_0015)]
fn other_types(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[])?;
    let text = t.string(b"a text that is not short")?;
    let wrong = [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), map.any(), text.any()];
    for (index, value) in wrong.into_iter().enumerate() {
        t.api.note(&format!("argument {index} of those that are no Array"));
        t.refuses("ffi.ArraySize", &[value], &["TypeError"])?;
        t.refuses("ffi.ArrayGetItem", &[value, view::int(0)], &["TypeError"])?;
    }
    let array = ints(t, &[1])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), TVMFFIAny::NONE], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::c_str(c"0")], &["TypeError"]).map(drop)
}

/// The functions of an Array raise a TypeError for one argument too few or too many.
#[check(ARR_0016)]
fn argument_count(t: &Trial) -> Verdict {
    let array = ints(t, &[1])?;
    t.refuses("ffi.ArraySize", &[], &["TypeError"])?;
    t.refuses("ffi.ArraySize", &[array.any(), array.any()], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any()], &["TypeError"])?;
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(0), view::int(0)], &["TypeError"]).map(drop)
}

// ---- contains --------------------------------------------------------------------------------------------------------

/// `ffi.ArrayContains` finds texts by content, objects by identity, and other values by type and payload.
#[check(ARR_0014)]
fn contains(t: &Trial) -> Verdict {
    let (one, other) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let long = t.string(b"a text that is not short")?;
    let values = [view::int(1), view::float(2.0), view::bool(false), long.any(), one.view()];
    let array = t.call_global("ffi.Array", &values)?;
    let again = t.string(b"a text that is not short")?;
    let present = [view::int(1), view::float(2.0), view::bool(false), again.any(), one.view()];
    let absent = [view::int(2), view::float(1.0), view::bool(true), view::int(0), TVMFFIAny::NONE, other.view()];
    for (values, expected) in [(&present[..], 1), (&absent[..], 0)] {
        for value in values {
            let found = t.call_int("ffi.ArrayContains", &[array.any(), *value])?;
            t.eq(format!("whether it contains {value:?}"), found, expected)?;
        }
    }
    t.eq("strong count of an element that was asked for", one.counts().0, 2)
}

/// `ffi.ArrayContains` finds a String in either form and tells it from Bytes of the same content.
#[check(ARR_0014)]
fn contains_two_forms(t: &Trial) -> Verdict {
    let (small, heap) = (t.string(b"abc")?, text_object(kTVMFFIStr, b"abc"));
    for (kept, asked) in [(small.any(), heap.view()), (heap.view(), small.any()), (heap.view(), view::c_str(c"abc"))] {
        let array = t.call_global("ffi.Array", &[view::int(0), kept])?;
        t.eq("whether it contains the text", t.call_int("ffi.ArrayContains", &[array.any(), asked])?, 1)?;
    }
    let bytes = t.bytes(b"abc")?;
    let array = t.call_global("ffi.Array", &[small.any()])?;
    t.eq("whether it contains the same as Bytes", t.call_int("ffi.ArrayContains", &[array.any(), bytes.any()])?, 0)
}

// ---- clients ---------------------------------------------------------------------------------------------------------

/// An element that a client has appended to an Array in place is read and released like any other.
#[check(ARR_0018)]
fn client_appends(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut appended = 0;
    for len in 0..12 {
        let array = ints(t, &(0..len).collect::<Vec<_>>())?;
        let mut expected = len;
        while client::append_to_array(array.handle(), retain(&object.view())) {
            (appended, expected) = (appended + 1, expected + 1);
            let size = t.call_int("ffi.ArraySize", &[array.any()])?;
            t.eq("ffi.ArraySize after a client has appended", size, expected)?;
            let last = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(expected - 1)])?;
            t.any_eq("the element that a client has appended", &last.any(), &object.view())?;
        }
        // The append that found no room had taken its reference already.
        homemade::release(object.handle());
        drop(array);
        t.eq("strong count of what was appended, after the Array", object.counts().0, 1)?;
    }
    // An Array of a client's always has room.
    let array = client::array(&[view::int(0)], 4);
    client::append_to_array(array.handle(), retain(&object.view()));
    t.eq("ffi.ArraySize of a client's Array", t.call_int("ffi.ArraySize", &[array.view()])?, 2)
}

/// An Array that a client has made is read like one of the library's own, and ends once by the client's deleter.
#[check(ARR_0019)]
fn client_array(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let text = t.string(b"a text that is not short")?;
    let array = client::array(&[object.view(), view::int(4), text.any()], 5);
    t.answers("ffi.ArraySize", &[array.view()], 3)?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.view(), view::int(0)])?;
    t.any_eq("element 0", &element.any(), &object.view())?;
    drop(element);
    t.refuses("ffi.ArrayGetItem", &[array.view(), view::int(3)], &["IndexError"])?;
    t.eq("counts of the Array", array.counts(), (1, 1))?;
    // The library lets go of the last reference.
    let holder = t.call_global("ffi.Array", &[array.view()])?;
    homemade::release(array.handle());
    t.eq("ends of the Array while another one holds it", array.ends(), vec![])?;
    drop(holder);
    t.ended_once("calls of the client's deleter", &array)?;
    t.eq("strong count of the element", object.counts().0, 1)
}

/// The functions of an Array read nothing in cells past the last element.
#[check(ARR_0020)]
fn not_past_size(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = client::array(&[object.view(), view::int(4)], 8);
    let beyond = array.handle().wrapping_byte_add(SIZE + 2 * size_of::<TVMFFIAny>());
    t.any_eq("what is behind the elements", &t.read("cell", beyond.cast_const().cast())?, &GRAFFITI)?;
    t.call_int("ffi.ArraySize", &[array.view()])?;
    for index in [2, 3, 7, 8] {
        t.refuses("ffi.ArrayGetItem", &[array.view(), view::int(index)], &["IndexError"])?;
    }
    for index in 0..2 {
        t.call_global("ffi.ArrayGetItem", &[array.view(), view::int(index)])?;
    }
    t.eq("strong count of the element", object.counts().0, 2)
}

/// The functions of an Array read nothing past the last cell, which may end where readable memory ends.
///
/// An Array whose last cell ends where readable memory ends.
#[check(ARR_0020)]
fn not_past_cells(t: &Trial) -> Verdict {
    const ITEMS: usize = 3;
    let mut memory = t.guarded(&[0; SIZE + ITEMS * size_of::<TVMFFIAny>()])?;
    let object: TVMFFIObjectHandle = memory.array().data.cast_mut().cast();
    let data = object.wrapping_byte_add(SIZE);
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
    let mut bytes = words(&[1 << 32 | 1, kTVMFFIArray as u64, 0, data as u64, ITEMS as u64, ITEMS as u64, 0]);
    (0..ITEMS as u64).for_each(|value| bytes.extend(words(&[kTVMFFIInt as u64, value])));
    memory.as_mut_slice().copy_from_slice(&bytes);
    let array = TVMFFIAny::new(kTVMFFIArray, object as u64);
    t.answers("ffi.ArraySize", &[array], ITEMS as i64)?;
    for index in 0..ITEMS as i64 {
        t.eq("element", t.call_int("ffi.ArrayGetItem", &[array, view::int(index)])?, index)?;
    }
    t.refuses("ffi.ArrayGetItem", &[array, view::int(ITEMS as i64)], &["IndexError"])?;
    t.eq("counts", memory::read(object.cast_const().cast::<u64>()), Some(1 << 32 | 1))
}

// ---- threads and memory ----------------------------------------------------------------------------------------------

/// Four threads may read one Array at the same time.
#[check(ARR_0021)]
fn readers(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[view::int(7), object.view()])?;
    let shared = array.any();
    let (size, get) = (t.global("ffi.ArraySize")?, t.global("ffi.ArrayGetItem")?);
    let (size, get) = (size.handle() as usize, get.handle() as usize);
    t.api.note("4 threads call ffi.ArraySize and ffi.ArrayGetItem");
    let shared = shared.payload();
    t.threads(4, |t, _| {
        let array = TVMFFIAny::new(kTVMFFIArray, shared);
        for round in 0..500 {
            let index = round % 2;
            t.eq("ffi.ArraySize", t.call_untraced(size, &[array])?.payload(), 2)?;
            let item = t.call_untraced(get, &[array, view::int(index)])?;
            t.eq("type_index of the element", item.type_index, if index == 0 { kTVMFFIInt } else { kTVMFFIObject })?;
            if let Some(object) = object_of(&item) {
                homemade::release(object);
            }
        }
        Ok(())
    })?;
    t.eq("strong count of the element", object.counts().0, 2)?;
    t.eq("counts of the Array", t.counts(array.handle())?, (1, 1))
}

/// Arrays that have ended leave no memory behind.
#[check(ARR_0022, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, get] = t.globals(["ffi.Array", "ffi.ArrayGetItem"])?;
    t.no_growth("memory of Arrays", || {
        let array = t.call(&make, &[view::c_str(c"a text that is not short"), view::int(1), TVMFFIAny::NONE])?;
        t.call(&get, &[array.any(), view::int(0)])?;
        t.call(&make, &[array.any(); 9])?;
        Ok(())
    })
}

/// Calls that an Array's functions refuse leave no memory behind.
#[check(ARR_0022, patient = 2)]
fn no_growth_refused(t: &Trial) -> Verdict {
    let [make, get] = t.globals(["ffi.Array", "ffi.ArrayGetItem"])?;
    let mut result = TVMFFIAny::NONE;
    let array = t.call(&make, &[view::int(1)])?;
    t.raises(t.try_call(&get, &[array.any(), view::int(1)], &mut result), &["IndexError"])?;
    t.no_growth("memory of refused calls", || {
        let array = t.call(&make, &[view::c_str(c"a text that is not short")])?;
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&get, &[array.any(), view::int(1)], &mut result);
        t.ne("return value", code, 0)?;
        let mut error = null_mut();
        t.api.TVMFFIErrorMoveFromRaised(&mut error);
        t.own_object("the raised error", error).map(drop)
    })
}

// ---- a model ---------------------------------------------------------------------------------------------------------

/// An Array holds random values, given and then appended by a client, to the bit, and each object once.
#[check(ARR_0001, ARR_0002, ARR_0009, ARR_0018, patient = 2)]
fn model(t: &Trial) -> Verdict {
    const OBJECTS: usize = 3;
    let made = || vec(values(OBJECTS), 0..12);
    t.property((made(), made()), |(first, appended)| {
        let pool = Pool::new(OBJECTS);
        let kept: Vec<_> = first.iter().map(|value| pool.make(t, value)).collect::<Verdict<_>>()?;
        let args: Vec<_> = kept.iter().map(|made| made.any).collect();
        let array = t.call_global("ffi.Array", &args)?;
        let mut expected = first.clone();
        for value in appended {
            let made = pool.make(t, value)?;
            let next = retain(&made.any);
            if !client::append_to_array(array.handle(), next) {
                crate::client::containers::release(&next);
                break;
            }
            expected.push(value.clone());
        }
        let items = t.sequence(array.handle())?.items;
        t.eq("number of elements", items.len(), expected.len())?;
        for (index, (item, value)) in items.iter().zip(&expected).enumerate() {
            t.is(format_args!("element {index}"), item, &pool, value)?;
            let got = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(index as i64)])?;
            t.is(format_args!("answer for element {index}"), &got.any(), &pool, value)?;
        }
        pool.counted(t, expected.iter())?;
        drop((array, kept));
        pool.let_go(t)
    })
}

/// An Array of integers.
fn ints(t: &Trial, values: &[i64]) -> Verdict<Owned> {
    t.sequence_of_ints("ffi.Array", values)
}
