//! What is no integer of 64 bits, given where one is asked for, though a part of it would do for one.
//!
//! The integer in whose place it stands is one that the function takes. So whoever goes by the first or the last word of a big integer, by the
//! payload of another type, or by the digits of a text does not fail.

use std::ffi::{CString, c_int};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, callback::return_none, globals, homemade::Homemade, types, view},
    trial::Trial,
};

/// What stands in an integer's place, for messages, and the value.
type Wrong = (String, Owned);

/// Values that are not this number, and no other of 64 bits either.
fn not_the_number(t: &Trial, number: i64) -> Verdict<Vec<Wrong>> {
    const WORD: i128 = 1 << 64;
    let low = i128::from(number as u64);
    let mut all = Vec::new();
    // The number as the first word, as the last, as half of the bits, and rounded away.
    for big in
        [low + WORD, low - 2 * WORD, low + (WORD << 31), low * WORD, low * WORD + low, low + (WORD >> 1), -low - WORD]
    {
        if let Some(value) = t.big_int(big)? {
            all.push((format!("the big integer {big}"), value));
        }
    }
    // They are kept for the life of the process.
    let digits = Box::leak(Box::new(CString::new(number.to_string()).unwrap_or_default()));
    let bytes = Box::leak(Box::new(TVMFFIByteArray::new(digits.to_bytes())));
    let object = Box::leak(Box::new(Homemade::new(kTVMFFIObject, [number; 4])));
    let small = |type_index| TVMFFIAny {
        aux: TVMFFIAnyAux { small_str_len: 7 },
        ..TVMFFIAny::new(type_index, number as u64 & (u64::MAX >> 8))
    };
    let plain = [
        ("a Float of its bits", TVMFFIAny::new(kTVMFFIFloat, number as u64)),
        ("a Float between it and the next", view::float(number as f64 + 0.5)),
        ("a pointer", view::pointer(number as *mut _)),
        ("a small String of its bytes", small(kTVMFFISmallStr)),
        ("small Bytes of its bytes", small(kTVMFFISmallBytes)),
        ("its digits as a C string", view::c_str(digits)),
        ("its digits as a byte array", view::byte_array(bytes)),
        ("an object with it behind the header", object.view()),
    ];
    all.extend(plain.map(|(what, value)| (what.to_owned(), t.own(value))));
    all.push(("its digits as a String".to_owned(), t.string(digits.to_bytes())?));
    all.push(("an Array of it".to_owned(), t.call_global("ffi.Array", &[view::int(number)])?));
    all.push(("a Shape of it".to_owned(), t.call_global("ffi.Shape", &[view::int(number)])?));
    Ok(all)
}

/// A function that asks for an integer, one that it takes, and the arguments with something in its place.
type Door<'a> = (&'static str, i64, &'a dyn Fn(TVMFFIAny) -> Verdict<Vec<TVMFFIAny>>);

/// Expects each function that the target has to take the integer, and to refuse what is not it. What a call may change it is given anew.
fn refused(t: &Trial, clause: &'static str, doors: &[Door]) -> Verdict {
    for (name, number, args) in doors {
        let Some(function) = globals::find(t, name)? else { continue };
        t.call(&function, &args(view::int(*number))?)?;
        for (what, wrong) in not_the_number(t, *number)? {
            t.clause(clause);
            let refused = t.call_fails(&function, &args(wrong.any())?, &[]);
            refused.map_err(|failure| failure.noting(format!("{name} is given {what} in the place of {number}")))?;
        }
    }
    Ok(())
}

/// `ffi.ArrayGetItem` refuses an index that is no integer of 64 bits, though its first word, its bits or its digits are an index of the Array.
#[check(ARR_0015)]
fn no_index_of_an_array(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[7, 8, 9].map(view::int))?;
    let at = |index| Ok(vec![array.any(), index]);
    refused(
        t,
        id::ARR_0015,
        &[("ffi.ArrayGetItem", 1, &at), ("ffi.ArrayGetItem", 0, &at), ("ffi.ArrayGetItem", 2, &at)],
    )
}

/// `ffi.Shape` refuses an extent that is no integer of 64 bits, though its first word, its bits or its digits are one, wherever it stands.
#[check(CNT_0002)]
fn no_extent_of_a_shape(t: &Trial) -> Verdict {
    let doors: [Door; 3] = [
        ("ffi.Shape", 3, &|extent| Ok(vec![extent])),
        ("ffi.Shape", 3, &|extent| Ok(vec![extent, view::int(2)])),
        ("ffi.Shape", 3, &|extent| Ok(vec![view::int(2), view::int(5), extent])),
    ];
    refused(t, id::CNT_0002, &doors)
}

/// Each function that takes an index, an end or a number of elements of a List refuses what is no integer of 64 bits, though its first word, its
/// bits or its digits would do, and the List stays as it was.
#[check(LST_0025, LST_0020)]
fn no_index_of_a_list(t: &Trial) -> Verdict {
    let (one, two) = (view::int(1), view::int(2));
    let numbers = t.call_global("ffi.List", &[7, 8, 9].map(view::int))?;
    // The functions that change a List are given a new one each time, which is looked at after the next.
    let latest: std::cell::RefCell<Vec<Owned>> = std::cell::RefCell::new(Vec::new());
    let list = || -> Verdict<TVMFFIAny> {
        let made = t.call_global("ffi.List", &[7, 8, 9].map(view::int))?;
        latest.borrow_mut().push(made);
        Ok(latest.borrow().last().map_or(TVMFFIAny::NONE, Owned::any))
    };
    let doors: [Door; 12] = [
        ("ffi.ListGetItem", 1, &|at| Ok(vec![list()?, at])),
        ("ffi.ListGetItem", 2, &|at| Ok(vec![list()?, at])),
        ("ffi.ListSetItem", 1, &|at| Ok(vec![list()?, at, two])),
        ("ffi.ListInsert", 1, &|at| Ok(vec![list()?, at, two])),
        ("ffi.ListPop", 1, &|at| Ok(vec![list()?, at])),
        ("ffi.ListPop", 0, &|at| Ok(vec![list()?, at])),
        ("ffi.ListErase", 1, &|at| Ok(vec![list()?, at])),
        ("ffi.ListEraseRange", 1, &|at| Ok(vec![list()?, at, two])),
        ("ffi.ListEraseRange", 2, &|end| Ok(vec![list()?, one, end])),
        ("ffi.ListReplaceSlice", 1, &|at| Ok(vec![list()?, at, two, numbers.any()])),
        ("ffi.ListReplaceSlice", 2, &|end| Ok(vec![list()?, one, end, numbers.any()])),
        ("ffi.ListReserve", 9, &|count| Ok(vec![list()?, count])),
    ];
    for door in doors {
        latest.borrow_mut().clear();
        refused(t, id::LST_0025, &[door])?;
        t.clause(id::LST_0020);
        // The first was changed.
        for list in latest.borrow().iter().skip(1) {
            let same = t.holds_ints(list.handle(), &[7, 8, 9]);
            same.map_err(|failure| failure.noting(format!("of a List that {} was given with no index", door.0)))?;
        }
    }
    Ok(())
}

/// `ffi.json.Stringify` refuses an indent that is no integer of 64 bits, though its first word, its bits or its digits are one.
#[check(JSN_0035)]
fn no_indent(t: &Trial) -> Verdict {
    let array = t.sequence_of_ints("ffi.Array", &[7, 8])?;
    refused(t, id::JSN_0035, &[("ffi.json.Stringify", 2, &|indent| Ok(vec![array.any(), indent]))])
}

/// Walks, visits, maps and mutations refuse an order, and a type index of a callback, that is no integer of 64 bits, though its first word, its bits
/// or its digits are one.
#[check(VIS_0026)]
fn no_order_of_a_walk(t: &Trial) -> Verdict {
    let value = t.sequence_of_ints("ffi.Array", &[7, 8])?;
    let callback = t.function(std::ptr::null_mut(), return_none, None)?;
    // The callbacks of the calls that are made are kept for the life of the process.
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items).map(Owned::into_any);
    let none = array(&[])?;
    let entry = |index: TVMFFIAny, more: &[TVMFFIAny]| array(&[array(&[&[index, callback.any()], more].concat())?]);
    let pairs = entry(view::int(kTVMFFIFloat.into()), &[])?;
    let (root, pre, no) = (value.any(), view::int(0), view::bool(false));
    // Of Floats, of which there are none.
    let floats = i64::from(kTVMFFIFloat);
    let doors: [Door; 8] = [
        ("ffi.StructuralWalk", 1, &|order| Ok(vec![root, pairs, none, order])),
        ("ffi.StructuralMap", 1, &|order| Ok(vec![root, pairs, none, order])),
        ("ffi.StructuralWalk", floats, &|index| Ok(vec![root, entry(index, &[])?, none, pre])),
        ("ffi.StructuralWalk", floats, &|index| Ok(vec![root, none, entry(index, &[])?, pre])),
        ("ffi.StructuralMap", floats, &|index| Ok(vec![root, entry(index, &[])?, none, pre])),
        ("ffi.StructuralMap", floats, &|index| Ok(vec![root, none, entry(index, &[])?, pre])),
        ("ffi.StructuralVisit", floats, &|index| Ok(vec![root, entry(index, &[])?])),
        ("ffi.StructuralMutate", floats, &|index| Ok(vec![root, entry(index, &[no])?])),
    ];
    refused(t, id::VIS_0026, &doors)
}

/// The functions that declare types and fields refuse a type index, a size and an address that is no integer of 64 bits, though its first word, its bits
/// or its digits are one.
#[check(GLB_0025)]
fn no_index_of_a_type(t: &Trial) -> Verdict {
    let number = i64::from(kTVMFFIInt);
    let (of, state) = (view::int(number), view::int(8));
    // Never called: no field is set.
    let converter = return_none as *const () as i64;
    let kind = types::new(t, "verify.integers.Initialised");
    let metadata = types::metadata(size_of::<TVMFFIObject>() as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(kind, &TVMFFITypeMetadata { creator: Some(create_none), ..metadata }))?;
    let doors: [Door; 5] = [
        ("ffi.MakeFieldGetter", number, &|index| Ok(vec![index])),
        ("ffi.MakeFieldSetter", number, &|index| Ok(vec![index, state, view::int(converter)])),
        ("ffi.MakeFieldSetter", 8, &|state| Ok(vec![of, state, view::int(converter)])),
        ("ffi.MakeFieldSetter", converter, &|address| Ok(vec![of, state, address])),
        ("ffi._RegisterFFIInit", kind.into(), &|index| Ok(vec![index])),
    ];
    refused(t, id::GLB_0025, &doors)
}

/// A creator that is never called: no instance is made.
unsafe extern "C" fn create_none(_: *mut TVMFFIObjectHandle) -> c_int {
    -1
}

/// A flag that is a big integer is refused, or is true as any integer but 0 is, whatever its first word is.
#[check(ARG_0005)]
fn flags_of_many_words(t: &Trial) -> Verdict {
    let pairs = t.pairs_by_flag("verify.integers.Variable")?;
    let mut flags = Vec::new();
    for big in [1_i128 << 64, -(1 << 64), 1 << 100, (1 << 64) + 1] {
        flags.extend(t.big_int(big)?);
    }
    let names = ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch", "ffi.StructuralHash"];
    for (name, [lhs, rhs]) in names.iter().flat_map(|name| pairs.pairs.iter().map(move |pair| (name, pair))) {
        let Some(function) = globals::find(t, name)? else { continue };
        let values = if name.ends_with("Hash") { vec![*lhs] } else { vec![*lhs, *rhs] };
        for (flag, at) in flags.iter().flat_map(|flag| [(flag, 0), (flag, 1)]) {
            let with = |flag: TVMFFIAny| {
                let flags = if at == 0 { [flag, view::bool(false)] } else { [view::bool(false), flag] };
                t.answer_of(function.handle(), &[&values[..], &flags].concat())
            };
            let Ok(found) = with(flag.any())? else { continue };
            let what = format_args!("what {name} has come to with a big integer for its flag {at}");
            t.eq(what, t.come_to(Ok(found))?, t.come_to(with(view::bool(true))?)?)?;
        }
    }
    Ok(())
}
