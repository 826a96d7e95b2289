//! What holds for any value.

use super::*;

/// How a value is built.
#[derive(Clone, Debug)]
enum Plan {
    Int(i64),
    Text(String),
    Array(Vec<Plan>),
    List(Vec<Plan>),
    Dict(Vec<(i64, Plan)>),
    Tree(Box<Plan>, Box<Plan>),
    /// A function of a variable, with the variable beside its body.
    Func(Box<Plan>),
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![any::<i64>().prop_map(Plan::Int), ".{0,12}".prop_map(Plan::Text)];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Plan::Array),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Plan::List),
            proptest::collection::btree_map(0..20_i64, inner.clone(), 0..7)
                .prop_map(|entries| Plan::Dict(entries.into_iter().collect())),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Plan::Tree(a.into(), b.into())),
            inner.prop_map(|body| Plan::Func(body.into())),
        ]
    })
}

impl Plan {
    /// A value that shares nothing with others; each integer is changed by `change`.
    fn build(&self, change: &impl Fn(i64) -> i64) -> Any {
        let all = |plans: &[Self]| plans.iter().map(|plan| plan.build(change)).collect::<Vec<_>>();
        match self {
            Self::Int(int) => change(*int).into(),
            Self::Text(value) => text(value),
            Self::Array(plans) => array::new(all(plans)).unwrap().into(),
            Self::List(plans) => list::new(all(plans)).unwrap().into(),
            Self::Dict(entries) => {
                let entry = |(key, plan): &(i64, Self)| (Any::from(*key), plan.build(change));
                map::new_dict(entries.iter().map(entry).collect()).unwrap().into()
            }
            Self::Tree(a, b) => TREE.make(a.build(change), b.build(change)).into(),
            Self::Func(body) => {
                let variable = Any::from(VAR.make(Any::NONE, Any::NONE));
                FUNC.make(variable.clone(), array_of([variable, body.build(change)])).into()
            }
        }
    }

    fn integers(&self) -> Vec<i64> {
        match self {
            Self::Int(int) => vec![*int],
            Self::Text(_) => vec![],
            Self::Array(plans) | Self::List(plans) => plans.iter().flat_map(Self::integers).collect(),
            Self::Dict(entries) => entries.iter().flat_map(|(_, plan)| plan.integers()).collect(),
            Self::Tree(a, b) => [a.integers(), b.integers()].concat(),
            Self::Func(body) => body.integers(),
        }
    }
}

proptest! {
    #[test]
    fn values_of_one_plan_are_equal_and_hash_alike(plan in plan()) {
        let (lhs, rhs) = (plan.build(&|int| int), plan.build(&|int| int));
        prop_assert!(equals(&lhs, &rhs));
        prop_assert_eq!(mismatch(&lhs, &rhs), None);
        prop_assert_eq!(hashed(&lhs), hashed(&rhs));
    }

    #[test]
    fn values_of_two_plans_are_equal_only_if_they_hash_alike(lhs in plan(), rhs in plan()) {
        let (lhs, rhs) = (lhs.build(&|int| int), rhs.build(&|int| int));
        let equal = equals(&lhs, &rhs);
        prop_assert_eq!(equal, equals(&rhs, &lhs));
        prop_assert_eq!(equal, mismatch(&lhs, &rhs).is_none());
        prop_assert!(!equal || hashed(&lhs) == hashed(&rhs));
    }

    #[test]
    fn walks_show_what_there_is(plan in plan(), order in 0..2_i64) {
        prop_assert_eq!(walked(&plan.build(&|int| int), order), plan.integers());
    }

    #[test]
    fn maps_replace_what_there_is(plan in plan(), order in 0..2_i64, in_place: bool) {
        let root = plan.build(&|int| int.wrapping_sub(1));
        let add = callback(kTVMFFIInt, |args| Ok(args[0].as_int().unwrap().wrapping_add(1).into()));
        let expected = plan.build(&|int| int);
        let is_object = root.view().type_index() >= kTVMFFIStaticObjectBegin;
        let result = if in_place && is_object {
            given_up(root, "ffi.StructuralMap", &[&add, &nothing(), &order.into()]).unwrap()
        } else {
            let before = hashed(&root);
            let result = mapped(&root, &add, order);
            prop_assert_eq!(hashed(&root), before);
            result
        };
        prop_assert_eq!(mismatch(&result, &expected), None);
    }
}
