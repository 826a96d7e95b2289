//! The memory of containers, to the bit: the reference and a public release get the same calls in one process, and what
//! they make of them is compared cell by cell and slot by slot.

#![allow(non_upper_case_globals, reason = "constants keep their C names")]

mod both;

use std::{ffi::CString, fmt::Debug};

use both::{for_all, told};
use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{
        Client, Owned, Verdict,
        containers::{
            map::{Item, SMALL},
            sequence,
        },
        view,
    },
    side_by_side::{Side, on_both},
};

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

/// A value without addresses: its type, and its bytes or its text.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Plain([u8; 16]),
    Text(i32, Vec<u8>),
}

/// What a container consists of, but for addresses.
#[derive(Debug, PartialEq)]
enum Memory {
    Sequence {
        capacity: i64,
        is_inside: bool,
        has_deleter: bool,
        cells: Vec<Cell>,
    },
    Small {
        slots: u64,
        entries: Vec<(Cell, Cell)>,
    },
    Dense {
        size: u64,
        shift: u32,
        first: u64,
        last: u64,
        /// The byte of each slot, and the entry in one that is not empty.
        slots: Vec<(u8, Option<Entry>)>,
    },
}

/// Key, value, and the slots of the entries before and after.
type Entry = (Cell, Cell, u64, u64);

fn memory(client: &Client, container: &Owned) -> Verdict<Memory> {
    let object = container.handle();
    if matches!(container.any().type_index, kTVMFFIArray | kTVMFFIList) {
        let sequence::Sequence { cell: TVMFFISeqCell { data, capacity, data_deleter, .. }, items } =
            client.sequence(object)?;
        return Ok(Memory::Sequence {
            capacity,
            is_inside: data == object.wrapping_byte_add(sequence::SIZE),
            has_deleter: data_deleter.is_some(),
            cells: items.iter().map(|item| cell(client, item)).collect::<Verdict<_>>()?,
        });
    }
    let map = client.map(object)?;
    let Some(dense) = map.dense else {
        let entries = map.entries.iter().map(|(key, value)| Ok((cell(client, key)?, cell(client, value)?)));
        return Ok(Memory::Small { slots: map.cell.slots & !SMALL, entries: entries.collect::<Verdict<_>>()? });
    };
    let entry = |item: &Item| -> Verdict<Entry> {
        Ok((cell(client, &item.key)?, cell(client, &item.value)?, item.prev, item.next))
    };
    let slot = |(byte, item): &(u8, Option<Item>)| Ok((*byte, item.as_ref().map(entry).transpose()?));
    Ok(Memory::Dense {
        size: map.cell.size,
        shift: dense.cell.fib_shift,
        first: dense.cell.head,
        last: dense.cell.tail,
        slots: dense.slots.iter().map(slot).collect::<Verdict<_>>()?,
    })
}

fn cell(client: &Client, value: &TVMFFIAny) -> Verdict<Cell> {
    match value.type_index {
        kTVMFFIStr | kTVMFFIBytes => Ok(Cell::Text(value.type_index, client.text(value)?)),
        kTVMFFIStaticObjectBegin.. => panic!("no objects but texts are put into containers here"),
        _ => Ok(Cell::Plain(value.to_bytes())),
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

/// A value to be put into containers.
#[derive(Clone, Debug)]
enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(CString),
    Bytes(Vec<u8>),
}

/// Passes views of values to `call`.
fn with_views<R>(values: &[Value], call: impl FnOnce(&[TVMFFIAny]) -> R) -> R {
    let spans: Vec<_> = values
        .iter()
        .map(
            |value| {
                if let Value::Bytes(content) = value { TVMFFIByteArray::new(content) } else { TVMFFIByteArray::EMPTY }
            },
        )
        .collect();
    let view = |(value, span): (&Value, &TVMFFIByteArray)| match value {
        Value::None => TVMFFIAny::NONE,
        Value::Bool(value) => view::bool(*value),
        Value::Int(value) => view::int(*value),
        Value::Float(value) => view::float(*value),
        Value::Str(text) => view::c_str(text),
        Value::Bytes(_) => view::byte_array(span),
    };
    call(&values.iter().zip(&spans).map(view).collect::<Vec<_>>())
}

fn values() -> impl Strategy<Value = Value> {
    let text = || prop_oneof!["[a-d]{0,2}", "a long text [a-d]{0,2}"];
    prop_oneof![
        1 => Just(Value::None),
        1 => any::<bool>().prop_map(Value::Bool),
        12 => (0..64i64).prop_map(Value::Int),
        4 => any::<i64>().prop_map(Value::Int),
        2 => prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), any::<f64>()].prop_map(Value::Float),
        4 => text().prop_map(|text| Value::Str(CString::new(text).unwrap())),
        2 => text().prop_map(|text| Value::Bytes(text.into_bytes())),
    ]
}

// ---------------------------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------------------------

/// A call whose first argument is the container.
type Step = (&'static str, Vec<Value>);

/// Makes a container on both sides, takes it through the same steps, and compares answers and memory after each.
fn same_after_each_step(sides: &[Side; 2], make: &Step, steps: &[Step]) -> Verdict {
    let [ours, theirs] = sides;
    let made = |side: &Side| with_views(&make.1, |args| side.call_global(make.0, args));
    let containers = [made(ours)?, made(theirs)?];
    let memories = || -> Verdict<_> { Ok([memory(ours, &containers[0])?, memory(theirs, &containers[1])?]) };
    let [memory, expected] = memories()?;
    assert_eq!(memory, expected, "{make:?}");
    for (name, args) in steps {
        let answer = |side: &Side, container: &Owned| -> Verdict<_> {
            with_views(args, |args| {
                let args: Vec<_> = [container.any()].into_iter().chain(args.iter().copied()).collect();
                match side.answer(name, &args)? {
                    Ok(answer) => Ok(Ok(cell(side, &answer.any())?)),
                    Err(raised) => Ok(Err(told(&raised))),
                }
            })
        };
        assert_eq!(answer(ours, &containers[0])?, answer(theirs, &containers[1])?, "{name} {args:?}");
        if *name == "ffi.ListInsert" {
            // A release makes room before it refuses an index, and the reference does not (DIFFERENCES.md).
            let room = theirs.sequence(containers[1].handle())?.cell.capacity;
            ours.call_global("ffi.ListReserve", &[containers[0].any(), view::int(room)])?;
        }
        let [memory, expected] = memories()?;
        assert_eq!(memory, expected, "{name} {args:?}");
    }
    Ok(())
}

fn step<S: Strategy>(name: &'static str, args: impl Fn() -> S) -> impl Strategy<Value = Step>
where
    S::Value: Into<Vec<Value>> + Debug,
{
    args().prop_map(move |args| (name, args.into()))
}

#[test]
fn dicts_are_the_same_to_the_bit() {
    let one = || values().prop_map(|value| vec![value]);
    let two = || (values(), values()).prop_map(|(key, value)| vec![key, value]);
    let steps = prop_oneof![
        12 => step("ffi.DictSetItem", two),
        5 => step("ffi.DictErase", one),
        2 => step("ffi.DictGetItem", one),
        1 => step("ffi.DictCount", one),
        1 => step("ffi.DictSize", || Just(vec![])),
    ];
    let pairs = vec((values(), values()), 0..12)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(key, value)| [key, value]).collect());
    let strategy = (pairs, vec(steps, 0..200), any::<bool>());
    on_both(|sides| {
        for_all(strategy, |(pairs, mut steps, clear)| {
            if clear {
                steps.insert(steps.len() / 2, ("ffi.DictClear", vec![]));
            }
            same_after_each_step(sides, &("ffi.Dict", pairs), &steps)
        });
    });
}

#[test]
fn maps_are_the_same_to_the_bit() {
    let lookups = vec(step("ffi.MapGetItem", || values().prop_map(|key| vec![key])), 0..20);
    let pairs = vec(values(), 0..200).prop_map(|mut values| {
        values.truncate(values.len() & !1);
        values
    });
    on_both(|sides| {
        for_all((pairs, lookups), |(pairs, lookups)| same_after_each_step(sides, &("ffi.Map", pairs), &lookups));
    });
}

#[test]
fn lists_are_the_same_to_the_bit() {
    let index = || (-2..20i64).prop_map(Value::Int);
    let steps = prop_oneof![
        6 => step("ffi.ListAppend", || values().prop_map(|value| vec![value])),
        3 => step("ffi.ListInsert", move || (index(), values()).prop_map(|(at, value)| vec![at, value])),
        2 => step("ffi.ListSetItem", move || (index(), values()).prop_map(|(at, value)| vec![at, value])),
        2 => step("ffi.ListGetItem", move || index().prop_map(|at| vec![at])),
        1 => step("ffi.ListPop", move || index().prop_map(|at| vec![at])),
        1 => step("ffi.ListErase", move || index().prop_map(|at| vec![at])),
        1 => step("ffi.ListEraseRange", move || (index(), index()).prop_map(|(start, stop)| vec![start, stop])),
        1 => step("ffi.ListReserve", move || index().prop_map(|room| vec![room])),
        1 => step("ffi.ListContains", || values().prop_map(|value| vec![value])),
        1 => step("ffi.ListReverse", || Just(vec![])),
        1 => step("ffi.ListClear", || Just(vec![])),
    ];
    on_both(|sides| {
        for_all((vec(values(), 0..8), vec(steps, 0..60)), |(made, steps)| {
            same_after_each_step(sides, &("ffi.List", made), &steps)
        });
    });
}

#[test]
fn arrays_are_the_same_to_the_bit() {
    let get = step("ffi.ArrayGetItem", || (-2..10i64).prop_map(|at| vec![Value::Int(at)]));
    on_both(|sides| {
        for_all((vec(values(), 0..8), vec(get, 0..4)), |(made, steps)| {
            same_after_each_step(sides, &("ffi.Array", made), &steps)
        });
    });
}

#[test]
fn a_map_of_a_hundred_thousand_is_the_same_to_the_bit() {
    let pairs: Vec<_> = (0..100_000i64).flat_map(|key| [view::int(key * key), view::int(key)]).collect();
    let made = |side: &Side| memory(side, &side.call_global("ffi.Map", &pairs)?);
    on_both(|[ours, theirs]| assert!(made(ours).unwrap() == made(theirs).unwrap()));
}
