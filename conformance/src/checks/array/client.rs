//! Arrays that clients append to in place or have made.

use proptest::collection::vec;
use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            client::{self, GRAFFITI},
            keys::{Pool, Pooled, values},
            release, retain,
            sequence::SIZE,
        },
        homemade::{self, Homemade},
        memory, view,
    },
    trial::Trial,
};

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
        // The reference for the append that found no room was taken before.
        homemade::release(object.handle());
        drop(array);
        t.eq("strong count of what was appended, after the Array", object.counts().0, 1)?;
    }
    // There is always room in this Array, which the client has made.
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
    t.global_answers("ffi.ArraySize", &[array.view()], 3)?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.view(), view::int(0)])?;
    t.any_eq("element 0", &element.any(), &object.view())?;
    drop(element);
    t.refuses("ffi.ArrayGetItem", &[array.view(), view::int(3)], &["IndexError"])?;
    t.eq("counts of the Array", array.counts(), (1, 1))?;
    // The library drops the last reference.
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
    t.global_answers("ffi.ArraySize", &[array], ITEMS as i64)?;
    for index in 0..ITEMS as i64 {
        t.eq("element", t.call_int("ffi.ArrayGetItem", &[array, view::int(index)])?, index)?;
    }
    t.refuses("ffi.ArrayGetItem", &[array, view::int(ITEMS as i64)], &["IndexError"])?;
    t.eq("counts", memory::read(object.cast_const().cast::<u64>()), Some(1 << 32 | 1))
}

/// How many objects may be elements.
const OBJECTS: usize = 3;

/// An Array holds random values, given and then appended by a client, to the bit, and each object once.
#[check(ARR_0001, ARR_0002, ARR_0009, ARR_0018, patient = 2)]
fn model(t: &Trial) -> Verdict {
    let some = || vec(values(OBJECTS), 0..12);
    t.property((some(), some()), |(first, appended)| keeps(t, first, appended))
}

/// Expects an Array of these values, to which a client appends as many of the others as there is room for, to keep them.
fn keeps(t: &Trial, first: &[Pooled], appended: &[Pooled]) -> Verdict {
    let pool = Pool::new(OBJECTS);
    let kept: Vec<_> = first.iter().map(|value| pool.make(t, value)).collect::<Verdict<_>>()?;
    let args: Vec<_> = kept.iter().map(|made| made.any).collect();
    let array = t.call_global("ffi.Array", &args)?;
    let mut expected = first.to_vec();
    for value in appended {
        let made = pool.make(t, value)?;
        let next = retain(&made.any);
        if !client::append_to_array(array.handle(), next) {
            release(&next);
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
}
