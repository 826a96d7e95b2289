//! Structural equality, and where two values that are not equal differ first.
//!
//! Variables that are defined on both sides correspond to each other from then on, and so do nodes of graphs that have
//! been found equal; variables that are only used are equal to themselves alone.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    sync::Arc,
    vec,
};

use tvm_ffi_spec::*;

use super::{
    Descent, ENTERING, LEAVING, Level, address, call_back, check_contiguous, check_on_cpu, comparison_kind,
    fields::{Fields, enter_object, entered},
    hook_function, integer_words, is_shared, null_object,
    thread_bound::Local,
};
use crate::{
    border::error::Result,
    container::{array, map, sequence, shape},
    function::{
        Function,
        arguments::Arguments,
        row::{Row, row, typed},
        signature::Signature,
    },
    object::ObjectRef,
    reflection::{
        access_path::{self, Kind, Path},
        field::Field,
    },
    tensor::Description,
    types::{attribute, schema::Type},
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// How two values are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Variables that are not defined anywhere count as if they were defined where they are met.
    pub map_free_vars: bool,
    /// Tensors count by shape and data type alone.
    pub skip_tensor_content: bool,
}

/// Whether two values are structurally equal.
///
/// # Errors
/// `TypeError` for objects whose types do not say how they are compared, `ValueError` for values that contain themselves,
/// `InternalError` for tensors that are not in memory in one piece, and what hooks fail with.
pub fn equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>, options: Options) -> Result<bool> {
    Comparison::new(options, None).compare(lhs, rhs)
}

/// The access paths to where two values differ first, from either; `None` if they are equal.
///
/// # Errors
/// As [`equal`].
pub fn first_mismatch(lhs: &AnyView<'_>, rhs: &AnyView<'_>, options: Options) -> Result<Option<(Path, Path)>> {
    let comparison = Comparison::new(options, Some(RefCell::default()));
    if comparison.compare(lhs, rhs)? {
        return Ok(None);
    }
    let steps = comparison.mismatch.as_ref().map(RefCell::take).unwrap_or_default();
    let (mut lhs, mut rhs) = (access_path::root(), access_path::root());
    for Mismatch { lhs: lhs_step, rhs: rhs_step } in steps.into_iter().rev() {
        lhs = access_path::extend(&lhs, access_path::step(lhs_step.0, lhs_step.1));
        rhs = access_path::extend(&rhs, access_path::step(rhs_step.0, rhs_step.1));
    }
    Ok(Some((lhs, rhs)))
}

/// The global functions about equality.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.StructuralEqual(0: Any, 1: Any, 2: bool, 3: bool) -> bool", |args| {
        let (lhs, rhs, options) = arguments(args)?;
        Ok(equal(lhs.view(), rhs.view(), options)?.into())
    }),
    row(
        "ffi.GetFirstStructuralMismatch(0: Any, 1: Any, 2: bool, 3: bool) -> \
         Optional<Tuple<ffi.reflection.AccessPath, ffi.reflection.AccessPath>>",
        |args| {
            let (lhs, rhs, options) = arguments(args)?;
            match first_mismatch(lhs.view(), rhs.view(), options)? {
                Some((lhs, rhs)) => Ok(array::new(vec![lhs.into(), rhs.into()])?.into()),
                None => Ok(Any::NONE),
            }
        },
    ),
];

/// Arguments are converted from the last to the first, which tells which of several bad ones is complained about.
fn arguments(args: &Arguments<'_>) -> Result<(Any, Any, Options)> {
    let (skip_tensor_content, map_free_vars) = (args.bool(3)?, args.bool(2)?);
    let (rhs, lhs) = (args.any(1).to_owned()?, args.any(0).to_owned()?);
    Ok((lhs, rhs, Options { map_free_vars, skip_tensor_content }))
}

/// One comparison. Hooks lead back into it, so nothing in it is borrowed while they run.
struct Comparison {
    skip_tensor_content: bool,
    region: Cell<i32>,
    /// What corresponds to variables and nodes of graphs of the left side, and the other way round. The references keep
    /// addresses from being reused.
    to_rhs: RefCell<HashMap<usize, (ObjectRef, ObjectRef)>>,
    to_lhs: RefCell<HashMap<usize, (ObjectRef, ObjectRef)>>,
    /// Pairs that are equal in a region, each with how many correspondences were known then. Until there are more, they
    /// need not be compared again.
    equal: RefCell<HashMap<(usize, usize, i32), Known>>,
    /// Where the sides differ, innermost step first, if that is to be told.
    mismatch: Option<RefCell<Vec<Mismatch>>>,
    /// What hooks compare their parts with.
    callback: OnceCell<Function>,
    this: Local<Comparison>,
}

/// Two equal values, and how many correspondences were known when they were found to be.
type Known = (ObjectRef, ObjectRef, usize);

/// A step from either side towards where they differ.
struct Mismatch {
    lhs: (Kind, Any),
    rhs: (Kind, Any),
}

/// Two values that are being compared.
struct Pair {
    lhs: ObjectRef,
    rhs: ObjectRef,
    content: Content,
    /// The region that they were met in, and how many correspondences were known.
    met: (i32, usize),
}

/// What is left of them, and what is being compared.
enum Content {
    Sequence { at: usize },
    Map { entries: vec::IntoIter<(Any, Any)>, keys: (Any, Any) },
    Object { fields: Fields, kind: i32, current: Option<Field> },
}

impl Level for Pair {
    type Key = (usize, usize);

    fn key(&self) -> Self::Key {
        (address(&self.lhs), address(&self.rhs))
    }

    fn type_index(&self) -> i32 {
        self.lhs.type_index()
    }
}

enum Step {
    Into(Pair),
    Done(bool),
}

/// What is to be compared next, or that nothing is.
enum Next {
    Values(Any, Any),
    Verdict(bool),
}

impl Comparison {
    fn new(options: Options, mismatch: Option<RefCell<Vec<Mismatch>>>) -> Arc<Self> {
        let Options { map_free_vars, skip_tensor_content } = options;
        Arc::new_cyclic(|this| Self {
            skip_tensor_content,
            region: Cell::new(if map_free_vars { kTVMFFIDefRegionKindPattern } else { kTVMFFIDefRegionKindNone }),
            to_rhs: RefCell::default(),
            to_lhs: RefCell::default(),
            equal: RefCell::default(),
            mismatch,
            callback: OnceCell::new(),
            this: Local::new(this),
        })
    }

    fn compare(&self, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<bool> {
        let mut inside = Descent::new();
        let mut step = self.enter(lhs, rhs)?;
        loop {
            if let Step::Into(pair) = step {
                inside.enter(pair).map_err(|(_, error)| error)?;
                step = Step::Done(true);
            }
            let Step::Done(equal) = step else { continue };
            let Some(pair) = inside.innermost() else { return Ok(equal) };
            let next = if equal { pair.next(self)? } else { Next::Verdict(self.blame(pair)) };
            step = match next {
                Next::Values(lhs, rhs) => self.enter(lhs.view(), rhs.view())?,
                Next::Verdict(verdict) => Step::Done(match inside.leave() {
                    Some(pair) => self.leave(pair, verdict)?,
                    None => verdict,
                }),
            };
        }
    }

    /// Compares two values, or begins to.
    fn enter(&self, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Step> {
        if let Some(equal) = leaves_equal(lhs, rhs) {
            return Ok(Step::Done(equal));
        }
        let (lhs, rhs) = (lhs.as_object().ok_or_else(null_object)?, rhs.as_object().ok_or_else(null_object)?);
        match lhs.type_index() {
            kTVMFFIArray | kTVMFFIList => {
                let sizes = [&lhs, &rhs].map(|object| object.cast_ref().map(sequence::len));
                self.enter_sizes(sizes, || Ok(self.enter_content(lhs, rhs, Content::Sequence { at: 0 })))
            }
            kTVMFFIMap | kTVMFFIDict => {
                let sizes = [&lhs, &rhs].map(|object| object.cast_ref().map(map::len));
                self.enter_sizes(sizes, || {
                    let entries = lhs.cast_ref().map(map::entries).transpose()?.unwrap_or_default().into_iter();
                    Ok(self.enter_content(lhs, rhs, Content::Map { entries, keys: (Any::NONE, Any::NONE) }))
                })
            }
            kTVMFFIShape => {
                let [lhs, rhs] = [&lhs, &rhs].map(|object| object.cast_ref().map(shape::extents));
                Ok(Step::Done(lhs == rhs))
            }
            kTVMFFITensor => self.tensors_equal(&lhs, &rhs).map(Step::Done),
            type_index => self.enter_objects(lhs, rhs, comparison_kind(type_index)?),
        }
    }

    /// Sizes that differ are a verdict, unless it is to be told where.
    fn enter_sizes(&self, [lhs, rhs]: [Option<usize>; 2], enter: impl FnOnce() -> Result<Step>) -> Result<Step> {
        if lhs != rhs && self.mismatch.is_none() { Ok(Step::Done(false)) } else { enter() }
    }

    fn enter_content(&self, lhs: ObjectRef, rhs: ObjectRef, content: Content) -> Step {
        let met = (self.region.get(), self.to_rhs.borrow().len());
        if self.is_known(&lhs, &rhs, met) { Step::Done(true) } else { Step::Into(Pair { lhs, rhs, content, met }) }
    }

    /// Whether two values that are met like this have been found equal before.
    fn is_known(&self, lhs: &ObjectRef, rhs: &ObjectRef, (region, known): (i32, usize)) -> bool {
        let found = |(.., then): &Known| *then == known;
        is_shared(lhs, ENTERING) && is_shared(rhs, ENTERING) && {
            self.equal.borrow().get(&(address(lhs), address(rhs), region)).is_some_and(found)
        }
    }

    fn enter_objects(&self, lhs: ObjectRef, rhs: ObjectRef, kind: i32) -> Result<Step> {
        let same = lhs.handle() == rhs.handle();
        match kind {
            kTVMFFISEqHashKindUniqueInstance => return Ok(Step::Done(same)),
            kTVMFFISEqHashKindConstTreeNode if same => return Ok(Step::Done(true)),
            kTVMFFISEqHashKindDAGNode | kTVMFFISEqHashKindFreeVar => {
                if let Some((_, counterpart)) = self.to_rhs.borrow().get(&address(&lhs)) {
                    return Ok(Step::Done(counterpart.handle() == rhs.handle()));
                }
                if self.to_lhs.borrow().contains_key(&address(&rhs)) {
                    return Ok(Step::Done(false));
                }
            }
            _ => {}
        }
        let type_index = lhs.type_index();
        let Some(hook) = hook_function(&attribute::S_EQUAL, type_index, "__s_equal__")? else {
            let met = (self.region.get(), self.to_rhs.borrow().len());
            if self.is_known(&lhs, &rhs, met) {
                return self.conclude(&lhs, &rhs, kind).map(Step::Done);
            }
            let fields = Fields::new(type_index, kind, &self.region)?;
            return Ok(Step::Into(Pair { lhs, rhs, content: Content::Object { fields, kind, current: None }, met }));
        };
        let outer = self.region.get();
        enter_object(kind, &self.region);
        let equal = self.call_hook(&hook, &lhs, &rhs);
        self.region.set(outer);
        Ok(Step::Done(equal? && self.conclude(&lhs, &rhs, kind)?))
    }

    fn call_hook(&self, hook: &Function, lhs: &ObjectRef, rhs: &ObjectRef) -> Result<bool> {
        let callback = self.callback.get_or_init(|| self.make_callback()).clone();
        let (lhs, rhs, callback) = (Any::from(lhs.clone()), Any::from(rhs.clone()), Any::from(callback));
        let equal = call_back(hook, &[*lhs.view(), *rhs.view(), *callback.view()])?;
        equal.view().as_bool().ok_or_else(|| Type::Bool.refuse(equal.view()))
    }

    /// The function that a hook compares parts with: `(lhs, rhs, kind of definition region, name of the part) -> bool`.
    fn make_callback(&self) -> Function {
        let comparison = self.this.clone();
        static SIGNATURE: Signature = Signature::new("(0: AnyView, 1: AnyView, 2: int, 3: AnyView) -> bool");
        typed(&SIGNATURE, move |args| {
            let kind = args.int(2)? as i32;
            let comparison = comparison.get()?;
            let (lhs, rhs) = (args.any(0).to_owned()?, args.any(1).to_owned()?);
            let outer = comparison.region.get();
            comparison.region.set(if kind == kTVMFFIDefRegionKindNone { outer } else { entered(outer, kind) });
            let equal = comparison.compare(lhs.view(), rhs.view());
            comparison.region.set(outer);
            let equal = equal?;
            if !equal && comparison.mismatch.is_some() {
                let name = args.any(3).as_str().ok_or_else(|| Type::Str.refuse(args.any(3)))?;
                let name = text::string(name)?;
                comparison.note((Kind::Attr, name.clone()), (Kind::Attr, name));
            }
            Ok(equal.into())
        })
    }

    /// Ends the comparison of two values whose parts compare like this.
    fn leave(&self, pair: Pair, equal: bool) -> Result<bool> {
        let Pair { lhs, rhs, content, met: (region, known) } = pair;
        let verdict = match content {
            Content::Object { fields, kind, .. } => {
                fields.close(&self.region);
                equal && self.conclude(&lhs, &rhs, kind)?
            }
            _ => equal,
        };
        if verdict && is_shared(&lhs, LEAVING) && is_shared(&rhs, LEAVING) && self.to_rhs.borrow().len() == known {
            let key = (address(&lhs), address(&rhs), region);
            let mut equal = self.equal.borrow_mut();
            equal.try_reserve(1)?;
            equal.insert(key, (lhs, rhs, known));
        }
        Ok(verdict)
    }

    /// The verdict over two objects with equal parts, and what it means for the variable or node that they are.
    fn conclude(&self, lhs: &ObjectRef, rhs: &ObjectRef, kind: i32) -> Result<bool> {
        let corresponds = match kind {
            kTVMFFISEqHashKindDAGNode => true,
            kTVMFFISEqHashKindFreeVar => lhs.handle() == rhs.handle() || self.region.get() != kTVMFFIDefRegionKindNone,
            _ => return Ok(true),
        };
        if corresponds {
            let (mut to_rhs, mut to_lhs) = (self.to_rhs.borrow_mut(), self.to_lhs.borrow_mut());
            to_rhs.try_reserve(1)?;
            to_lhs.try_reserve(1)?;
            to_rhs.insert(address(lhs), (lhs.clone(), rhs.clone()));
            to_lhs.insert(address(rhs), (rhs.clone(), lhs.clone()));
        }
        Ok(corresponds)
    }

    fn tensors_equal(&self, lhs: &ObjectRef, rhs: &ObjectRef) -> Result<bool> {
        if lhs.handle() == rhs.handle() {
            return Ok(true);
        }
        let (lhs, rhs) = (Description::of(lhs)?, Description::of(rhs)?);
        if lhs.extents() != rhs.extents() || lhs.dtype_word() != rhs.dtype_word() {
            return Ok(false);
        }
        if self.skip_tensor_content {
            return Ok(true);
        }
        check_on_cpu(&lhs, "lhs", "can only compare CPU tensor")?;
        check_on_cpu(&rhs, "rhs", "can only compare CPU tensor")?;
        check_contiguous(&lhs, "lhs", "Can only compare contiguous tensor")?;
        check_contiguous(&rhs, "rhs", "Can only compare contiguous tensor")?;
        // SAFETY: both tensors are in memory, in one piece.
        Ok(unsafe { lhs.bytes()? == rhs.bytes()? })
    }

    /// Notes which part of two values differs. That is the verdict over them, too: they differ.
    fn blame(&self, pair: &Pair) -> bool {
        if self.mismatch.is_some() {
            match &pair.content {
                Content::Sequence { at } => {
                    let step = (Kind::ArrayItem, Any::from(*at as i64 - 1));
                    self.note(step.clone(), step);
                }
                Content::Map { keys: (lhs, rhs), .. } => {
                    self.note((Kind::MapItem, lhs.clone()), (Kind::MapItem, rhs.clone()));
                }
                Content::Object { current, .. } => {
                    // There is room for a name, or for the error that there is none.
                    let name = current.and_then(|field| text::string(field.name()).ok()).unwrap_or_default();
                    self.note((Kind::Attr, name.clone()), (Kind::Attr, name));
                }
            }
        }
        false
    }

    fn note(&self, lhs: (Kind, Any), rhs: (Kind, Any)) {
        if let Some(mismatch) = &self.mismatch {
            mismatch.borrow_mut().push(Mismatch { lhs, rhs });
        }
    }

    /// What corresponds to a key of one side on the other.
    fn translated(table: &RefCell<HashMap<usize, (ObjectRef, ObjectRef)>>, key: &Any) -> Any {
        let object = key.view().as_object();
        let counterpart = object.and_then(|object| Some(table.borrow().get(&address(&object))?.1.clone()));
        counterpart.map_or_else(|| key.clone(), Any::from)
    }
}

impl Pair {
    /// The next two values to be compared, given that all before were equal.
    fn next(&mut self, comparison: &Comparison) -> Result<Next> {
        match &mut self.content {
            Content::Sequence { at } => {
                // SAFETY: comparing leaves runs no foreign code.
                let sides = unsafe { [sequence::borrow_in(&self.lhs), sequence::borrow_in(&self.rhs)] };
                let [lhs, rhs] = sides.map(|elements| elements.get(*at..).unwrap_or_default().iter().map(Any::view));
                *at += lhs.zip(rhs).take_while(|(lhs, rhs)| leaves_equal(lhs, rhs) == Some(true)).count() + 1;
                match (sequence::get_in(&self.lhs, *at - 1), sequence::get_in(&self.rhs, *at - 1)) {
                    (Some(lhs), Some(rhs)) => return Ok(Next::Values(lhs, rhs)),
                    (None, None) => return Ok(Next::Verdict(true)),
                    (Some(_), None) => comparison.note_missing_item(*at - 1, Kind::ArrayItem, Kind::ArrayItemMissing),
                    (None, Some(_)) => comparison.note_missing_item(*at - 1, Kind::ArrayItemMissing, Kind::ArrayItem),
                }
                Ok(Next::Verdict(false))
            }
            Content::Map { entries, keys } => {
                let Some((key, value)) = entries.next() else { return self.rest_of_map(comparison) };
                let rhs_key = Comparison::translated(&comparison.to_rhs, &key);
                *keys = (key, rhs_key);
                match map::get_in(&self.rhs, keys.1.view())? {
                    Some(rhs) => Ok(Next::Values(value, rhs)),
                    None => {
                        comparison.note((Kind::MapItem, keys.0.clone()), (Kind::MapItemMissing, keys.1.clone()));
                        Ok(Next::Verdict(false))
                    }
                }
            }
            Content::Object { fields, current, .. } => {
                *current = fields.next(&comparison.region);
                match current {
                    // SAFETY: both objects are of the type that has the field.
                    Some(field) => Ok(unsafe { Next::Values(field.get(&self.lhs)?, field.get(&self.rhs)?) }),
                    None => Ok(Next::Verdict(true)),
                }
            }
        }
    }

    /// All entries of the left map are in the right one; whether those are all that it has.
    fn rest_of_map(&self, comparison: &Comparison) -> Result<Next> {
        let (Some(lhs), Some(rhs)) = (self.lhs.cast_ref(), self.rhs.cast_ref()) else {
            return Ok(Next::Verdict(true));
        };
        if map::len(lhs) == map::len(rhs) {
            return Ok(Next::Verdict(true));
        }
        for (key, _) in map::entries(rhs)? {
            let lhs_key = Comparison::translated(&comparison.to_lhs, &key);
            if map::get(lhs, lhs_key.view())?.is_none() {
                comparison.note((Kind::MapItemMissing, lhs_key), (Kind::MapItem, key));
                break;
            }
        }
        Ok(Next::Verdict(false))
    }
}

impl Comparison {
    fn note_missing_item(&self, at: usize, lhs: Kind, rhs: Kind) {
        let index = Any::from(at as i64);
        self.note((lhs, index.clone()), (rhs, index));
    }
}

/// Whether two values are equal, if not both are objects of one type to be taken apart.
fn leaves_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Option<bool> {
    let (lhs_index, rhs_index) = (lhs.type_index(), rhs.type_index());
    let is_string = |index| matches!(index, kTVMFFIStr | kTVMFFISmallStr);
    let is_bytes = |index| matches!(index, kTVMFFIBytes | kTVMFFISmallBytes);
    if is_string(lhs_index) && is_string(rhs_index) {
        return Some(lhs.as_str() == rhs.as_str());
    }
    if is_bytes(lhs_index) && is_bytes(rhs_index) {
        return Some(lhs.as_bytes() == rhs.as_bytes());
    }
    if lhs_index != rhs_index {
        return Some(false);
    }
    match lhs_index {
        kTVMFFIFloat if is_nan(lhs) => Some(is_nan(rhs)),
        kTVMFFIBigInt => Some(integer_words(lhs) == integer_words(rhs)),
        kTVMFFIStaticObjectBegin.. => None,
        _ => Some(super::same(lhs, rhs)),
    }
}

fn is_nan(value: &AnyView<'_>) -> bool {
    f64::from_bits(value.raw().payload()).is_nan()
}
