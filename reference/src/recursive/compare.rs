//! Comparison of values and of all that they refer to, for equality alone or for their order.

use std::{
    cell::{Cell, OnceCell},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    vec,
};

use tvm_ffi_spec::*;

use super::{
    children::{Kind, VisibleFields, address, ended},
    plain::{Mode, number},
};
use crate::{
    border::error::{Error, Result},
    container::{
        held::{Held, Parts, Visited},
        key::Key,
        map::{self, InStep, Mapping},
        sequence, shape,
    },
    function::{self, Function, row, signature::Signature},
    object::ObjectRef,
    reflection::create,
    system::memory::{self, RoomFor},
    types::{attribute, schema::Type},
    value::any::{Any, AnyView},
    walk::{
        addresses::{Addresses, ByAddress},
        recursion::{Fold, USUAL_DEPTH, Visit, fold},
        stack_guard,
    },
};

/// Whether two values are equal: of one type, and equal in all that they refer to. NaN equals NaN.
///
/// # Errors
/// `ValueError` for values nested too deep, and what getters and hooks fail with.
pub fn equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<bool> {
    compare(Mode::Equality, lhs, rhs).map(|order| order == 0)
}

/// The order of two values: negative, 0 or positive. None comes first, and a prefix before what continues it.
///
/// # Errors
/// As for [`equal`]; besides, `TypeError` for values that have no order: of different types, NaN, and maps that are not
/// equal; `ValueError` for values that contain themselves.
pub fn order(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<i64> {
    compare(Mode::Order, lhs, rhs)
}

fn compare(mode: Mode, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<i64> {
    if let Some(order) = at_a_glance(mode, lhs, rhs)? {
        return Ok(order);
    }
    // SAFETY: the values are the caller's during the walk.
    let roots = [lhs, rhs].map(|side| Visited::outermost(unsafe { Held::kept(side) }));
    compare_within(OnceCell::new(), mode, roots)
}

/// How many elements or entries are looked at before anything is made ready for more.
const GLANCED: usize = 16;

/// How two values compare, if they are plain or have a few plain parts alone.
#[inline]
fn at_a_glance(mode: Mode, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Option<i64>> {
    let order = mode.compare_plain(lhs, rhs)?;
    if order.is_some() { Ok(order) } else { glance_inside(mode, lhs, rhs) }
}

/// As [`at_a_glance`], of values that refer to others.
fn glance_inside(mode: Mode, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Option<i64>> {
    if lhs.words() == rhs.words() {
        return Ok(Some(0));
    }
    if let (Some(left), Some(right)) = (lhs.cast_ref(), rhs.cast_ref()) {
        // SAFETY: the sequences are the caller's, and comparing plain values runs no foreign code.
        let (left, right) = unsafe { (sequence::borrow(left), sequence::borrow(right)) };
        for (left, right) in left.iter().zip(right).take(GLANCED) {
            match mode.compare_plain(left.view(), right.view())? {
                Some(0) => {}
                other => return Ok(other),
            }
        }
        return Ok((left.len().min(right.len()) <= GLANCED).then(|| number(left.len().cmp(&right.len()))));
    }
    let (Some(left), Some(right)) = (lhs.cast_ref::<Mapping>(), rhs.cast_ref::<Mapping>()) else { return Ok(None) };
    if map::len(left) != map::len(right) {
        return mode.unequal_maps().map(Some);
    }
    // What there is to say of maps that have no order depends on all of their entries.
    if map::len(left) > GLANCED || mode == Mode::Order {
        return Ok(None);
    }
    // SAFETY: the maps are the caller's, and looking plain keys up runs no foreign code.
    let (entries, mut counterparts) = unsafe { (map::iter(left), InStep::at_once(right)) };
    for (key, value) in entries {
        if !Key::new(key.view()).is_plain() {
            return Ok(None);
        }
        // SAFETY: as above.
        let Some(found) = (unsafe { counterparts.find(key.view())? }) else { return mode.unequal_maps().map(Some) };
        match mode.compare_plain(value.view(), found.view())? {
            Some(0) => {}
            other => return Ok(other),
        }
    }
    Ok(Some(0))
}

/// What is noted of pairs of objects, by the walk and by those that its hooks start. Two ways lead to a pair only if two
/// lead to each side.
#[derive(Default)]
struct State {
    /// The pairs whose children are being compared.
    open: Addresses<(usize, usize)>,
    /// Pairs that were found equal, as long as those that are open are. The references keep their addresses from being
    /// those of others.
    equal: ByAddress<(usize, usize), [ObjectRef; 2]>,
    /// How many pairs were found equal.
    count: usize,
}

/// How many pairs are compared before any are noted, and how many of those before the ones that are equal are remembered: few
/// are faster compared twice, and what runs in a circle is back soon.
const UNREMEMBERED: usize = 1024;

fn compare_within(state: OnceCell<Arc<Mutex<State>>>, mode: Mode, roots: [Visited; 2]) -> Result<i64> {
    stack_guard::check()?;
    fold(&mut Comparer { state, mode, unnoted: Cell::new(0) }, roots)
}

struct Comparer {
    /// Made when there is something to note, or a hook.
    state: OnceCell<Arc<Mutex<State>>>,
    mode: Mode,
    /// How many pairs nothing has been noted of.
    unnoted: Cell<usize>,
}

/// A pair of objects whose children are being compared.
struct Frame {
    pair: [Visited; 2],
    kind: Kind,
    children: Pairs,
    /// What comes out if no child decides.
    otherwise: i64,
    /// What a child decided.
    decided: Option<i64>,
}

/// The children of two objects that are still to be compared with one another.
enum Pairs {
    /// Elements.
    InOrder(Parts, Parts),
    /// Values of the same keys.
    Values(vec::IntoIter<[Held; 2]>),
    /// The first values that are not plain, and the fields behind them.
    Fields(Option<[Held; 2]>, VisibleFields),
}

impl Fold for Comparer {
    type Input = [Visited; 2];
    type Output = i64;
    type Frame = Frame;
    const NAME: &'static str = "RecursiveCompare";
    const NESTED: usize = USUAL_DEPTH;

    fn visit(&mut self, pair: [Visited; 2]) -> Result<Visit<Frame, i64>> {
        let [lhs, rhs] = pair.each_ref().map(|side| side.value.view());
        if let Some(order) = self.mode.compare_plain(lhs, rhs)? {
            return Ok(Visit::Done(order));
        }
        let (lhs, rhs) = match pair.each_ref().map(|side| side.value.object()) {
            [Some(lhs), Some(rhs)] if address(lhs) != address(rhs) => (lhs, rhs),
            [lhs, rhs] => return Ok(Visit::Done(i64::from(lhs.is_some()) - i64::from(rhs.is_some()))),
        };
        let type_index = lhs.type_index();
        if type_index == kTVMFFIShape {
            return Ok(Visit::Done(number(
                lhs.cast_ref().map(shape::extents).cmp(&rhs.cast_ref().map(shape::extents)),
            )));
        }
        if are_noted(&pair) && self.takes_notes() {
            let State { open, equal, .. } = &*self.lock();
            let addresses = (address(lhs), address(rhs));
            let is_open = open.contains(addresses);
            if is_open && self.mode == Mode::Order {
                return Err(Error::new("ValueError", "RecursiveCompare: cyclic reference detected in ordering"));
            }
            if is_open || (!equal.is_empty() && equal.contains_key(&addresses)) {
                return Ok(Visit::Done(0));
            }
        }
        if type_index >= kTVMFFIStaticObjectEnd
            && let Some((hook, is_equality)) = self.hook_of(type_index)
        {
            return self.compare_by_hook(&pair, [lhs, rhs], &hook, is_equality).map(Visit::Done);
        }
        if let (Some(left), Some(right)) = (lhs.cast_ref(), rhs.cast_ref()) {
            return match map_children(self.mode, left, right)? {
                Some(children) => self.enter(pair, Kind::Map, children, 0),
                None => self.mode.unequal_maps().map(Visit::Done),
            };
        }
        // SAFETY: the frame has both the objects and their parts.
        if let (Some(left), Some(right)) = unsafe { (Parts::of(lhs)?, Parts::of(rhs)?) } {
            let otherwise = number(left.len().cmp(&right.len()));
            return self.enter(pair, Kind::Sequence, Pairs::InOrder(left, right), otherwise);
        }
        self.visit_fields(pair, type_index)
    }

    #[inline]
    fn next(&mut self, frame: &mut Frame) -> Result<Option<[Visited; 2]>> {
        while frame.decided.is_none() {
            let Some([lhs, rhs]) = frame.children.next(&frame.pair)? else { break };
            match self.mode.compare_plain(lhs.view(), rhs.view())? {
                Some(order) => frame.decided = (order != 0).then_some(order),
                None => {
                    let [left, right] = &frame.pair;
                    return Ok(Some([left.part(lhs), right.part(rhs)]));
                }
            }
        }
        Ok(None)
    }

    fn feed(&mut self, frame: &mut Frame, order: i64) -> Result<()> {
        frame.decided = (order != 0).then_some(order);
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<i64> {
        let order = frame.decided.unwrap_or(frame.otherwise);
        self.close(&frame.pair, order == 0)?;
        if order != 0 && frame.kind == Kind::Map { self.mode.unequal_maps() } else { Ok(order) }
    }

    fn abandon(&mut self, frame: Frame) {
        // What is only forgotten needs no memory.
        let _ = self.close(&frame.pair, false);
    }
}

impl Pairs {
    /// The next children of a pair.
    #[inline]
    fn next(&mut self, pair: &[Visited; 2]) -> Result<Option<[Held; 2]>> {
        Ok(match self {
            Self::InOrder(lhs, rhs) => match (lhs.next(), rhs.next()) {
                (Some(lhs), Some(rhs)) => Some([lhs, rhs]),
                _ => None,
            },
            Self::Values(values) => values.next(),
            Self::Fields(first @ Some(_), _) => first.take(),
            Self::Fields(None, fields) => next_values(fields, pair)?,
        })
    }
}

/// The values of the next field in two objects of one type.
fn next_values(fields: &mut VisibleFields, pair: &[Visited; 2]) -> Result<Option<[Held; 2]>> {
    let objects = pair.each_ref().map(|side| side.value.object());
    let (Some(field), [Some(lhs), Some(rhs)]) = (fields.next(), objects) else { return Ok(None) };
    // SAFETY: the fields are those of the type of both.
    let lhs = unsafe { field.held(lhs)? };
    // SAFETY: as above.
    let rhs = unsafe { field.held(rhs)? };
    Ok(Some([lhs, rhs]))
}

impl Comparer {
    /// Goes inside of a pair. In line, as what is written in parts is slow to move a moment later.
    #[inline(always)]
    fn enter(&self, pair: [Visited; 2], kind: Kind, children: Pairs, otherwise: i64) -> Result<Visit<Frame, i64>> {
        self.open(&pair)?;
        Ok(Visit::Enter(Frame { pair, kind, children, otherwise, decided: None }))
    }

    /// Compares the fields of two objects of one type, and goes inside of them only if some refer to others.
    #[inline(never)]
    fn visit_fields(&self, pair: [Visited; 2], type_index: i32) -> Result<Visit<Frame, i64>> {
        let [Some(lhs), Some(rhs)] = pair.each_ref().map(|side| side.value.object()) else { return Ok(Visit::Done(0)) };
        let mut fields = VisibleFields::of(type_index, kTVMFFIFieldFlagBitMaskCompareOff)?;
        while let Some(field) = fields.next() {
            // SAFETY: the fields are those of the type of both.
            let left = unsafe { field.held(lhs)? };
            // SAFETY: as above.
            let right = unsafe { field.held(rhs)? };
            match self.mode.compare_plain(left.view(), right.view())? {
                Some(0) => {}
                Some(order) => return Ok(Visit::Done(order)),
                None => {
                    // Each child says itself whose it is.
                    let kind = Kind::Object { foreign: false };
                    return self.enter(pair, kind, Pairs::Fields(Some([left, right]), fields), 0);
                }
            }
        }
        Ok(Visit::Done(0))
    }

    /// The hook that compares objects of a type, and whether it only tells whether they are equal.
    fn hook_of(&self, type_index: i32) -> Option<(Function, bool)> {
        let equality = match self.mode {
            Mode::Equality => create::function_of(&attribute::EQ, type_index),
            Mode::Order => None,
        };
        let compare = || create::function_of(&attribute::COMPARE, type_index).map(|hook| (hook, false));
        equality.map(|hook| (hook, true)).or_else(compare)
    }

    fn compare_by_hook(
        &self,
        pair: &[Visited; 2],
        objects: [&ObjectRef; 2],
        hook: &Function,
        is_equality: bool,
    ) -> Result<i64> {
        let (state, mode) = (Arc::downgrade(self.state()), self.mode);
        static EQUAL: Signature = Signature::new("(0: AnyView, 1: AnyView) -> bool");
        static ORDER: Signature = Signature::new("(0: AnyView, 1: AnyView) -> int");
        let go_on = row::typed(if is_equality { &EQUAL } else { &ORDER }, move |args| {
            let state = state.upgrade().ok_or_else(ended)?;
            let [lhs, rhs] = [args.any(0).to_owned()?, args.any(1).to_owned()?];
            let order = compare_within(state.into(), mode, [lhs, rhs].map(|side| Visited::root(side, true)))?;
            Ok(if is_equality { (order == 0).into() } else { order.into() })
        })?;
        let [lhs, rhs] = objects.map(|object| Any::from(object.clone()));
        let values = [lhs, rhs, Any::from(go_on)];
        self.open(pair)?;
        let answer = function::call(hook, &values.each_ref().map(|value| *value.view()));
        let order = answer.and_then(|answer| {
            let answer = answer.view();
            if is_equality {
                let equal = answer.as_bool().ok_or_else(|| Type::Bool.refuse(answer))?;
                return Ok(i64::from(!equal));
            }
            // Hooks of clients answer with a C `int`.
            let order = answer.as_int().ok_or_else(|| Type::Int.refuse(answer))?;
            Ok(i64::from(order as i32))
        });
        self.close(pair, matches!(order, Ok(0)))?;
        order
    }

    /// Notes that two objects are being compared.
    fn open(&self, pair: &[Visited; 2]) -> Result<()> {
        if are_noted(pair) {
            if self.takes_notes() {
                self.lock().open.insert(addresses(pair))?;
            } else {
                self.unnoted.set(self.unnoted.get() + 1);
            }
        }
        Ok(())
    }

    /// Notes that they are no longer, and what came out.
    fn close(&self, pair: &[Visited; 2], are_equal: bool) -> Result<()> {
        if !are_noted(pair) || !self.takes_notes() {
            return Ok(());
        }
        let mut state = self.lock();
        let State { open, equal, count } = &mut *state;
        open.remove(addresses(pair));
        if !are_equal {
            // A hook may go on all the same, and others may have been equal only as long as these were.
            let forgotten = mem::take(equal);
            // The last reference to an object may lead to foreign code.
            drop(state);
            drop(forgotten);
            return Ok(());
        }
        *count += 1;
        // Where the ways to a pair meet, a side of it has several references.
        if *count > UNREMEMBERED
            && pair.iter().any(|side| side.value.is_shared())
            && let [Some(lhs), Some(rhs)] = pair.each_ref().map(|side| side.value.object())
        {
            equal.room_for(1)?;
            equal.insert(addresses(pair), [lhs.clone(), rhs.clone()]);
        }
        Ok(())
    }

    /// Whether pairs are noted: all that hooks might come by, and of others those behind the first ones.
    fn takes_notes(&self) -> bool {
        self.state.get().is_some() || self.unnoted.get() >= UNREMEMBERED
    }

    fn state(&self) -> &Arc<Mutex<State>> {
        self.state.get_or_init(Arc::default)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state().lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn are_noted([lhs, rhs]: &[Visited; 2]) -> bool {
    lhs.noted && rhs.noted
}

fn addresses(pair: &[Visited; 2]) -> (usize, usize) {
    let [lhs, rhs] = pair.each_ref().map(|side| side.value.object().map_or(0, address));
    (lhs, rhs)
}

/// The values of two maps by their keys; `None` if they do not have the same keys.
fn map_children(mode: Mode, lhs: &Mapping, rhs: &Mapping) -> Result<Option<Pairs>> {
    if map::len(lhs) != map::len(rhs) {
        return Ok(None);
    }
    let lhs: *const Mapping = lhs;
    // SAFETY: the frame has both the map and its entries.
    let lhs = unsafe { &*lhs };
    // SAFETY: as above, and comparing plain values runs no foreign code.
    let (mut entries, mut counterparts) = unsafe {
        let (mut entries, mut counterparts) = (map::iter(lhs), InStep::at_once(rhs));
        let equal = |lhs: &Any, rhs: &Any| matches!(mode.compare_plain(lhs.view(), rhs.view()), Ok(Some(0)));
        counterparts.pass(&mut entries, equal);
        (Parts::rest_of(lhs, entries)?, counterparts.for_longer())
    };
    let mut values = memory::room(entries.len() / 2)?;
    let is_fixed = rhs.type_index() == kTVMFFIMap;
    while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
        // SAFETY: the value is cloned at once, or lent by a Map that the frame has.
        let Some(counterpart) = (unsafe { counterparts.find(key.view())? }) else { return Ok(None) };
        if mode == Mode::Equality && !value.view().has_object() {
            match mode.compare_plain(value.view(), counterpart.view())? {
                Some(0) => continue,
                // Nothing that comes before it may fail.
                Some(_) if values.is_empty() => return Ok(None),
                _ => {}
            }
        }
        // SAFETY: as above.
        values.push([value, unsafe { Held::part(counterpart, is_fixed) }]);
    }
    Ok(Some(Pairs::Values(values.into_iter())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::{
        container::{array, list},
        recursive::hash::recursive_hash,
        test_values::{self, Sample},
        value::text,
    };

    fn array_of(numbers: &[i64]) -> Any {
        array::new(numbers.iter().map(|&number| number.into()).collect()).unwrap().into()
    }

    fn map_of(value: i64) -> Any {
        map::new(vec![(1.into(), value.into())]).unwrap().into()
    }

    fn equal(lhs: &Any, rhs: &Any) -> Result<bool> {
        super::equal(lhs.view(), rhs.view())
    }

    fn order(lhs: &Any, rhs: &Any) -> Result<i64> {
        super::order(lhs.view(), rhs.view())
    }

    fn order_or_error(lhs: &Any, rhs: &Any) -> String {
        order(lhs, rhs).map_or_else(|error| error.to_string(), |order| order.to_string())
    }

    // Known answers: what the releases say of these, in order and for equality, but for the order of texts.
    #[rstest]
    #[case(Any::NONE, Any::NONE, "0", true)]
    #[case(Any::NONE, 1.into(), "-1", false)]
    #[case(true.into(), false.into(), "1", false)]
    #[case(1.into(), true.into(), "TypeError: Cannot compare values of different types: int vs bool", false)]
    #[case(f64::NAN.into(), f64::NAN.into(), "TypeError: Cannot order NaN values", true)]
    #[case(0.0.into(), (-0.0).into(), "0", true)]
    #[case(text::string(b"a").unwrap(), text::string_object(b"a").unwrap().into(), "0", true)]
    #[case(text::string(b"a").unwrap(), text::string(b"\xc3").unwrap(), "-1", false)]
    #[case(array_of(&[1, 2]), array_of(&[1, 2, 0]), "-1", false)]
    #[case(array_of(&[1, 3]), array_of(&[1, 2, 0]), "1", false)]
    #[case(map_of(2), map_of(2), "0", true)]
    #[case(map_of(2), map_of(3), "TypeError: Cannot order Map/Dict values", false)]
    #[case(Sample::BigInt(vec![0, 1]).value(), 5.into(), "1", false)]
    fn values_compare_as_in_the_releases(
        #[case] lhs: Any,
        #[case] rhs: Any,
        #[case] expected: &str,
        #[case] are_equal: bool,
    ) {
        assert_eq!(order_or_error(&lhs, &rhs), expected);
        assert_eq!(equal(&lhs, &rhs).unwrap(), are_equal);
    }

    #[test]
    fn what_is_shared_is_compared_once() {
        let tower = |mut value: Any| {
            for _ in 0..200 {
                value = array::new(vec![value.clone(), value]).unwrap().into();
            }
            value
        };
        assert!(equal(&tower(1.into()), &tower(1.into())).unwrap());
        assert_eq!(order(&tower(1.into()), &tower(1.into())).unwrap(), 0);
        assert_eq!(order(&tower(1.into()), &tower(2.into())).unwrap(), -1);
    }

    #[test]
    fn cycles_and_depth_are_no_danger() {
        let cycles = [test_values::cyclic_list(), test_values::cyclic_list()];
        let values = cycles.clone().map(Any::from);
        assert!(equal(&values[0], &values[1]).unwrap());
        let message = "ValueError: RecursiveCompare: cyclic reference detected in ordering";
        assert_eq!(order_or_error(&values[0], &values[1]), message);
        cycles.iter().for_each(test_values::break_cycle);
        let [deep, other] = [100_000, 100_000].map(|depth| Any::from(test_values::nested_lists(depth)));
        assert!(equal(&deep, &other).unwrap());
        assert_eq!(order(&deep, &Any::from(list::empty().unwrap())).unwrap(), 1);
    }

    proptest! {
        #[test]
        fn values_of_one_content_are_equal(sample in test_values::values()) {
            prop_assert!(equal(&sample.value(), &sample.value()).unwrap());
        }

        #[test]
        fn equal_values_hash_alike(lhs in test_values::values(), rhs in test_values::values()) {
            let (lhs, rhs) = (lhs.value(), rhs.value());
            if equal(&lhs, &rhs).unwrap() {
                prop_assert_eq!(recursive_hash(lhs.view()).unwrap(), recursive_hash(rhs.view()).unwrap());
            }
        }

        #[test]
        fn the_order_is_that_of_the_reverse(lhs in test_values::values(), rhs in test_values::values()) {
            let (lhs, rhs) = (lhs.value(), rhs.value());
            match (order(&lhs, &rhs), order(&rhs, &lhs)) {
                (Ok(order), Ok(reverse)) => prop_assert_eq!(order.signum(), -reverse.signum()),
                (order, reverse) => prop_assert_eq!(order.is_ok(), reverse.is_ok()),
            }
        }
    }
}
