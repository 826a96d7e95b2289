//! Maps and mutations.

use super::*;

#[rstest]
#[case(0)]
#[case(1)]
fn a_map_replaces_values_in_copies(#[case] order: i64) {
    let unchanged = list_of([text("kept")]);
    let root = array_of([
        TREE.make(list_of([1.into()]), dict_of([(1.into(), 2.into())])).into(),
        map_of([(text("k"), 3.into())]),
        unchanged.clone(),
    ]);
    let copy = mapped(&root, &increment(), order);
    let expected = array_of([
        TREE.make(list_of([2.into()]), dict_of([(1.into(), 3.into())])).into(),
        map_of([(text("k"), 4.into())]),
        unchanged.clone(),
    ]);
    assert_eq!(mismatch(&copy, &expected), None);
    assert!(!equals(&root, &copy));
    let kept = sequence::get(copy.view().cast_ref().unwrap(), 2).unwrap();
    assert!(same_object(&kept, &unchanged));
}

#[test]
fn a_map_that_replaces_nothing_gives_the_value_itself() {
    let root = array_of([TREE.make(1, list_of([2.into()])).into()]);
    assert!(same_object(&root, &mapped(&root, &nothing(), 0)));
    assert!(same_object(&root, &mapped(&root, &callback(-1, |args| args[0].to_owned()), 1)));
}

#[rstest]
#[case(0)]
#[case(1)]
fn what_nobody_else_has_is_changed_in_place(#[case] order: i64) {
    let shared = list_of([1.into()]);
    let root = array_of([list_of([1.into()]), map_of([(0.into(), 1.into())]), shared.clone()]);
    let handle = root.view().raw().payload();
    let inner = sequence::get(root.view().cast_ref().unwrap(), 0).unwrap().view().raw().payload();
    let result = given_up(root, "ffi.StructuralMap", &[&increment(), &nothing(), &order.into()]).unwrap();
    assert_eq!(result.view().raw().payload(), handle);
    let object = result.view().as_object().unwrap();
    assert_eq!(sequence::get_in(&object, 0).unwrap().view().raw().payload(), inner);
    let expected = array_of([list_of([2.into()]), map_of([(0.into(), 2.into())]), list_of([2.into()])]);
    assert_eq!(mismatch(&result, &expected), None);
    assert_eq!(mismatch(&shared, &list_of([1.into()])), None);
}

#[test]
fn an_error_leaves_everything_in_its_place() {
    let seen = Arc::new(AtomicUsize::new(0));
    let lists = seen.clone();
    let in_place = function::from_closure(move |args| {
        let (list, mutator) = (args[0].as_object().unwrap(), args[1].as_object().unwrap());
        let before = sequence::elements(list.cast_ref().unwrap())
            .unwrap()
            .iter()
            .map(|part| part.view().type_index())
            .collect::<Vec<_>>();
        let answer = mutator.cast::<Mutator>().unwrap().default_mutate(&args[0], args[2].as_int() == Some(1));
        let after = sequence::elements(list.cast_ref().unwrap())
            .unwrap()
            .iter()
            .map(|part| part.view().type_index())
            .collect::<Vec<_>>();
        assert_eq!(before, after);
        lists.fetch_add(args[2].as_int().unwrap() as usize, Ordering::Relaxed);
        answer
    });
    let fail = function::from_closure(|_| Err(Error::new("ValueError", "no")));
    let callbacks = array_of([
        array_of([i64::from(kTVMFFIList).into(), in_place.into(), true.into()]),
        array_of([i64::from(kTVMFFIInt).into(), fail.into(), false.into()]),
    ]);
    let root = list_of([text("x"), list_of([text("y"), 1.into()])]);
    assert!(given_up(root, "ffi.StructuralMutate", &[&callbacks]).is_err());
    assert_eq!(seen.load(Ordering::Relaxed), 2);
}

#[test]
fn variables_are_replaced_wherever_they_are_used() {
    let x = Any::from(VAR.make(1, text("x")));
    let root = FUNC.make(array_of([x.clone()]), array_of([x.clone(), x.clone()]));
    let copy = mapped(&root.into(), &increment(), 1);
    let y = Any::from(VAR.make(2, text("x")));
    let expected = FUNC.make(array_of([y.clone()]), array_of([y.clone(), y]));
    assert_eq!(mismatch(&copy, &expected.into()), None);
    // Nodes of graphs stay shared.
    let d = dag_node();
    let copy = mapped(&array_of([d.clone(), d]), &increment(), 1);
    let elements = sequence::elements(copy.view().cast_ref().unwrap()).unwrap();
    assert!(same_object(&elements[0], &elements[1]));
}

#[test]
fn mutations_go_where_callbacks_lead_them() {
    let negate = function::from_closure(|args| Ok((-args[0].as_int().unwrap()).into()));
    let only_first = function::from_closure(|args| {
        assert_eq!(args[2].as_int(), Some(0));
        let list = args[0].as_object().unwrap();
        let mut elements = sequence::elements(list.cast_ref().unwrap()).unwrap();
        elements[0] = call("ffi.StructuralMutatorMutate", &[&args[1].to_owned()?, &elements[0]])?;
        Ok(list::new(elements)?.into())
    });
    let callbacks = array_of([
        array_of([i64::from(kTVMFFIInt).into(), negate.into(), false.into()]),
        array_of([i64::from(kTVMFFIList).into(), only_first.into(), true.into()]),
    ]);
    let root = array_of([1.into(), list_of([2.into(), 3.into()])]);
    let result = call("ffi.StructuralMutate", &[&root, &callbacks]).unwrap();
    assert_eq!(mismatch(&result, &array_of([(-1).into(), list_of([(-2).into(), 3.into()])])), None);
}
