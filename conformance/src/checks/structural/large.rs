//! Containers of any size with a variable in them, which a value uses in one place and defines in another.

use tvm_ffi_spec::{clause::id, *};

use super::asked::Asked;
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

/// What stands in a value, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// The variable by itself.
    Variable,
    /// A container with the variable in it.
    Used,
    /// An object that defines what is in such a container.
    Defined,
}

const VALUES: [&[Part]; 9] = {
    use Part::{Defined, Used, Variable};
    [
        &[Defined, Variable],
        &[Used, Defined, Variable],
        &[Variable, Used, Defined, Variable],
        &[Variable, Used, Used, Defined, Variable],
        &[Defined, Used],
        &[Variable, Defined, Used, Variable],
        &[Used, Used, Defined],
        &[Variable, Defined, Defined, Used],
        &[Used, Variable, Defined, Used],
    ]
};

/// Sizes of containers: few parts, many, and those around where a library may begin to remember what it has hashed.
const SIZES: [i64; 7] = [1, 2, 8, 63, 64, 65, 200];

/// Values that are structurally equal have one hash, be it that one container with a variable stands where that is used and where it is defined or
/// that several do which are alike, in containers of any kind and size.
#[check(SEQ_0007, patient = 2)]
fn one_hash_of_what_is_used_and_defined(t: &Trial) -> Verdict {
    let asked = Asked::new(t)?;
    let variable = node_type(t, "test.VarInLarge", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let x = node(variable, view::int(1), view::int(2));
    let flags = [
        ("test.PatternOfLarge", kTVMFFIFieldFlagBitMaskSEqHashDefPattern),
        ("test.SimpleOfLarge", kTVMFFIFieldFlagBitMaskSEqHashDefSimple),
    ];
    let [pattern, simple] = flags.map(|(key, flag)| node_type(t, key, kTVMFFISEqHashKindTreeNode, [flag, 0]));
    let (definitions, makes) = ([("by a pattern", pattern?), ("simply", simple?)], t.containers()?);
    for (layer, size) in SIZES.into_iter().enumerate() {
        for (column, place) in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone).enumerate() {
            // Those of the longest value, and one more.
            let containers = (0..6).map(|_| place.put_before(t, &x.view(), size - 1)).collect::<Verdict<Vec<_>>>()?;
            for (row, parts) in VALUES.into_iter().enumerate() {
                // In turn, so that each comes with each of all else.
                let turn = layer + column + row;
                let (make, (binds, definition)) = (makes[turn % makes.len()], definitions[turn / 4 % 2]);
                let value = |is_shared: bool| -> Verdict<Owned> {
                    let mut items = Vec::new();
                    for (part, own) in parts.iter().zip(&containers[1..]) {
                        let held = if is_shared { &containers[0] } else { own }.any();
                        let item = match part {
                            Part::Variable => Place::Alone.put(t, &x.view())?,
                            Part::Used => Place::Alone.put(t, &held)?,
                            Part::Defined => t.own(node(definition, held, view::int(3)).view()),
                        };
                        items.push(item);
                    }
                    t.container_of(make, &items.iter().map(Owned::any).collect::<Vec<_>>())
                };
                let (one, apart) = (value(true)?, value(false)?);
                for mapped in [false, true] {
                    // Which variables correspond is for other clauses to say.
                    if asked.are_equal(t, &one, &apart, mapped)? {
                        t.clause(id::SEQ_0007);
                        let what = format_args!(
                            "the hash of {make} of {parts:?} with one {place:?} of {size}, defined {binds}, mapped: {mapped}"
                        );
                        t.eq(what, asked.hash(t, &one, mapped)?, asked.hash(t, &apart, mapped)?)?;
                    }
                }
            }
        }
    }
    Ok(())
}
