//! Values of different types whose payload is the same word.

use std::ptr::without_provenance_mut;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        node::{node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// Values of different types with the same payload are neither recursively nor structurally equal, wherever they stand and whichever comes
/// first: as elements, as values and as keys of Maps and Dicts of any size, and structurally in fields.
#[check(REC_0006, REC_0004, SEQ_0005, SEQ_0003, SEQ_0004, SEQ_0013, SEQ_0043)]
fn same_payload_is_not_equal(t: &Trial) -> Verdict {
    let equal = t.global("ffi.RecursiveEq")?;
    for (lhs, rhs) in pairs(t)? {
        for (place, others) in Place::all(t)?.into_iter().flat_map(|place| [0, 9].map(|others| (place, others))) {
            // How many there are counts for how a map is laid out.
            if others > 0 && matches!(place, Place::Alone | Place::InArray | Place::InList) {
                continue;
            }
            let [one, twin, other] = [
                place.put_before(t, &lhs, others)?,
                place.put_before(t, &lhs, others)?,
                place.put_before(t, &rhs, others)?,
            ];
            let what = format!("{lhs:?} and {rhs:?}, {place:?} before {others} others");
            for (one, other, expected) in [(&one, &twin, true), (&one, &other, false), (&other, &one, false)] {
                let (recursively, structurally) = clauses(place);
                t.clause(recursively);
                let answer = t.call(&equal, &[one.any(), other.any()])?;
                let asked = if expected { format!("{what}, the first with its twin,") } else { what.clone() };
                t.any_eq(format_args!("whether {asked} are recursively equal"), &answer.any(), &view::bool(expected))?;
                t.clause(structurally);
                let answer = t.structural_equal(&one.any(), &other.any(), false)?;
                t.eq(format_args!("whether {asked} are structurally equal"), answer, expected)?;
                t.clause(id::SEQ_0043);
                let answer = t.has_no_mismatch(&one.any(), &other.any())?;
                t.eq(format_args!("whether {asked} have no mismatch"), answer, expected)?;
            }
        }
    }
    t.clause(id::SEQ_0013);
    let kind = node_type(t, "verify.recursive.SamePayload", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for (lhs, rhs) in pairs(t)? {
        for [one, other] in [[[lhs, rhs], [rhs, lhs]], [[lhs, lhs], [lhs, rhs]], [[lhs, lhs], [rhs, lhs]]] {
            let [left, right] = [one, other].map(|[first, second]| node(kind, first, second));
            let answer = t.structural_equal(&left.view(), &right.view(), false)?;
            t.eq(format_args!("whether objects with the fields {one:?} and {other:?} are equal"), answer, false)?;
        }
    }
    Ok(())
}

/// The clauses that keep two values from being equal that differ in what stands there, recursively and structurally. Whether the values
/// themselves are equal has been decided by itself before.
fn clauses(place: Place) -> (&'static str, &'static str) {
    match place {
        Place::Alone | Place::MapKey | Place::DictKey => (id::REC_0006, id::SEQ_0005),
        Place::InArray | Place::InList => (id::REC_0004, id::SEQ_0003),
        Place::MapValue | Place::DictValue => (id::REC_0004, id::SEQ_0004),
    }
}

/// Values of different types with the same payload have no recursive order, alone and in sequences, and None comes before each of them.
#[check(REC_0010, REC_0008, REC_0009)]
fn same_payload_has_no_order(t: &Trial) -> Verdict {
    for (lhs, rhs) in pairs(t)? {
        for place in [Place::Alone, Place::InArray, Place::InList] {
            let [one, other] = [place.put(t, &lhs)?, place.put(t, &rhs)?];
            let is_none = [lhs, rhs].map(|value| value.type_index == kTVMFFINone);
            if is_none.contains(&true) {
                t.clause(if place == Place::Alone { id::REC_0008 } else { id::REC_0009 });
                t.recursively_ordered(&one.any(), &other.any(), is_none[1].cmp(&is_none[0]))?;
                continue;
            }
            t.clause(id::REC_0010);
            for name in ["Lt", "Le", "Gt", "Ge"] {
                let raised = t.refuses(&format!("ffi.Recursive{name}"), &[one.any(), other.any()], &["TypeError"]);
                raised.map_err(|failure| failure.noting(format!("of {lhs:?} and {rhs:?}, {place:?}")))?;
            }
        }
    }
    Ok(())
}

/// Values of different types with the same payload have different recursive and structural hashes, alone, as elements, and as values.
#[check(REC_0012, SEQ_0008)]
fn same_payload_has_another_hash(t: &Trial) -> Verdict {
    for (lhs, rhs) in pairs(t)? {
        // How much keys count for a hash is left open.
        let is_key = |place: &Place| matches!(place, Place::MapKey | Place::DictKey);
        for place in Place::all(t)?.into_iter().filter(|place| !is_key(place)) {
            let [one, other] = [place.put(t, &lhs)?, place.put(t, &rhs)?];
            let what = format!("of {lhs:?} and {rhs:?}, {place:?}");
            t.clause(id::REC_0012);
            let [left, right] = [t.recursive_hash(&one.any())?, t.recursive_hash(&other.any())?];
            t.ne(format_args!("the recursive hashes {what}"), left, right)?;
            t.clause(id::SEQ_0008);
            let [left, right] = [t.structural_hash(&one.any(), false)?, t.structural_hash(&other.any(), false)?];
            t.ne(format_args!("the structural hashes {what}"), left, right)?;
        }
    }
    Ok(())
}

/// Two values of different types with one payload, in each pair. What they refer to is kept for the life of the process.
fn pairs(t: &Trial) -> Verdict<Vec<(TVMFFIAny, TVMFFIAny)>> {
    const DATA_TYPE: u64 = 0x0001_2002;
    let small =
        |text: &[u8]| -> Verdict<[TVMFFIAny; 2]> { Ok([t.string(text)?.into_any(), t.bytes(text)?.into_any()]) };
    let (empty, texts) = (small(b"")?, small(b"seven_b")?);
    let array: Owned = t.call_global("ffi.Array", &[view::int(1)])?;
    let array = array.into_any();
    let number = |payload: u64| [view::int(payload as i64), TVMFFIAny::new(kTVMFFIFloat, payload)];
    let pointer = |payload: u64| view::pointer(without_provenance_mut(payload as usize));
    let mut groups = vec![
        [&number(0)[..], &[view::bool(false), TVMFFIAny::NONE]].concat(),
        // The device cpu:0.
        [&number(1)[..], &[view::bool(true), TVMFFIAny::new(kTVMFFIDevice, 1), pointer(1)]].concat(),
        [&number(DATA_TYPE)[..], &[TVMFFIAny::new(kTVMFFIDataType, DATA_TYPE), pointer(DATA_TYPE)]].concat(),
        [&number(array.payload())[..], &[pointer(array.payload()), array]].concat(),
    ];
    // How a library stores a short text is for other clauses to say.
    for [string, bytes] in [empty, texts] {
        if string.type_index == kTVMFFISmallStr && bytes.type_index == kTVMFFISmallBytes {
            let [int, float] = number(string.payload());
            groups.push(vec![string, bytes, int, float]);
        }
    }
    let mut all = Vec::new();
    for group in groups {
        for (at, lhs) in group.iter().enumerate() {
            all.extend(group[at + 1..].iter().map(|rhs| (*lhs, *rhs)));
        }
    }
    Ok(all)
}
