//! The memory of containers, to the bit: the reference and a public release get the same calls in one process, and what
//! they make of them is compared cell by cell and slot by slot.

#![allow(non_upper_case_globals, reason = "constants keep their C names")]

mod both;

use std::{
    ffi::{CString, c_void},
    fmt::Debug,
};

use both::{Owned, Side, bytes, for_all, on_both};
use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::*;
use tvm_ffi_verify::client::containers::map::{BLOCK, BLOCK_SLOTS, DenseCell, Item, MapCell, SMALL};

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
        slots: u64,
        size: u64,
        shift: u32,
        first: u64,
        last: u64,
        metadata: Vec<u8>,
        items: Vec<(Cell, Cell, u64, u64)>,
    },
}

impl Owned<'_> {
    /// Behind the header of the object.
    fn cell<T>(&self) -> *const T {
        // SAFETY: the value is a container, whose cell follows the header.
        unsafe { (self.value.payload() as *const TVMFFIObject).add(1).cast() }
    }

    fn memory(&self) -> Memory {
        match self.value.type_index {
            kTVMFFIArray | kTVMFFIList => self.sequence(),
            kTVMFFIMap | kTVMFFIDict => self.map(),
            other => panic!("type index {other} is no container"),
        }
    }

    fn sequence(&self) -> Memory {
        // SAFETY: the cell of a sequence, and its live values.
        let (TVMFFISeqCell { data, size, capacity, data_deleter }, is_inside) = unsafe {
            (
                *self.cell::<TVMFFISeqCell>(),
                (*self.cell::<TVMFFISeqCell>()).data.cast_const() == self.cell::<TVMFFISeqCell>().add(1).cast(),
            )
        };
        // SAFETY: as above.
        let cells = (0..size as usize).map(|index| unsafe { cell(data.cast::<TVMFFIAny>().add(index)) }).collect();
        Memory::Sequence { capacity, is_inside, has_deleter: data_deleter.is_some(), cells }
    }

    fn map(&self) -> Memory {
        // SAFETY: the cell of a map.
        let MapCell { data, size, slots, .. } = unsafe { *self.cell() };
        if slots & SMALL != 0 {
            // SAFETY: live entries.
            let entry = |index| unsafe { (cell(at(data, 32 * index)), cell(at(data, 32 * index + 16))) };
            return Memory::Small { slots: slots & !SMALL, entries: (0..size as usize).map(entry).collect() };
        }
        // SAFETY: the cell of a dense map, the metadata of its slots, and the items in those that are not empty.
        unsafe {
            let DenseCell { fib_shift: shift, head: first, tail: last, .. } = *self.cell();
            let block = |slot: u64| ((slot / BLOCK_SLOTS) as usize * BLOCK, (slot % BLOCK_SLOTS) as usize);
            let metadata = |slot| at::<u8>(data, block(slot).0 + block(slot).1).read();
            let item = |slot| {
                let (start, index) = block(slot);
                let item = at::<Item>(data, start + BLOCK_SLOTS as usize + index * size_of::<Item>());
                (cell(&raw const (*item).key), cell(&raw const (*item).value), (*item).prev, (*item).next)
            };
            let occupied = (0..slots).filter(|&slot| metadata(slot) < 0xFE);
            let (metadata, items) = ((0..slots).map(metadata).collect(), occupied.map(item).collect());
            Memory::Dense { slots, size, shift, first, last, metadata, items }
        }
    }
}

/// # Safety
/// There is a `T` so many bytes behind `data`.
unsafe fn at<T>(data: *const c_void, offset: usize) -> *const T {
    // SAFETY: the caller's contract.
    unsafe { data.byte_add(offset).cast() }
}

/// # Safety
/// `value` points to a live value.
unsafe fn cell(value: *const TVMFFIAny) -> Cell {
    // SAFETY: the caller's contract; texts have their content behind the header.
    unsafe {
        match (*value).type_index {
            kTVMFFIStr | kTVMFFIBytes => {
                let object = (*value).payload() as *const TVMFFIObject;
                Cell::Text((*value).type_index, bytes(&*object.add(1).cast()).to_vec())
            }
            kTVMFFIStaticObjectBegin.. => panic!("no objects but texts are put into containers here"),
            _ => Cell::Plain((*value).to_bytes()),
        }
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
        Value::Bool(value) => TVMFFIAny::new(kTVMFFIBool, u64::from(*value)),
        Value::Int(value) => int(*value),
        Value::Float(value) => TVMFFIAny::new(kTVMFFIFloat, value.to_bits()),
        Value::Str(text) => TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64),
        Value::Bytes(_) => TVMFFIAny::new(kTVMFFIByteArrayPtr, &raw const *span as u64),
    };
    call(&values.iter().zip(&spans).map(view).collect::<Vec<_>>())
}

fn int(value: i64) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIInt, value as u64)
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
fn same_after_each_step([ours, theirs]: &[Side; 2], make: &Step, steps: &[Step]) {
    let [made, other] = [ours, theirs]
        .map(|side| with_views(&make.1, |args| side.call(make.0, args)).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(made.memory(), other.memory(), "{make:?}");
    for (name, args) in steps {
        let [answer, expected] = [&made, &other].map(|container| {
            with_views(args, |args| {
                let args: Vec<_> = [container.value].into_iter().chain(args.iter().copied()).collect();
                // SAFETY: the answer is alive.
                container.side.call(name, &args).map(|answer| unsafe { cell(&answer.value) })
            })
        });
        assert_eq!(answer, expected, "{name} {args:?}");
        assert_eq!(made.memory(), other.memory(), "{name} {args:?}");
    }
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
            same_after_each_step(sides, &("ffi.Dict", pairs), &steps);
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
            same_after_each_step(sides, &("ffi.List", made), &steps);
        });
    });
}

#[test]
fn arrays_are_the_same_to_the_bit() {
    let get = step("ffi.ArrayGetItem", || (-2..10i64).prop_map(|at| vec![Value::Int(at)]));
    on_both(|sides| {
        for_all((vec(values(), 0..8), vec(get, 0..4)), |(made, steps)| {
            same_after_each_step(sides, &("ffi.Array", made), &steps);
        });
    });
}

#[test]
fn a_map_of_a_hundred_thousand_is_the_same_to_the_bit() {
    let pairs: Vec<_> = (0..100_000i64).flat_map(|key| [int(key * key), int(key)]).collect();
    on_both(|[ours, theirs]| {
        let [made, other] =
            [ours, theirs].map(|side| side.call("ffi.Map", &pairs).unwrap_or_else(|error| panic!("{error}")));
        assert!(made.memory() == other.memory());
    });
}
