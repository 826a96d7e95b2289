//! Values that are deep, contain themselves or share parts.

use super::{walks::counter, *};

/// Runs `body` on a stack on which no recursion gets far.
fn on_small_stack(body: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(1 << 20).spawn(body).unwrap().join().unwrap();
}

fn in_tree(inner: Any) -> Any {
    TREE.make(inner, 0).into()
}

fn in_array(inner: Any) -> Any {
    array_of([inner])
}

fn in_list(inner: Any) -> Any {
    list_of([inner])
}

fn in_dict(inner: Any) -> Any {
    dict_of([(0.into(), inner)])
}

#[rstest]
#[case(in_array, 50_000)]
#[case(in_list, 50_000)]
#[case(in_dict, 50_000)]
#[case(in_tree, 50_000)]
fn nested_values_are_no_deeper_than_memory_is_large(#[case] around: fn(Any) -> Any, #[case] levels: usize) {
    on_small_stack(move || {
        let (lhs, rhs) = (nested(around, levels), nested(around, levels));
        assert_eq!(hashed(&lhs), hashed(&rhs));
        assert!(equals(&lhs, &rhs));
        assert_eq!(walked(&lhs, 0).into_iter().sum::<i64>(), 1);
        let other = mapped(&lhs, &increment(), 1);
        let paths = equal::first_mismatch(lhs.view(), other.view(), Options::default()).unwrap().unwrap();
        assert_eq!(access_path::steps(&paths.0).unwrap().len(), levels);
        let in_place = given_up(other, "ffi.StructuralMap", &[&increment(), &nothing(), &0.into()]).unwrap();
        assert!(!equals(&lhs, &in_place));
    });
}

#[test]
fn a_million_levels_are_not_too_many() {
    on_small_stack(|| {
        let (lhs, rhs) = (nested(in_array, 1_000_000), nested(in_array, 1_000_000));
        assert_eq!(hashed(&lhs), hashed(&rhs));
        assert!(equals(&lhs, &rhs));
        assert_eq!(walked(&lhs, 1), [1]);
    });
}

#[test]
fn errors_come_out_of_any_depth() {
    on_small_stack(|| {
        let fail = callback(kTVMFFIInt, |_| Err(Error::new("ValueError", "deep")));
        let root = nested(in_tree, 100_000);
        let error = call("ffi.StructuralWalk", &[&root, &fail, &nothing(), &0.into()]).err().unwrap();
        let (context, root) = (context_of(error), root.view().as_object().unwrap());
        let paths = error_context::find_access_paths(Some(&root), &context, false).unwrap();
        assert_eq!(access_path::steps(&paths[0]).unwrap().len(), 99_999);
    });
}

#[test]
fn hooks_recurse_as_far_as_the_stack_goes() {
    on_small_stack(|| {
        let deep = (0..100_000).fold(Any::from(1), |inner, _| HOOKED.make(inner, 0).into());
        let other = (0..100_000).fold(Any::from(1), |inner, _| HOOKED.make(inner, 0).into());
        let too_deep = "The value is nested too deeply: the stack of the thread is used up";
        let error = hash::hash(deep.view(), false, false).unwrap_err();
        assert_eq!(message(error), ("RuntimeError".into(), too_deep.into()));
        let error = equal::equal(deep.view(), other.view(), Options::default()).unwrap_err();
        assert_eq!(message(error), ("RuntimeError".into(), too_deep.into()));
        let visitor = counter().cast::<Visitor>().unwrap();
        assert!(visitor.visit(nested(in_list, 100_000).view()).is_err());
    });
}

fn list_in_itself() -> Any {
    let list = list::new(vec![1.into()]).unwrap();
    list::push(&list, list.clone().into()).unwrap();
    list.into()
}

fn dict_in_itself() -> Any {
    let dict = map::new_dict(vec![]).unwrap();
    map::insert(&dict, 1.into(), array_of([list_of([dict.clone().into()])])).unwrap();
    dict.into()
}

fn object_in_itself() -> Any {
    let list = list::new(vec![]).unwrap();
    list::push(&list, TREE.make(0, list.clone()).into()).unwrap();
    list.into()
}

#[rstest]
#[case(list_in_itself)]
#[case(dict_in_itself)]
#[case(object_in_itself)]
fn what_contains_itself_is_an_error(#[case] make: fn() -> Any) {
    let (root, other) = (make(), make());
    let pass = callback(-1, |_| Ok(Any::NONE));
    let keep = callback(-1, |args| args[0].to_owned());
    let context = crate::reflection::structural_objects::visit_error_context(
        list::new(vec![TREE.make(0, 0).into()]).unwrap(),
        None,
    )
    .unwrap();
    let searched = TREE.make(root.clone(), 0);
    let order = [Any::from(0), Any::from(1)];
    let errors = [
        hash::hash(root.view(), false, false).map(drop),
        equal::equal(root.view(), other.view(), Options::default()).map(drop),
        equal::first_mismatch(root.view(), other.view(), Options::default()).map(drop),
        call("ffi.StructuralWalk", &[&root, &pass, &nothing(), &order[0]]).map(drop),
        call("ffi.StructuralWalk", &[&root, &pass, &nothing(), &order[1]]).map(drop),
        call("ffi.StructuralVisit", &[&root, &nothing()]).map(drop),
        call("ffi.StructuralMap", &[&root, &keep, &nothing(), &order[0]]).map(drop),
        call("ffi.StructuralMap", &[&root, &keep, &nothing(), &order[1]]).map(drop),
        call("ffi.StructuralMutate", &[&root, &nothing()]).map(drop),
        error_context::find_access_paths(Some(&searched), &context, false).map(drop),
    ];
    for (at, error) in errors.into_iter().enumerate() {
        let (kind, text) = message(error.expect_err("an error"));
        assert!(kind == "ValueError" && text.starts_with("A value contains itself"), "{at}: {kind}: {text}");
    }
}

#[test]
fn a_walk_may_keep_out_of_what_it_has_seen() {
    let seen = Mutex::new(std::collections::HashSet::new());
    let skip_seen = callback(kTVMFFIObject, move |args| {
        let fresh = seen.lock().unwrap().insert(args[0].raw().payload());
        Ok(i64::from(!fresh).into())
    });
    let result = call("ffi.StructuralWalk", &[&list_in_itself(), &skip_seen, &nothing(), &0.into()]);
    assert!(result.unwrap().view().is_none());
}

/// Each level refers to the one below twice, so that there are more ways to the bottom than there is time.
#[rstest]
#[case(|inner: Any| array_of([inner.clone(), inner]))]
#[case(|inner: Any| list_of([inner.clone(), inner]))]
#[case(|inner: Any| map_of([(0.into(), inner.clone()), (1.into(), inner)]))]
#[case(|inner: Any| map_of([(inner.clone(), 0.into()), (1.into(), inner)]))]
#[case(|inner: Any| TREE.make(inner.clone(), inner).into())]
#[case(|inner: Any| TREE.make(array_of([inner.clone(), inner.clone()]), inner).into())]
#[case(|inner: Any| DAG.make(inner.clone(), inner).into())]
#[case(|inner: Any| VAR.make(array_of([inner.clone(), inner]), 0).into())]
fn shared_parts_are_looked_at_once(#[case] around: fn(Any) -> Any) {
    let (lhs, rhs) = (nested(around, 100), nested(around, 100));
    assert_eq!(hashed_mapping(&lhs), hashed_mapping(&rhs));
    equals_mapping(&lhs, &rhs);
    let context = crate::reflection::structural_objects::visit_error_context(
        list::new(vec![TREE.make(0, 0).into()]).unwrap(),
        None,
    )
    .unwrap();
    let root = TREE.make(lhs, 0);
    assert!(error_context::find_access_paths(Some(&root), &context, false).unwrap().is_empty());
}
