//! The layouts to the bit: what releases make of the same calls, as was measured on them.

use rstest::rstest;

use super::*;

const NONE: u64 = NO_SLOT;

/// Slot, metadata, key, slot before and slot behind in the order of iteration.
type Slot = (u64, u8, i64, u64, u64);

fn slots(map: &ObjectRef) -> Vec<Slot> {
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

fn set_all(map: &mut ObjectRef, keys: impl IntoIterator<Item = i64>) {
    for key in keys {
        set(map, key.into(), (key * 10).into()).unwrap();
    }
}

fn keys(map: &ObjectRef) -> Vec<i64> {
    entries(map).iter().map(|(key, _)| key.view().as_int().unwrap()).collect()
}

#[track_caller]
fn assert_table(map: &ObjectRef, (shift, first, last, expected): (u32, u64, u64, &[Slot])) {
    let table = dense(map).expect("the map is dense");
    assert_eq!((table.shift(), table.first(), table.last()), (shift, first, last));
    assert_eq!(slots(map), expected);
    assert_eq!(len(map), expected.len());
}

#[test]
fn the_worked_example_comes_out_slot_by_slot() {
    let mut map = empty(kTVMFFIMap).unwrap();
    let sevens = |range: std::ops::Range<i64>| range.map(|number| 7 * number);
    for (count, slots) in [(1, 2), (2, 2), (3, 4), (4, 4)] {
        set_all(&mut map, sevens(count - 1..count));
        assert_eq!((len(&map), head(&map).slots), (count as usize, slots | SMALL));
        assert!(has_room_inside(&map));
    }
    for (range, table) in [(4..5, INS5), (5..6, INS6), (6..9, INS9), (9..12, INS12)] {
        set_all(&mut map, sevens(range));
        assert_table(&map, table);
    }
    set_all(&mut map, [14]);
    assert_table(&map, OVERWRITE_14);
    assert_eq!(keys(&map), [0, 7, 21, 28, 35, 42, 49, 56, 63, 70, 77, 14]);
    assert!(erase(&map, Any::from(21).view()).unwrap());
    assert_table(&map, ERASE_21);
}

#[test]
fn a_dict_goes_over_to_a_table_in_place() {
    let dict = empty(kTVMFFIDict).unwrap();
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
