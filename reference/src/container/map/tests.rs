//! The layouts to the bit: what releases make of the same calls, as was measured on them.

use std::{cell::RefCell, ffi::c_void, ptr};

use proptest::prelude::*;
use rstest::rstest;

use tvm_ffi_spec::kTVMFFIDict;

use super::{
    change::{erase, has_room_inside},
    dense::{self, NO_SLOT},
    entry::{Entry, Head},
    find::{Positions, contains},
    layout::*,
    *,
};
use crate::{
    border::error::{Error, Result},
    function,
    object::{self, ObjectRef, Payload, TypedRef, WeakRef},
    value::any::{Any, AnyView},
};

const NONE: u64 = NO_SLOT;

/// Slot, metadata, key, slot before and slot behind in the order of iteration.
type Slot = (u64, u8, i64, u64, u64);

fn slots(map: &Mapping) -> Vec<Slot> {
    let table = dense(map).expect("the map is dense");
    table.occupied().map(|slot| table.describe(slot)).collect()
}

/// Shift, first and last slot, and all that is occupied.
const INS5: (u32, u64, u64, &[Slot]) = (
    61,
    1,
    3,
    &[(1, 0x00, 0, NONE, 5), (2, 0x00, 21, 6, 3), (3, 0x00, 28, 2, NONE), (5, 0x00, 7, 1, 6), (6, 0x00, 14, 5, 2)],
);
const INS6: (u32, u64, u64, &[Slot]) = (
    61,
    1,
    7,
    &[
        (1, 0x00, 0, NONE, 5),
        (2, 0x00, 21, 6, 3),
        (3, 0x00, 28, 2, 7),
        (5, 0x00, 7, 1, 6),
        (6, 0x00, 14, 5, 2),
        (7, 0x00, 35, 3, NONE),
    ],
);
const INS9: (u32, u64, u64, &[Slot]) = (
    60,
    2,
    13,
    &[
        (1, 0x00, 42, 15, 10),
        (2, 0x00, 0, NONE, 11),
        (5, 0x00, 21, 12, 6),
        (6, 0x00, 28, 5, 15),
        (10, 0x00, 49, 1, 13),
        (11, 0x02, 7, 2, 12),
        (12, 0x00, 14, 11, 5),
        (13, 0x80, 56, 10, NONE),
        (15, 0x00, 35, 6, 1),
    ],
);
const INS12: (u32, u64, u64, &[Slot]) = (
    60,
    2,
    0,
    &[
        (0, 0x80, 77, 7, NONE),
        (1, 0x00, 42, 15, 10),
        (2, 0x00, 0, NONE, 11),
        (4, 0x00, 63, 13, 7),
        (5, 0x00, 21, 12, 6),
        (6, 0x01, 28, 5, 15),
        (7, 0x80, 70, 4, 0),
        (10, 0x00, 49, 1, 13),
        (11, 0x02, 7, 2, 12),
        (12, 0x00, 14, 11, 5),
        (13, 0x80, 56, 10, 4),
        (15, 0x01, 35, 6, 1),
    ],
);
const OVERWRITE_14: (u32, u64, u64, &[Slot]) = (
    60,
    2,
    12,
    &[
        (0, 0x80, 77, 7, 12),
        (1, 0x00, 42, 15, 10),
        (2, 0x00, 0, NONE, 11),
        (4, 0x00, 63, 13, 7),
        (5, 0x00, 21, 11, 6),
        (6, 0x01, 28, 5, 15),
        (7, 0x80, 70, 4, 0),
        (10, 0x00, 49, 1, 13),
        (11, 0x02, 7, 2, 5),
        (12, 0x00, 14, 0, NONE),
        (13, 0x80, 56, 10, 4),
        (15, 0x01, 35, 6, 1),
    ],
);
const ERASE_21: (u32, u64, u64, &[Slot]) = (
    60,
    2,
    12,
    &[
        (0, 0x80, 77, 7, 12),
        (1, 0x00, 42, 15, 10),
        (2, 0x00, 0, NONE, 11),
        (4, 0x00, 63, 13, 7),
        (6, 0x01, 28, 11, 15),
        (7, 0x80, 70, 4, 0),
        (10, 0x00, 49, 1, 13),
        (11, 0x02, 7, 2, 6),
        (12, 0x00, 14, 0, NONE),
        (13, 0x80, 56, 10, 4),
        (15, 0x01, 35, 6, 1),
    ],
);
const DICT6: (u32, u64, u64, &[Slot]) = (
    61,
    1,
    3,
    &[
        (1, 0x04, 0, NONE, 7),
        (2, 0x00, 2, 7, 5),
        (3, 0x00, 5, 4, NONE),
        (4, 0x00, 4, 5, 3),
        (5, 0x80, 3, 2, 4),
        (7, 0x00, 1, 1, 2),
    ],
);

fn set_all(map: &Mapping, keys: impl IntoIterator<Item = i64>) {
    for key in keys {
        insert(map, key.into(), (key * 10).into()).unwrap();
    }
}

fn keys(map: &Mapping) -> Vec<i64> {
    entries(map).unwrap().iter().map(|(key, _)| key.view().as_int().unwrap()).collect()
}

#[track_caller]
fn assert_table(map: &Mapping, (shift, first, last, expected): (u32, u64, u64, &[Slot])) {
    let table = dense(map).expect("the map is dense");
    assert_eq!((table.shift(), table.first(), table.last()), (shift, first, last));
    assert_eq!(slots(map), expected);
    assert_eq!(len(map), expected.len());
}

#[test]
fn the_worked_example_comes_out_slot_by_slot() {
    let map = new(vec![]).unwrap();
    let sevens = |range: std::ops::Range<i64>| range.map(|number| 7 * number);
    for (count, slots) in [(1, 2), (2, 2), (3, 4), (4, 4)] {
        set_all(&map, sevens(count - 1..count));
        assert_eq!((len(&map), head(&map).slots), (count as usize, slots | SMALL));
        assert!(has_room_inside(&map));
    }
    for (range, table) in [(4..5, INS5), (5..6, INS6), (6..9, INS9), (9..12, INS12)] {
        set_all(&map, sevens(range));
        assert_table(&map, table);
    }
    set_all(&map, [14]);
    assert_table(&map, OVERWRITE_14);
    assert_eq!(keys(&map), [0, 7, 21, 28, 35, 42, 49, 56, 63, 70, 77, 14]);
    assert!(erase(&map, Any::from(21).view()).unwrap());
    assert_table(&map, ERASE_21);
}

#[test]
fn a_dict_goes_over_to_a_table_in_place() {
    let dict = new_dict(vec![]).unwrap();
    for key in 0..6 {
        insert(&dict, key.into(), Any::NONE).unwrap();
    }
    assert_table(&dict, DICT6);
}

#[rstest]
#[case(0, 2)]
#[case(1, 2)]
#[case(2, 2)]
#[case(3, 3)]
fn a_map_of_few_entries_has_slots_for_just_them(#[case] count: i64, #[case] slots: u64) {
    let map = new((0..count).map(|key| (key.into(), Any::NONE)).collect()).unwrap();
    assert_eq!((len(&map), head(&map).slots), (count as usize, slots | SMALL));
}

// ---------------------------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------------------------

/// Holds a map to the rules of its layout, which clients count on.
#[track_caller]
fn assert_sound(map: &Mapping) {
    let Head { data, size, slots, data_deleter } = *head(map);
    let Some(table) = dense(map) else {
        assert!(size <= slots & !SMALL && slots & !SMALL <= SMALL_SLOTS);
        assert_eq!(data_deleter.is_none(), has_room_inside(map));
        return;
    };
    assert!(slots.is_power_of_two() && slots >= dense::SMALLEST.1 && data_deleter.is_some() && !data.is_null());
    assert_eq!(u64::from(table.shift()), 64 - u64::from(slots.trailing_zeros()));
    // SAFETY: nothing changes the map.
    let mut ordered: Vec<_> = unsafe { Positions::of(map) }.collect();
    assert_eq!(ordered.len() as u64, size);
    assert_eq!(ordered.last().copied().unwrap_or(NONE), table.last());
    let before = [NONE].into_iter().chain(ordered.iter().copied());
    for (&slot, before) in ordered.iter().zip(before) {
        assert_eq!(table.describe(slot).3, before);
        // Its chain leads from the home of the key to the slot.
        // SAFETY: the slot is occupied, and nothing changes the map.
        let hash = unsafe { &*table.entry(slot) }.plain_hash();
        // SAFETY: the members of a chain are occupied.
        let mut chain = std::iter::successors(table.chain_of(hash), |&slot| unsafe { table.next_in_chain(slot) });
        assert!(chain.any(|member| member == slot), "slot {slot} is not in its chain");
    }
    let mut occupied: Vec<_> = table.occupied().collect();
    occupied.sort_unstable();
    ordered.sort_unstable();
    assert_eq!(occupied, ordered);
}

/// What a dict is meant to be: keys and values in the order of iteration.
#[derive(Default)]
struct Model {
    entries: Vec<(i64, i64)>,
    is_dense: bool,
}

impl Model {
    fn set(&mut self, key: i64, value: i64) {
        self.is_dense |= self.entries.len() >= SMALL_SLOTS as usize;
        let at = self.entries.iter().position(|entry| entry.0 == key);
        match at {
            Some(at) if !self.is_dense => self.entries[at].1 = value,
            _ => {
                at.map(|at| self.entries.remove(at));
                self.entries.push((key, value));
            }
        }
    }

    fn erase(&mut self, key: i64) -> bool {
        let at = self.entries.iter().position(|entry| entry.0 == key);
        at.map(|at| self.entries.remove(at)).is_some()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Set(i64, i64),
    Erase(i64),
    Clear,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Multiples of large powers of two share their homes.
    let key = || prop_oneof![0..48i64, (0..48i64).prop_map(|key| key << 58), any::<i64>()];
    let step = prop_oneof![
        120 => (key(), any::<i64>()).prop_map(|(key, value)| Step::Set(key, value)),
        60 => key().prop_map(Step::Erase),
        1 => Just(Step::Clear),
    ];
    proptest::collection::vec(step, 0..300)
}

fn int_entries(map: &Mapping) -> Vec<(i64, i64)> {
    let int = |value: &Any| value.view().as_int().unwrap();
    entries(map).unwrap().iter().map(|(key, value)| (int(key), int(value))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_dict_is_what_its_model_is(steps in steps()) {
        let (dict, mut model) = (new_dict(vec![]).unwrap(), Model::default());
        for step in steps {
            match step {
                Step::Set(key, value) => {
                    insert(&dict, key.into(), value.into()).unwrap();
                    model.set(key, value);
                }
                Step::Erase(key) => prop_assert_eq!(erase(&dict, Any::from(key).view()).unwrap(), model.erase(key)),
                Step::Clear => {
                    clear(&dict);
                    model.entries.clear();
                }
            }
            assert_sound(&dict);
        }
        prop_assert_eq!(int_entries(&dict), model.entries.clone());
        for (key, value) in model.entries {
            let found = get(&dict, Any::from(key).view()).unwrap();
            prop_assert_eq!(found.and_then(|found| found.view().as_int()), Some(value));
        }
    }
}

#[test]
fn a_hundred_thousand_entries_find_their_places() {
    let dict = new_dict((0..100_000i64).map(|key| ((key * key).into(), key.into())).collect()).unwrap();
    assert_sound(&dict);
    for key in 0..100_000i64 {
        assert_eq!(get(&dict, Any::from(key * key).view()).unwrap().and_then(|value| value.view().as_int()), Some(key));
    }
    for key in (0..100_000i64).filter(|key| key % 3 > 0) {
        assert!(erase(&dict, Any::from(key * key).view()).unwrap());
    }
    assert_sound(&dict);
    assert_eq!(keys(&dict), (0..100_000).filter(|key| key % 3 == 0).map(|key| key * key).collect::<Vec<i64>>());
}

#[test]
fn what_is_held_ends_once() {
    for count in [1, 3, 4, 5, 100] {
        let held = Any::from(new(vec![]).unwrap());
        let is_unique = |held: &Any| held.view().cast_ref::<Map>().is_some_and(|map| map.is_unique());
        let map = new(vec![]).unwrap();
        for key in (0..count).chain(0..count) {
            insert(&map, key.into(), held.clone()).unwrap();
        }
        insert(&map, held.clone(), held.clone()).unwrap();
        let other = copy(&map).unwrap();
        assert!(erase(&map, Any::from(0).view()).unwrap() && erase(&map, held.view()).unwrap());
        drop(map);
        assert!(!is_unique(&held));
        clear(&other);
        assert!(is_unique(&held));
        assert_sound(&other);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What clients make
// ---------------------------------------------------------------------------------------------------------------------

/// A dict that a client has let grow from two small slots to four: its entries lie in another object, which goes with
/// them.
fn switched_by_client(entries: i64) -> (Dict, WeakRef) {
    unsafe extern "C" fn give_up_donor(data: *mut c_void) {
        // SAFETY: the entries lie inside an object, right behind its fields.
        drop(unsafe { ObjectRef::from_owned(data.cast::<Head>().sub(1).byte_sub(object::HEADER_SIZE).cast()) });
    }
    let (dict, donor) = (new_dict(vec![]).unwrap(), small(kTVMFFIDict, SMALL_SLOTS).unwrap());
    for key in 0..entries {
        insert(&donor, key.into(), Any::NONE).unwrap();
    }
    let weak = donor.downgrade();
    // SAFETY: nobody else has the two; the donor keeps nothing but its memory.
    unsafe {
        *head_ptr(&dict) = Head { data_deleter: Some(give_up_donor), ..*head(&donor) };
        *head_ptr(&donor) = Head { data: ptr::null_mut(), size: 0, slots: 0, data_deleter: None };
    }
    donor.into_object().into_handle();
    (dict, weak)
}

#[rstest]
#[case(2)]
#[case(4)]
#[case(5)]
#[case(40)]
fn a_dict_whose_entries_a_client_put_elsewhere_is_a_dict(#[case] count: i64) {
    let (dict, donor) = switched_by_client(4);
    for key in 0..count {
        insert(&dict, key.into(), key.into()).unwrap();
    }
    let expected: Vec<_> = (0..count.max(4)).collect();
    assert_eq!((len(&dict), donor.upgrade().is_some()), (expected.len(), false));
    let mut found = keys(&dict);
    found.sort_unstable();
    assert_eq!(found, expected);
    drop(dict);
    assert!(donor.upgrade().is_none());
}

#[test]
fn a_small_dict_elsewhere_grows_there() {
    let (dict, donor) = switched_by_client(2);
    // SAFETY: as a client may have it, no slot is left.
    unsafe { (*head_ptr(&dict)).slots = 2 | SMALL };
    insert(&dict, 2.into(), Any::NONE).unwrap();
    assert_eq!((keys(&dict), head(&dict).slots), (vec![0, 1, 2], 4 | SMALL));
    assert!(donor.upgrade().is_none());
    assert_sound(&dict);
}

thread_local! {
    /// The dict that [`add_as_it_is_freed`] changes, and how many keys it adds.
    static CHANGED: RefCell<Option<(Dict, i64)>> = const { RefCell::new(None) };
}

/// A client's way to free the entries of a dict, which changes it.
unsafe extern "C" fn add_as_it_is_freed(data: *mut c_void) {
    // SAFETY: the entries of the test come from malloc.
    unsafe { libc::free(data) };
    let (dict, count) = CHANGED.take().unwrap();
    (0..count).for_each(|key| insert(&dict, key.into(), key.into()).unwrap());
}

#[rstest]
fn whoever_frees_the_entries_of_a_dict_may_change_it(#[values(0, 1, 2, 3, 4, 5, 40)] count: i64) {
    let dict = new_dict(vec![]).unwrap();
    // SAFETY: as a client puts the entries of a dict elsewhere, and leaves no slot.
    unsafe {
        let data = libc::malloc(2 * size_of::<Entry>());
        *head_ptr(&dict) = Head { data, size: 0, slots: 2 | SMALL, data_deleter: Some(add_as_it_is_freed) };
    }
    (100..102).for_each(|key| insert(&dict, key.into(), key.into()).unwrap());
    CHANGED.set(Some((dict.clone(), count)));
    insert(&dict, 0.into(), 7.into()).unwrap();
    assert_eq!(len(&dict) as i64, 2 + count.max(1));
    assert!(int_entries(&dict).iter().all(|&(key, value)| value == if key == 0 { 7 } else { key }));
    assert_sound(&dict);
}

#[test]
fn a_map_that_was_moved_from_can_be_filled_again() {
    let dict = new_dict((0..8).map(|key| (key.into(), Any::NONE)).collect()).unwrap();
    let Head { data, data_deleter, .. } = *head(&dict);
    clear(&dict);
    // SAFETY: the map is empty; this is what a client leaves of one that it has taken the table of.
    unsafe {
        *head_ptr(&dict) = Head { data: ptr::null_mut(), size: 0, slots: 0, data_deleter: None };
        data_deleter.unwrap()(data);
    }
    assert!(get(&dict, Any::from(1).view()).unwrap().is_none() && entries(&dict).unwrap().is_empty());
    assert!(!erase(&dict, Any::from(1).view()).unwrap());
    clear(&dict);
    insert(&dict, 1.into(), 2.into()).unwrap();
    assert_eq!(int_entries(&dict), [(1, 2)]);
    assert_sound(&dict);
}

// ---------------------------------------------------------------------------------------------------------------------
// Keys with hooks
// ---------------------------------------------------------------------------------------------------------------------

/// Keys that hash and compare by a number, with hooks that run whatever a test wants first.
mod hooked {
    use std::{cell::RefCell, sync::LazyLock};

    use super::*;
    use crate::types::type_table::{self, NewType};

    type Interlude = Box<dyn FnMut() -> Result<()>>;

    thread_local! {
        static INTERLUDE: RefCell<Option<Interlude>> = const { RefCell::new(None) };
    }

    /// Has every call of a hook on this thread run `interlude`, but not one within another.
    pub fn set_interlude(interlude: impl FnMut() -> Result<()> + 'static) {
        INTERLUDE.set(Some(Box::new(interlude)));
    }

    fn interlude() -> Result<()> {
        let Some(mut interlude) = INTERLUDE.take() else { return Ok(()) };
        let result = interlude();
        INTERLUDE.set(Some(interlude));
        result
    }

    #[repr(C)]
    struct Number(i64);

    // SAFETY: a plain object has no data that the ABI prescribes.
    unsafe impl Payload for Number {
        const TYPE_INDEX: i32 = tvm_ffi_spec::kTVMFFIObject;
    }

    fn number(key: &AnyView<'_>) -> i64 {
        let object = key.as_object().unwrap();
        // SAFETY: only such objects have this type.
        unsafe { object.data::<Number>() }.0
    }

    static TYPE_INDEX: LazyLock<i32> = LazyLock::new(|| {
        let new = NewType {
            key: b"testing.Hooked",
            static_index: -1,
            depth: 1,
            num_child_slots: 0,
            can_overflow: false,
            parent_index: tvm_ffi_spec::kTVMFFIObject,
        };
        let index = type_table::get_or_register(new).unwrap();
        let hash = function::from_closure(|args| interlude().map(|()| (number(&args[0]) % 7).into()));
        let equal = function::from_closure(|args| interlude().map(|()| (number(&args[0]) == number(&args[1])).into()));
        for (name, hook) in [("__any_hash__", hash), ("__any_equal__", equal)] {
            type_table::register_attribute(index, name.as_bytes(), Any::from(hook).view()).unwrap();
        }
        index
    });

    pub fn key(value: i64) -> Any {
        let object = object::new(Number(value));
        // SAFETY: nobody else has the object yet.
        unsafe { (*object.handle().cast::<tvm_ffi_spec::TVMFFIObject>()).type_index = *TYPE_INDEX };
        object.into()
    }

    pub fn keys(map: &Mapping) -> Vec<i64> {
        entries(map).unwrap().iter().map(|(key, _)| number(key.view())).collect()
    }
}

#[test]
fn keys_with_hooks_are_found_by_them() {
    let dict = new_dict(vec![]).unwrap();
    for number in (0..50).chain(0..50) {
        insert(&dict, hooked::key(number), number.into()).unwrap();
    }
    assert_eq!(hooked::keys(&dict), (0..50).collect::<Vec<_>>());
    for number in 0..50 {
        assert_eq!(get(&dict, hooked::key(number).view()).unwrap().unwrap().view().as_int(), Some(number));
        assert!(erase(&dict, hooked::key(number).view()).unwrap());
    }
    assert_eq!(len(&dict), 0);
}

#[test]
fn a_hook_that_fails_leaves_the_map_as_it_was() {
    for size in 0..40 {
        for calls_before in 0..60 {
            let dict = new_dict(vec![]).unwrap();
            (0..size).for_each(|number| insert(&dict, hooked::key(number), number.into()).unwrap());
            let mut left = calls_before;
            hooked::set_interlude(move || {
                left -= 1;
                if left >= 0 { Ok(()) } else { Err(Error::new("ValueError", "no")) }
            });
            let inserted = insert(&dict, hooked::key(size), size.into());
            hooked::set_interlude(|| Ok(()));
            assert_eq!(hooked::keys(&dict), (0..size + i64::from(inserted.is_ok())).collect::<Vec<_>>());
            for number in 0..size {
                assert!(contains(&dict, hooked::key(number).view()).unwrap());
            }
        }
    }
}

/// What a hook does to the very map that asks it.
#[rstest]
#[case(|dict: &Mapping, _| clear(dict))]
#[case(|dict: &Mapping, call: i64| insert(dict, (1000 + call).into(), Any::NONE).unwrap())]
#[case(|dict: &Mapping, call: i64| _ = erase(dict, hooked::key(call % 10).view()).unwrap())]
#[case(|dict: &Mapping, call: i64| {
    _ = erase(dict, hooked::key(call % 10).view()).unwrap();
    insert(dict, (1000 + call).into(), Any::NONE).unwrap();
})]
fn a_hook_may_change_the_map(#[case] change: fn(&Mapping, i64)) {
    for size in 0..20 {
        for calls_before in 0..30 {
            let dict = new_dict(vec![]).unwrap();
            (0..size).for_each(|number| insert(&dict, hooked::key(number), number.into()).unwrap());
            let (changed, mut call) = (dict.clone(), 0);
            hooked::set_interlude(move || {
                call += 1;
                if call > calls_before {
                    change(&changed, call);
                }
                Ok(())
            });
            // Whether they find anything is open; that nothing breaks is not.
            _ = get(&dict, hooked::key(size / 2).view());
            _ = insert(&dict, hooked::key(size), Any::NONE);
            _ = erase(&dict, hooked::key(size / 3).view());
            hooked::set_interlude(|| Ok(()));
            assert_eq!(entries(&dict).unwrap().len(), len(&dict));
            clear(&dict);
            assert_eq!(len(&dict), 0);
        }
    }
}
