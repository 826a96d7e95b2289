//! The order of the entries, which depends on the layout when a key gets another value.

use super::kit::{ints, set};
use crate::{
    checks::check,
    client::{Verdict, containers::numbers::up_to, view},
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
        for first in 0..len as usize {
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
