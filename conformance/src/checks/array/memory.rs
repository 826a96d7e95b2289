//! The memory of an Array, and the values that it keeps.

use std::ptr::null_mut;

use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Owned, TypeIndex, Verdict,
        containers::client,
        homemade::{self, Homemade},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// An Array keeps the address, the number and the capacity of its elements behind its header.
#[check(ARR_0004, lays = TVMFFISeqCell)]
fn cell(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 100] {
        let array = ints(t, &vec![3; len])?;
        t.has_cell_of_threes(&array, len)?;
    }
    Ok(())
}

/// The elements of an Array lie in the object's memory, behind its fields, unless the Array has a `data_deleter`.
#[check(ARR_0005)]
fn cells_in_the_object(t: &Trial) -> Verdict {
    // Reading an Array tells where its elements are.
    [0, 1, 5, 300].into_iter().try_for_each(|len| t.holds_ints(ints(t, &vec![1; len])?.handle(), &vec![1; len]))
}

/// An Array has memory for as many elements as its capacity tells.
#[check(ARR_0006)]
fn room_is_there(t: &Trial) -> Verdict {
    // Arrays side by side: one that claims more room than it has shares it with its neighbour.
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
        t.that(format_args!("size of Array {number}"), items.len() >= len, format_args!("{len} or more"), items.len())?;
        for (index, item) in items.iter().enumerate() {
            let expected = view::int(if index < len { number as i64 } else { -1 });
            t.any_eq(format_args!("element {index} of Array {number}"), item, &expected)?;
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
    t.eq("number of elements", items.len(), 3)?;
    let kinds: Vec<_> = items.iter().map(|item| item.type_index).collect();
    t.that(
        "type_index of the first",
        [kTVMFFISmallStr, kTVMFFIStr].contains(&kinds[0]),
        "a String",
        TypeIndex(kinds[0]),
    )?;
    t.type_index_eq("type_index of the second", kinds[1], kTVMFFIStr)?;
    t.type_index_eq("type_index of the third", kinds[2], kTVMFFIBytes)?;
    for (item, expected) in items.iter().zip(["short", "a text that is not short", "bytes that are not short"]) {
        t.eq("text", String::from_utf8_lossy(&t.text(item)?), expected.into())?;
    }
    Ok(())
}

/// An Array owns a value of every form, and gives it back.
#[check(ARR_0007, ARR_0008)]
fn every_form(t: &Trial) -> Verdict {
    for sample in t.samples()? {
        let array = Place::InArray.put(t, &sample.any())?;
        t.is_sample(&sample.name, &Place::InArray.look(t, &array.any())?, &sample)?;
        let answer = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
        t.is_sample(format!("the answer for {}", sample.name), &answer.any(), &sample)?;
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
    t.any_eq("element", &t.element(array.handle(), 0)?, &object.view())?;
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
        t.any_eq(format_args!("element {index}"), item, expected)?;
        let got = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(index as i64)])?;
        t.any_eq(format_args!("answer for element {index}"), &got.any(), expected)?;
    }
    t.eq("number of elements", items.len(), values.len())
}
