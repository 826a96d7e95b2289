//! The order of the entries, which depends on the layout when a key gets another value.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{ints, set};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{erase_from_dense, free_buffer, set_in_dict},
            map::{MapCell, SMALL},
            numbers::up_to,
        },
        homemade::Homemade,
        view,
    },
    trial::Trial,
};

/// The entries of a Dict are in the order in which their keys were put in, however the Dict grows.
#[check(DCT_0010)]
fn order(t: &Trial) -> Verdict {
    let (dict, mut expected) = (ints(t, &[])?, Vec::new());
    for number in 0..40 {
        let key = number * 7919 % 1000 - 500;
        set(t, &dict, key, number)?;
        expected.push((key, number));
        t.maps_ints(dict.handle(), &expected)?;
    }
    Ok(())
}

/// A key whose value changes while the Dict is small and has room keeps its place.
#[check(DCT_0011)]
fn order_small(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20)])?;
    set(t, &dict, 1, 11)?;
    t.maps_ints(dict.handle(), &[(1, 11), (2, 20)])?;
    set(t, &dict, 3, 30)?;
    set(t, &dict, 2, 21)?;
    set(t, &dict, 1, 12)?;
    t.maps_ints(dict.handle(), &[(1, 12), (2, 21), (3, 30)])
}

/// A key whose value changes while the Dict is dense becomes the last.
#[check(DCT_0012)]
fn order_dense(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40), (5, 50)])?;
    set(t, &dict, 2, 21)?;
    t.maps_ints(dict.handle(), &[(1, 10), (3, 30), (4, 40), (5, 50), (2, 21)])?;
    set(t, &dict, 2, 22)?;
    set(t, &dict, 1, 11)?;
    t.maps_ints(dict.handle(), &[(3, 30), (4, 40), (5, 50), (2, 22), (1, 11)])
}

/// A key whose value changes while the Dict has four entries becomes the last.
#[check(DCT_0013)]
fn order_full(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40)])?;
    set(t, &dict, 2, 21)?;
    t.maps_ints(dict.handle(), &[(1, 10), (3, 30), (4, 40), (2, 21)])
}

/// The entries of a Dict keep their order when another entry is erased.
#[check(DCT_0014)]
fn order_after_erase(t: &Trial) -> Verdict {
    for len in [2, 3, 4, 5, 6, 40] {
        // In a long one, each place is erased early or late whichever is the first.
        for first in (0..len as usize).step_by(if len < 10 { 1 } else { 5 }) {
            let mut expected: Vec<_> = (0..len).map(|key| (key * 7919 % 1000, key)).collect();
            let dict = ints(t, &expected)?;
            // From each place on, round and round.
            let mut place = first;
            while expected.len() > 1 {
                let (key, _) = expected.remove(place % expected.len());
                t.call_void("ffi.DictErase", &[dict.any(), view::int(key)])?;
                t.maps_ints(dict.handle(), &expected)?;
                place += 2;
            }
        }
    }
    Ok(())
}

/// A key that was erased from a Dict and is put back becomes the last.
#[check(DCT_0014)]
fn order_put_back(t: &Trial) -> Verdict {
    for len in [3, 20] {
        let mut expected = up_to(len);
        let dict = ints(t, &expected)?;
        t.call_void("ffi.DictErase", &[dict.any(), view::int(1)])?;
        set(t, &dict, 1, 100)?;
        expected.remove(1);
        expected.push((1, 100));
        t.maps_ints(dict.handle(), &expected)?;
    }
    Ok(())
}

/// A key that is put back after it was erased is the last, wherever it stood, in a Dict of any size, with its old value or another,
/// whoever erases and whoever puts back.
#[check(DCT_0014, DCT_0025)]
fn put_back_from_every_place(t: &Trial) -> Verdict {
    for (len, [erases, puts]) in [1, 2, 3, 4, 5, 6, 9, 20].into_iter().flat_map(|len| BY_CLIENT.map(|by| (len, by))) {
        for place in (0..len).filter(|place| len < 9 || [0, 1, len / 2, len - 2, len - 1].contains(place)) {
            for value in [place as i64, 100] {
                let mut expected = up_to(len as i64);
                let dict = ints(t, &expected)?;
                if (erases || puts) && !is_dense(t, &dict)? {
                    continue;
                }
                t.clause(if erases || puts { id::DCT_0025 } else { id::DCT_0014 });
                // Twice: the second time it is the last that goes, and comes again.
                for _ in 0..2 {
                    let at = expected.iter().position(|(key, _)| *key == place as i64).unwrap_or_default();
                    let (key, _) = expected.remove(at);
                    match erases {
                        true => drop(erase_from_dense(t, dict.handle(), &view::int(key))?),
                        false => t.call_void("ffi.DictErase", &[dict.any(), view::int(key)])?,
                    }
                    match puts {
                        true => set_in_dict(t, dict.handle(), [view::int(key), view::int(value)], free_buffer)?,
                        false => set(t, &dict, key, value)?,
                    }
                    expected.push((key, value));
                    t.maps_ints(dict.handle(), &expected)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether a client in place erases, and whether it puts back.
const BY_CLIENT: [[bool; 2]; 4] = [[false, false], [true, false], [false, true], [true, true]];

fn is_dense(t: &Trial, dict: &Owned) -> Verdict<bool> {
    Ok(t.cell::<MapCell>("cell", dict.handle())?.slots & SMALL == 0)
}

/// Keys of every kind that are put back into a Dict after several were erased stand behind all others, in the order in which they come back.
#[check(DCT_0014)]
fn several_put_back(t: &Trial) -> Verdict {
    for len in [2_usize, 4, 5, 9] {
        let objects: Vec<_> = (0..len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        let texts =
            (0..len).map(|at| t.string(format!("a key of a Dict, {at}").as_bytes())).collect::<Verdict<Vec<_>>>()?;
        let kinds: [Vec<TVMFFIAny>; 3] = [
            (0..len as i64).map(view::int).collect(),
            objects.iter().map(Homemade::view).collect(),
            texts.iter().map(Owned::any).collect(),
        ];
        let orders = [[0, len - 1], [len - 1, 0], [0, 1], [1, 0], [len / 2, 0], [0, len / 2]];
        for (keys, [one, other]) in kinds.iter().flat_map(|keys| orders.map(|order| (keys, order))) {
            for (reversed, between) in [(false, false), (true, false), (false, true), (true, true)] {
                let dict = t.call_global("ffi.Dict", &keys.iter().flat_map(|key| [*key, *key]).collect::<Vec<_>>())?;
                let mut expected: Vec<_> = (0..len).filter(|at| ![one, other].contains(at)).collect();
                for at in if one == other { vec![one] } else { vec![one, other] } {
                    t.call_void("ffi.DictErase", &[dict.any(), keys[at]])?;
                }
                let mut back = if one == other { vec![one] } else { vec![one, other] };
                if reversed {
                    back.reverse();
                }
                // Another key that comes and goes meanwhile.
                if between {
                    set(t, &dict, -1, 0)?;
                    t.call_void("ffi.DictErase", &[dict.any(), view::int(-1)])?;
                }
                for at in back {
                    t.call_void("ffi.DictSetItem", &[dict.any(), keys[at], view::int(7)])?;
                    expected.push(at);
                    let found: Vec<_> =
                        t.map(dict.handle())?.entries.iter().map(|(key, _)| (key.type_index, key.payload())).collect();
                    let wanted: Vec<_> =
                        expected.iter().map(|at| (keys[*at].type_index, keys[*at].payload())).collect();
                    t.eq(format_args!("the keys after {at} of {len} was put back"), found, wanted)?;
                }
            }
        }
    }
    Ok(())
}
