//! Data types that are nearly one, written and read one after the other: whoever keeps the latest has to look at all of it.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{NUMBERS, array, expect_read, expect_written, one, terminated, vector};
use crate::{
    checks::check,
    client::{Verdict, near},
    trial::Trial,
};

/// A data type is written as itself and its name is read after one that differs from it in one bit, or that is the same number when its
/// members are packed, added or multiplied.
#[check(DTY_0010, DTY_0001)]
fn after_one_that_is_nearly_the_same(t: &Trial) -> Verdict {
    in_turn(t, |_| Ok(()))
}

/// A data type is written as itself and its name is read after another one and a failure.
#[check(DTY_0010, DTY_0001)]
fn after_another_and_a_failure(t: &Trial) -> Verdict {
    t.short_backtraces();
    in_turn(t, |t| {
        for text in ["float3", "float32x", "int8x0"] {
            // Whether they are names is for other clauses to say.
            let mut out = one(kDLInt, 8);
            if t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut out) != 0 {
                t.api.release_raised();
            }
        }
        let mut out = TVMFFIAny::NONE;
        // Nobody has given this code a name.
        if t.api.TVMFFIDataTypeToString(&vector(one(250, 16), 4), &mut out) == 0 {
            drop(t.own(out));
        } else {
            t.api.release_raised();
        }
        Ok(())
    })
}

/// A data type is written as itself and its name is read on a thread after another has written and read one that is nearly the same.
#[check(DTY_0010, DTY_0001)]
fn after_another_on_a_thread(t: &Trial) -> Verdict {
    let mut pairs = named_pairs();
    let both = |t: &Trial, side: usize| pairs.iter().try_for_each(|pair| written_and_read(t, &pair[side]));
    both(t, 0)?;
    t.elsewhere(|t| both(t, 1))?;
    both(t, 0)?;
    // And each on a thread of its own, in whatever order.
    t.threads(2, both)?;
    pairs.reverse();
    pairs.iter().flatten().try_for_each(|named| written_and_read(t, named))
}

/// Has both of each pair written and read in turns, with something done in between.
fn in_turn(t: &Trial, between: impl Fn(&Trial) -> Verdict) -> Verdict {
    for [first, second] in named_pairs() {
        for named in [&first, &second, &first] {
            expect_written_by(t, named)?;
            between(t)?;
        }
        for named in [&first, &second, &first] {
            expect_read_by(t, named)?;
            between(t)?;
        }
        for named in [&second, &first] {
            written_and_read(t, named)?;
        }
    }
    Ok(())
}

type Named = (DLDataType, String);

fn written_and_read(t: &Trial, named: &Named) -> Verdict {
    expect_written_by(t, named)?;
    expect_read_by(t, named)
}

fn expect_written_by(t: &Trial, (dtype, name): &Named) -> Verdict {
    t.clause(clause(*dtype));
    expect_written(t, *dtype, name)
}

fn expect_read_by(t: &Trial, (dtype, name): &Named) -> Verdict {
    t.clause(clause(*dtype));
    expect_read(t, name, *dtype)
}

fn clause(dtype: DLDataType) -> &'static str {
    if dtype.lanes == 1 { id::DTY_0001 } else { id::DTY_0010 }
}

/// The pairs with their names: those of integers and floats alone, which DTY-0001 and DTY-0010 decide.
fn named_pairs() -> Vec<[Named; 2]> {
    let name = |dtype: DLDataType| {
        let (name, _) = NUMBERS.into_iter().find(|(_, code)| *code == dtype.code)?;
        let lanes = if dtype.lanes == 1 { String::new() } else { format!("x{}", dtype.lanes) };
        Some((dtype, format!("{name}{}{lanes}", dtype.bits)))
    };
    let pairs = near::data_types().into_iter().filter_map(|[one, other]| Some([name(one)?, name(other)?]));
    pairs.collect()
}
