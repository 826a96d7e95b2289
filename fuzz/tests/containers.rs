//! Containers beside a model: any changes in any order.

use bolero::TypeGenerator;
use tvm_ffi_fuzz::{made, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Client, Owned, view},
    side_by_side,
};

/// A change of a List.
#[derive(Clone, Debug, TypeGenerator)]
enum Change {
    Append(u8),
    Set(i8, u8),
    Insert(i8, u8),
    Pop(i8),
    Erase(i8),
    EraseRange(i8, i8),
    ReplaceSlice(i8, i8, Vec<u8>),
    Reverse,
    Clear,
    Reserve(u8),
}

fn integer(value: u8) -> TVMFFIAny {
    view::int(value.into())
}

fn at(index: i8) -> TVMFFIAny {
    view::int(index.into())
}

/// Calls a function that has to succeed if `allowed` says so, and to raise an `IndexError` otherwise.
fn call(client: &Client, name: &str, args: &[TVMFFIAny], allowed: bool) -> Option<Owned> {
    let answer = made(client.answer(name, args));
    assert_eq!(answer.as_ref().err().map(String::as_str), (!allowed).then_some("IndexError"), "{name}");
    answer.ok()
}

fn change_list(client: &Client, list: &Owned, model: &mut Vec<u8>, change: &Change) {
    let (this, len) = (list.any(), model.len());
    let inside = |index: i8| usize::try_from(index).is_ok_and(|index| index < len);
    let range = |start: i8, stop: i8| 0 <= start && start <= stop && stop as usize <= len;
    match *change {
        Change::Append(value) => {
            call(client, "ffi.ListAppend", &[this, integer(value)], true);
            model.push(value);
        }
        Change::Set(index, value) => {
            if call(client, "ffi.ListSetItem", &[this, at(index), integer(value)], inside(index)).is_some() {
                model[index as usize] = value;
            }
        }
        Change::Insert(index, value) => {
            let allowed = usize::try_from(index).is_ok_and(|index| index <= len);
            if call(client, "ffi.ListInsert", &[this, at(index), integer(value)], allowed).is_some() {
                model.insert(index as usize, value);
            }
        }
        Change::Pop(index) => {
            if let Some(popped) = call(client, "ffi.ListPop", &[this, at(index)], inside(index)) {
                assert_eq!(popped.any().payload(), u64::from(model.remove(index as usize)));
            }
        }
        Change::Erase(index) => {
            if call(client, "ffi.ListErase", &[this, at(index)], inside(index)).is_some() {
                model.remove(index as usize);
            }
        }
        // Whether an empty range may lie outside of the List is not laid down, nor what becomes of one to be replaced.
        Change::EraseRange(start, stop) if start != stop || range(start, stop) => {
            if call(client, "ffi.ListEraseRange", &[this, at(start), at(stop)], range(start, stop)).is_some() {
                model.drain(start as usize..stop as usize);
            }
        }
        Change::ReplaceSlice(start, stop, ref values) if range(start, stop) => {
            let items: Vec<TVMFFIAny> = values.iter().map(|value| integer(*value)).collect();
            let new = call(client, "ffi.List", &items, true).expect("a List can be made");
            call(client, "ffi.ListReplaceSlice", &[this, at(start), at(stop), new.any()], true);
            model.splice(start as usize..stop as usize, values.iter().copied());
        }
        Change::EraseRange(..) | Change::ReplaceSlice(..) => {}
        Change::Reverse => {
            call(client, "ffi.ListReverse", &[this], true);
            model.reverse();
        }
        Change::Clear => {
            call(client, "ffi.ListClear", &[this], true);
            model.clear();
        }
        Change::Reserve(room) => {
            call(client, "ffi.ListReserve", &[this, integer(room)], true);
        }
    }
}

#[test]
fn list_is_what_a_model_is() {
    let reference = side_by_side::reference();
    target!().with_type::<Vec<Change>>().for_each(|changes| {
        let list = call(&reference, "ffi.List", &[], true).expect("a List can be made");
        let mut model = Vec::new();
        for change in changes {
            change_list(&reference, &list, &mut model, change);
            let expected: Vec<i64> = model.iter().map(|value| (*value).into()).collect();
            reference.holds_ints(list.handle(), &expected).unwrap_or_else(|failure| panic!("{failure:?}"));
        }
    });
}

/// A key: many of them begin their chains in few places.
#[derive(Clone, Debug, TypeGenerator)]
enum Key {
    Small(u8),
    Wide(u8),
    Negative(u8),
    Text(u8),
    Float(u8),
}

impl Key {
    fn make(&self, client: &Client) -> Owned {
        match self {
            Self::Small(number) => client.own(view::int((number % 64).into())),
            Self::Wide(number) => client.own(view::int(i64::from(number % 32) << 40)),
            Self::Negative(number) => client.own(view::int(-1 - i64::from(*number))),
            Self::Float(number) => client.own(view::float(f64::from(number % 16) / 4.0)),
            Self::Text(number) => {
                let text = "key ".repeat(usize::from(number % 5));
                client.string(format!("{text}{}", number / 5).as_bytes()).expect("a String can be made")
            }
        }
    }

    /// The same for keys that are equal.
    fn told(&self) -> String {
        match self {
            Self::Small(number) => format!("{}", number % 64),
            Self::Wide(number) => format!("{}", i64::from(number % 32) << 40),
            Self::Negative(number) => format!("{}", -1 - i64::from(*number)),
            Self::Float(number) => format!("{:?}f", f64::from(number % 16) / 4.0),
            Self::Text(number) => format!("text {} {}", number % 5, number / 5),
        }
    }
}

/// A change of a Dict: a key with a value, or without one any more, or nothing left.
type Update = Option<(Key, Option<u8>)>;

#[test]
fn dict_is_what_a_model_is() {
    let reference = side_by_side::reference();
    target!().with_type::<Vec<Update>>().for_each(|updates| {
        let dict = call(&reference, "ffi.Dict", &[], true).expect("a Dict can be made");
        let mut model = std::collections::BTreeMap::new();
        for update in updates {
            match update {
                Some((key, Some(value))) => {
                    let args = [dict.any(), key.make(&reference).into_any(), integer(*value)];
                    call(&reference, "ffi.DictSetItem", &args, true);
                    drop(reference.own(args[1]));
                    model.insert(key.told(), *value);
                }
                Some((key, None)) => {
                    let made = key.make(&reference);
                    call(&reference, "ffi.DictErase", &[dict.any(), made.any()], true);
                    model.remove(&key.told());
                }
                None => {
                    call(&reference, "ffi.DictClear", &[dict.any()], true);
                    model.clear();
                }
            }
            // Reading it holds its memory to the rules of the layout.
            let entries = reference.map(dict.handle()).unwrap_or_else(|failure| panic!("{failure:?}")).entries;
            assert_eq!(entries.len(), model.len());
            if let Some((key, _)) = update {
                let made_key = key.make(&reference);
                let found = made(reference.answer("ffi.DictGetItem", &[dict.any(), made_key.any()]));
                let found = found.map(|value| value.any().payload() as u8);
                assert_eq!(found, model.get(&key.told()).copied().ok_or("KeyError".to_owned()));
            }
        }
    });
}
