//! Structural hashes: known answers, and what variables, graphs and hooks make of them.

use super::*;

/// Known answers: what the release makes of the same values of types with these keys.
#[rstest]
#[case::array(array_of([1.into(), 2.into(), text("x")]), 17457834911281710515)]
#[case::map(map_of([(1.into(), 1.into()), (2.into(), 2.into()), (3.into(), 3.into())]), 10365915379169908578)]
#[case::small_bytes(text::bytes(b"abc").unwrap(), 2660949777)]
#[case::string(text("hello world, this is long"), 3024346752)]
#[case::tree(TREE.make(1, text("x")).into(), 1285325551925415066)]
#[case::nested(
    TREE.make(
        array_of([1.into(), TREE.make(2, Any::NONE).into()]),
        map_of([(text("k"), TREE.make(float(1.5), text::bytes(b"y").unwrap()).into())]),
    ).into(),
    4782394117648473340
)]
#[case::constant(CONST.make(1, 2).into(), 5901656234997407261)]
fn values_hash_as_in_the_release(#[case] value: Any, #[case] expected: u64) {
    assert_eq!(hashed(&value), expected);
    assert_eq!(hashed_mapping(&value), expected);
}

#[test]
fn variables_and_graphs_hash_as_in_the_release() {
    let ((x, y), d) = (variables(), dag_node());
    let func = FUNC.make(array_of([x.clone(), y.clone()]), array_of([y.clone(), x.clone()]));
    assert_eq!(hashed(&func.into()), 14942105365236050730);
    assert_eq!(hashed(&TREE.make(d.clone(), d.clone()).into()), 6197861308103205394);
    assert_eq!(hashed(&TREE.make(d.clone(), dag_node()).into()), 6197861308103205395);
    let keyed = TREE.make(d.clone(), map_of([(d, 1.into()), (text("z"), 2.into())]));
    assert_eq!(hashed(&keyed.into()), 13191082521183324576);
    let inner = FUNC.make(x.clone(), array_of([x.clone(), y]));
    assert_eq!(hashed_mapping(&TREE.make(array_of([x]), inner).into()), 15433163223168908478);
}

#[test]
fn used_variables_hash_by_identity_and_defined_ones_by_position() {
    let (x, y) = variables();
    assert_ne!(hashed(&x), hashed(&y));
    assert_eq!(hashed_mapping(&x), hashed_mapping(&y));
    let func = |variable: &Any| FUNC.make(array_of([variable.clone()]), variable.clone()).into();
    assert_eq!(hashed(&func(&x)), hashed(&func(&y)));
}

/// Whichever of equal parts is hashed first, and whatever has been met by then.
#[test]
fn keys_that_are_objects_count_alike_in_parts_that_are_equal() {
    let (tree, ((x, _), (y, z))) = (|| Any::from(TREE.make(1, 2)), (variables(), (dag_node(), dag_node())));
    for key in [x, tree(), y, z] {
        let beside_itself = map_of([(key.clone(), 1.into()), (0.into(), key.clone())]);
        for map in [beside_itself, map_of([(key.clone(), 1.into())])] {
            let [one, other] = [(); 2].map(|()| Any::from(TREE.make(map.clone(), 1)));
            for before in [Any::NONE, key.clone(), tree()] {
                for between in [Any::NONE, key.clone()] {
                    let row = |last: &Any| array_of([before.clone(), one.clone(), between.clone(), last.clone()]);
                    let (shared, apart) = (row(&one), row(&other));
                    assert!(equals(&shared, &apart));
                    assert_eq!(hashed(&shared), hashed(&apart));
                }
            }
        }
    }
    let (one, other) = (tree(), tree());
    let keyed = |before: &Any| array_of([before.clone(), map_of([(one.clone(), 1.into())])]);
    assert!(equals(&keyed(&one), &keyed(&other)));
    assert_eq!(hashed(&keyed(&one)), hashed(&keyed(&other)));
}

#[test]
fn bytes_hash_alike_in_both_forms() {
    let object = crate::value::text_layout::new_bytes(b"abc").unwrap();
    let (small, object) = (text::bytes(b"abc").unwrap(), Any::from(object));
    assert!(equals(&small, &object));
    assert_eq!(hashed(&small), hashed(&object));
}

#[test]
fn hooks_hash_what_they_say() {
    let hooked = |b: i64| Any::from(HOOKED.make(array_of([1.into()]), b));
    assert_eq!(hashed(&hooked(2)), hashed(&hooked(2)));
    assert_ne!(hashed(&hooked(2)), hashed(&hooked(3)));
    assert!(equals(&hooked(2), &hooked(2)) && !equals(&hooked(2), &hooked(3)));
}

#[rstest]
#[case(Any::from(ObjectRef::clone(&function::from_closure(|_| Ok(Any::NONE)))), "Type metadata is not set for type `ffi.Function`")]
#[case(call("ffi.VisitInterrupt", &[&Any::NONE]).unwrap(), "_type_s_eq_hash_kind is not set for type `ffi.VisitInterrupt`")]
fn types_that_do_not_say_how_are_not_compared(#[case] value: Any, #[case] text: &str) {
    let expected = ("TypeError".into(), format!("{text}, so StructuralHash is not supported for this type"));
    assert_eq!(message(hash::hash(value.view(), false, false).unwrap_err()), expected);
    assert_eq!(message(equal::equal(value.view(), value.view(), Options::default()).unwrap_err()), expected);
}
