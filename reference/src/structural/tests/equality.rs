//! Structural equality and first mismatches.

use super::*;

#[rstest]
#[case::int_and_bool(1.into(), true.into(), false)]
#[case::nans(float(f64::NAN), float(-f64::NAN), true)]
#[case::zeros(float(0.0), float(-0.0), false)]
#[case::strings(text("abc"), text::string_object(b"abc").unwrap().into(), true)]
#[case::string_and_bytes(text("abc"), text::bytes(b"abc").unwrap(), false)]
#[case::array_and_list(array_of([1.into()]), list_of([1.into()]), false)]
#[case::lists(list_of([1.into()]), list_of([1.into()]), true)]
#[case::orders_of_maps(
    map_of([(1.into(), 2.into()), (text("b"), 3.into())]),
    map_of([(text("b"), 3.into()), (1.into(), 2.into())]),
    true
)]
#[case::map_and_dict(map_of([]), dict_of([]), false)]
#[case::trees(TREE.make(1, 2).into(), TREE.make(1, 2).into(), true)]
#[case::types(TREE.make(1, 2).into(), CONST.make(1, 2).into(), false)]
#[case::unique(UNIQUE.make(1, 2).into(), UNIQUE.make(1, 2).into(), false)]
fn values_are_equal_by_structure(#[case] lhs: Any, #[case] rhs: Any, #[case] expected: bool) {
    assert_eq!((equals(&lhs, &rhs), equals(&rhs, &lhs)), (expected, expected));
    assert_eq!(mismatch(&lhs, &rhs).is_none(), expected);
    assert!(!expected || hashed(&lhs) == hashed(&rhs));
}

#[test]
fn variables_correspond_from_their_definition_on() {
    let (x, y) = variables();
    let (a, b) = variables();
    let func = |params: [&Any; 2], body: [&Any; 2]| -> Any {
        FUNC.make(array_of(params.map(Any::clone)), array_of(body.map(Any::clone))).into()
    };
    assert!(equals(&func([&x, &y], [&x, &y]), &func([&a, &b], [&a, &b])));
    assert!(!equals(&func([&x, &y], [&x, &y]), &func([&a, &b], [&b, &a])));
    assert!(!equals(&func([&x, &y], [&x, &x]), &func([&a, &b], [&a, &b])));
    assert!(!equals(&x, &y) && equals(&x, &x) && equals_mapping(&x, &y));
    // A simple definition is about the variable alone: what its fields refer to must be defined already.
    let typed = |inner: &Any| Any::from(VAR.make(inner.clone(), Any::NONE));
    assert!(equals(&FUNC.make(typed(&x), 0).into(), &FUNC.make(typed(&y), 0).into()));
    assert!(!equals(&LET.make(typed(&x), 0).into(), &LET.make(typed(&y), 0).into()));
    assert!(equals(&LET.make(typed(&x), 0).into(), &LET.make(typed(&x), 0).into()));
}

#[test]
fn graphs_are_equal_if_they_share_alike() {
    let (d, e) = (dag_node(), dag_node());
    let shared = |node: &Any| Any::from(TREE.make(node.clone(), node.clone()));
    let separate = Any::from(TREE.make(d.clone(), e.clone()));
    assert!(equals(&shared(&d), &shared(&e)));
    assert!(!equals(&shared(&d), &separate) && !equals(&separate, &shared(&d)));
}

#[rstest]
#[case::element(
    array_of([1.into(), array_of([2.into(), 3.into()])]),
    array_of([1.into(), array_of([2.into(), 4.into()])]),
    vec![(1, "1"), (1, "1")], vec![(1, "1"), (1, "1")]
)]
#[case::missing_element(array_of([1.into()]), array_of([1.into(), 2.into()]), vec![(4, "1")], vec![(1, "1")])]
#[case::further_element(list_of([1.into()]), list_of([]), vec![(1, "0")], vec![(4, "0")])]
#[case::value(map_of([(text("k"), 1.into())]), map_of([(text("k"), 2.into())]), vec![(2, "k")], vec![(2, "k")])]
#[case::missing_key(map_of([(text("k"), 1.into())]), map_of([]), vec![(2, "k")], vec![(5, "k")])]
#[case::further_key(dict_of([]), dict_of([(text("k"), 1.into())]), vec![(5, "k")], vec![(2, "k")])]
#[case::field(TREE.make(1, 2).into(), TREE.make(1, 3).into(), vec![(0, "b")], vec![(0, "b")])]
#[case::root(1.into(), 2.into(), vec![], vec![])]
#[case::in_hooked(
    array_of([HOOKED.make(1, list_of([])).into()]), array_of([HOOKED.make(1, list_of([0.into()])).into()]),
    vec![(1, "0"), (0, "b"), (4, "0")], vec![(1, "0"), (0, "b"), (1, "0")]
)]
fn the_first_mismatch_is_found(
    #[case] lhs: Any,
    #[case] rhs: Any,
    #[case] expected_lhs: Vec<(i32, &str)>,
    #[case] expected_rhs: Vec<(i32, &str)>,
) {
    let expected =
        [expected_lhs, expected_rhs].map(|steps| steps.into_iter().map(|(kind, key)| (kind, key.to_owned())).collect());
    assert_eq!(mismatch(&lhs, &rhs), Some(expected));
}

/// A tensor over memory that lives as long as the process.
fn tensor_of(data: &'static [u8; 4], device_type: i32, strides: &'static [i64; 2]) -> Any {
    let dl_tensor = DLTensor {
        data: data.as_ptr().cast_mut().cast(),
        device: DLDevice { device_type, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLUInt, bits: 8, lanes: 1 },
        shape: [2_i64, 2].as_slice().as_ptr().cast_mut(),
        strides: strides.as_ptr().cast_mut(),
        byte_offset: 0,
    };
    let version = tensor::DLPACK_VERSION;
    let managed =
        DLManagedTensorVersioned { version, manager_ctx: ptr::null_mut(), deleter: None, flags: 0, dl_tensor };
    // SAFETY: all that the tensor points to is static, and so is its description, which is never freed.
    unsafe { tensor::import(NonNull::from(Box::leak(Box::new(managed))), tensor::Requirements::default()) }
        .unwrap()
        .into()
}

const ROWS: &[i64; 2] = &[2, 1];
const COLUMNS: &[i64; 2] = &[1, 2];

#[test]
fn tensors_are_compared_by_content_unless_it_is_skipped() {
    let (a, b) = (tensor_of(b"abcd", kDLCPU, ROWS), tensor_of(b"abce", kDLCPU, ROWS));
    assert!(equals(&a, &tensor_of(b"abcd", kDLCPU, ROWS)) && !equals(&a, &b));
    assert_eq!(hashed(&a), hashed(&tensor_of(b"abcd", kDLCPU, ROWS)));
    assert_ne!(hashed(&a), hashed(&b));
    let skipping = Options { skip_tensor_content: true, ..Options::default() };
    assert!(equal::equal(a.view(), b.view(), skipping).unwrap());
    let skipped = |value: &Any| hash::hash(value.view(), false, true).unwrap();
    assert_eq!(skipped(&a), skipped(&b));
}

#[test]
fn the_content_of_a_tensor_must_be_in_reach() {
    let elsewhere = tensor_of(b"abcd", kDLCUDA, ROWS);
    let text = "Check failed: tensor.device().device_type == kDLCPU (2 vs. 1) : can only hash CPU tensor";
    let error = hash::hash(elsewhere.view(), false, false).unwrap_err();
    assert_eq!(message(error), ("InternalError".into(), text.into()));
    let scattered = tensor_of(b"abcd", kDLCPU, COLUMNS);
    assert!(hash::hash(scattered.view(), false, false).is_err());
    let other = tensor_of(b"abcd", kDLCPU, ROWS);
    assert!(equal::equal(scattered.view(), other.view(), Options::default()).is_err());
}

#[test]
fn keys_are_equal_by_structure() {
    let key_of = |value: &Any| Any::from(key::new(value.clone()).unwrap());
    let (first, second, third) =
        (key_of(&array_of([1.into()])), key_of(&array_of([1.into()])), key_of(&array_of([2.into()])));
    assert!(key::keys_equal(first.view(), second.view()).unwrap());
    assert!(!key::keys_equal(first.view(), third.view()).unwrap());
    let by_structure = map::new(vec![(first, 1.into()), (third, 3.into())]).unwrap();
    assert_eq!(map::get(&by_structure, second.view()).unwrap().unwrap().view().as_int(), Some(1));
    let error = key::keys_equal(second.view(), Any::from(1).view()).unwrap_err();
    assert_eq!(message(error), ("InternalError".into(), "Check not null: rhs_obj ".into()));
}
