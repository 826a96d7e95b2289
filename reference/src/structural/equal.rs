//! Structural equality, and where two values that are not equal differ first.
//!
//! Variables that are defined on both sides correspond to each other from then on, and so do nodes of graphs that have
//! been found equal; variables that are only used are equal to themselves alone.

use std::{
    cell::{Cell, OnceCell},
    sync::Arc,
};

use tvm_ffi_spec::*;

use super::{
    DEEPEST, Descent, address, call_back, check_contiguous, check_on_cpu,
    compared_pair::{Content, Pair},
    comparison_kind,
    entries::{Entries, Glance, Next, glance},
    fields::{Fields, enter_object, entered},
    findings::{Findings, Met, Mismatch, paths},
    is_nested,
    leaves::{equal_leaves, leaves_equal},
    made_once,
    thread_bound::{Local, Place, Placed},
};
use crate::{
    border::error::Result,
    container::{array, held::Held, map, sequence, shape},
    function::{
        self, Function,
        arguments::Arguments,
        row::{Row, row, typed},
        signature::Signature,
    },
    object::ObjectRef,
    reflection::access_path::{Kind, Path},
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
#[inline]
pub fn equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>, options: Options) -> Result<bool> {
    // SAFETY: the values are the caller's during the walk.
    let held = || unsafe { (Held::kept(lhs), Held::kept(rhs)) };
    at_a_glance(lhs, rhs)?.map_or_else(|| inside(held(), options), Ok)
}

/// Whether two values are equal, if that can be told without going inside of what is in them.
///
/// # Errors
/// As [`equal`].
#[inline]
pub fn at_a_glance(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Option<bool>> {
    if let Some(equal) = leaves_equal(lhs, rhs) {
        return Ok(Some(equal));
    }
    Ok(match glance(lhs, rhs)? {
        Glance::Equal => Some(true),
        Glance::Differ(..) => Some(false),
        Glance::Unclear => None,
    })
}

/// As [`equal`], of two values of which a glance has not told.
///
/// # Errors
/// As [`equal`].
pub fn inside((lhs, rhs): (Held, Held), options: Options) -> Result<bool> {
    let comparison = Comparison::new(options, false);
    if is_nested(lhs.view().type_index(), 0) {
        return comparison.nested_equal(&lhs, &rhs, 1);
    }
    comparison.compare(lhs, rhs, 0)
}

/// The access paths to where two values differ first, from either; `None` if they are equal.
///
/// # Errors
/// As [`equal`].
pub fn first_mismatch(lhs: &AnyView<'_>, rhs: &AnyView<'_>, options: Options) -> Result<Option<(Path, Path)>> {
    match glance(lhs, rhs)? {
        Glance::Equal => return Ok(None),
        Glance::Differ(key, rhs_kind) => {
            return paths([Mismatch { lhs: (Kind::MapItem, key.clone()), rhs: (rhs_kind, key) }]).map(Some);
        }
        Glance::Unclear => {}
    }
    let comparison = Comparison::new(options, true);
    // SAFETY: the values are the caller's during the walk.
    let (kept_lhs, kept_rhs) = unsafe { (Held::kept(lhs), Held::kept(rhs)) };
    if comparison.compare(kept_lhs, kept_rhs, 0)? {
        return Ok(None);
    }
    paths(comparison.findings.take_mismatch().into_iter().rev()).map(Some)
}

/// The global functions about equality.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.StructuralEqual(0: Any, 1: Any, 2: bool, 3: bool) -> bool", |args| {
        let (options, rhs) = (options(args)?, &mut Any::default());
        let (rhs, lhs) = (args.keepable(1, rhs)?, &mut Any::default());
        Ok(equal(args.keepable(0, lhs)?, rhs, options)?.into())
    }),
    row(
        "ffi.GetFirstStructuralMismatch(0: Any, 1: Any, 2: bool, 3: bool) -> \
         Optional<Tuple<ffi.reflection.AccessPath, ffi.reflection.AccessPath>>",
        |args| {
            let (options, rhs) = (options(args)?, &mut Any::default());
            let (rhs, lhs) = (args.keepable(1, rhs)?, &mut Any::default());
            match first_mismatch(args.keepable(0, lhs)?, rhs, options)? {
                Some((lhs, rhs)) => Ok(array::of([lhs.into(), rhs.into()])?.into()),
                None => Ok(Any::NONE),
            }
        },
    ),
];

/// Arguments are converted from the last to the first, which tells which of several bad ones is complained about.
fn options(args: &Arguments<'_>) -> Result<Options> {
    let (skip_tensor_content, map_free_vars) = (args.bool(3)?, args.bool(2)?);
    Ok(Options { map_free_vars, skip_tensor_content })
}

/// One comparison. Hooks lead back into it, so nothing in it is borrowed while they run.
struct Comparison {
    skip_tensor_content: bool,
    region: Cell<i32>,
    findings: Findings,
    /// What hooks compare their parts with.
    callback: OnceCell<Function>,
    place: Place<Comparison>,
}

impl Placed for Comparison {
    fn place(&self) -> &Place<Self> {
        &self.place
    }
}

impl Comparison {
    fn new(options: Options, tells_where: bool) -> Arc<Self> {
        let Options { map_free_vars, skip_tensor_content } = options;
        Self::shared(|| Self {
            skip_tensor_content,
            region: Cell::new(if map_free_vars { kTVMFFIDefRegionKindPattern } else { kTVMFFIDefRegionKindNone }),
            findings: Findings::new(tells_where),
            callback: OnceCell::new(),
            place: Place::default(),
        })
    }

    /// The region that values are met in now, and how many correspondences are known.
    #[inline]
    fn met(&self) -> Met {
        (self.region.get(), self.findings.related())
    }

    /// Compares two values from within so many nested calls.
    fn compare(&self, lhs: Held, rhs: Held, nested: u32) -> Result<bool> {
        let mut inside = Descent::new();
        let mut compared = self.enter(lhs, rhs, nested, &mut inside)?;
        loop {
            let Some(pair) = inside.innermost() else { return Ok(compared.unwrap_or(true)) };
            let (findings, region) = (&self.findings, &self.region);
            let next =
                if compared == Some(false) { pair.blame(findings, region)? } else { pair.next(findings, region)? };
            compared = match next {
                Next::Values(lhs, rhs) => self.enter(lhs, rhs, nested, &mut inside)?,
                Next::Verdict(verdict) => inside.leave().map(|pair| self.leave(&pair, verdict)).transpose()?,
            };
        }
    }

    /// Compares two values, unless that means to go inside of them.
    #[inline]
    fn enter(&self, mut lhs: Held, mut rhs: Held, nested: u32, inside: &mut Descent<Pair>) -> Result<Option<bool>> {
        loop {
            if let Some(equal) = leaves_equal(lhs.view(), rhs.view()) {
                return Ok(Some(equal));
            }
            let (left, right) = (lhs.its_object(), rhs.its_object());
            let met = self.met();
            let type_index = left.type_index();
            let content = match type_index {
                _ if is_nested(type_index, nested) => return self.nested_equal(&lhs, &rhs, nested + 1).map(Some),
                kTVMFFIArray | kTVMFFIList => {
                    let sizes = [left, right].map(|object| object.cast_ref().map_or(0, sequence::len));
                    if self.is_verdict(sizes) {
                        return Ok(Some(false));
                    }
                    Content::Sequence { at: 0 }
                }
                kTVMFFIMap | kTVMFFIDict => {
                    let sizes = [left, right].map(|object| object.cast_ref().map_or(0, map::len));
                    if self.is_verdict(sizes) {
                        return Ok(Some(false));
                    }
                    if self.findings.is_known(&lhs, &rhs, met) {
                        return Ok(Some(true));
                    }
                    // SAFETY: the pair has both the maps and their entries.
                    let Some(mut entries) = (unsafe { Entries::of(left, right)? }) else {
                        self.findings.note_equal(&lhs, &rhs, met)?;
                        return Ok(Some(true));
                    };
                    // Most maps have leaves alone, and are not worth a level.
                    let (left_part, right_part) = match entries.next(left, right, &self.findings)? {
                        Next::Values(left, right) => (left, right),
                        Next::Verdict(verdict) => {
                            verdict.then(|| self.findings.note_equal(&lhs, &rhs, met)).transpose()?;
                            return Ok(Some(verdict));
                        }
                    };
                    inside.admit((address(left), address(right)), type_index)?;
                    inside.push(Pair { lhs, rhs, content: Content::Map(entries), met });
                    (lhs, rhs) = (left_part, right_part);
                    continue;
                }
                kTVMFFIShape => {
                    let [lhs, rhs] = [left, right].map(|object| object.cast_ref().map(shape::extents));
                    return Ok(Some(lhs == rhs));
                }
                kTVMFFITensor => return self.tensors_equal(left, right).map(Some),
                _ => {
                    let (types, kind) = comparison_kind(type_index)?;
                    if let Some(equal) = self.objects_equal(left, right, kind)? {
                        return Ok(Some(equal));
                    }
                    if self.findings.is_known(&lhs, &rhs, met) {
                        return self.conclude(left, right, kind).map(Some);
                    }
                    let fields = Fields::of(types, kind, &self.region)?;
                    Content::Object { fields, kind, current: None }
                }
            };
            if self.findings.is_known(&lhs, &rhs, met) {
                return Ok(Some(true));
            }
            inside.admit((address(left), address(right)), type_index)?;
            inside.push(Pair { lhs, rhs, content, met });
            return Ok(None);
        }
    }

    /// Compares two values of one type by a nested call.
    fn nested_equal(&self, lhs: &Held, rhs: &Held, nested: u32) -> Result<bool> {
        match lhs.view().type_index() {
            kTVMFFIArray | kTVMFFIList => self.sequences_equal(lhs, rhs, nested),
            kTVMFFIMap | kTVMFFIDict => self.maps_equal(lhs, rhs, nested),
            _ => self.fields_equal(lhs, rhs, nested),
        }
    }

    fn sequences_equal(&self, lhs: &Held, rhs: &Held, nested: u32) -> Result<bool> {
        let met = self.met();
        let is_fixed = lhs.view().type_index() == kTVMFFIArray;
        let elements = || {
            // SAFETY: nothing runs while the elements are borrowed, which are looked for anew after that.
            [lhs, rhs].map(|side| side.object().map_or(&[][..], |object| unsafe { sequence::borrow_in(object) }))
        };
        let [left, right] = elements();
        if self.is_verdict([left.len(), right.len()]) {
            return Ok(false);
        }
        if self.findings.is_known(lhs, rhs, met) {
            return Ok(true);
        }
        let mut at = 0;
        loop {
            let [left, right] = elements().map(|elements| elements.get(at..).unwrap_or_default());
            at += equal_leaves(left, right);
            let [left, right] = elements().map(|elements| elements.get(at));
            let equal = match (left, right) {
                (None, None) => break,
                // SAFETY: the walk holds the sequences, or what they are inside of, for as long as their elements.
                (Some(left), Some(right)) => unsafe {
                    self.parts_equal(Held::part(left, is_fixed), Held::part(right, is_fixed), nested)?
                },
                (left, _) => {
                    self.findings.note_missing_item(at, left.is_none());
                    return Ok(false);
                }
            };
            if !equal {
                self.findings.note_item(at);
                return Ok(false);
            }
            at += 1;
        }
        self.findings.note_equal(lhs, rhs, met)?;
        Ok(true)
    }

    fn maps_equal(&self, lhs: &Held, rhs: &Held, nested: u32) -> Result<bool> {
        let (left, right) = (lhs.its_object(), rhs.its_object());
        let met = self.met();
        if self.is_verdict([left, right].map(|object| object.cast_ref().map_or(0, map::len))) {
            return Ok(false);
        }
        if self.findings.is_known(lhs, rhs, met) {
            return Ok(true);
        }
        // SAFETY: the caller has both the maps and their entries.
        let Some(mut entries) = (unsafe { Entries::of(left, right)? }) else {
            self.findings.note_equal(lhs, rhs, met)?;
            return Ok(true);
        };
        loop {
            // What has just been written in parts is slow to move, so that it is taken as it comes.
            match entries.next(left, right, &self.findings) {
                Ok(Next::Values(left, right)) => {
                    if !self.parts_equal(left, right, nested)? && !entries.put_aside(Kind::MapItem, &self.findings)? {
                        return Ok(false);
                    }
                }
                Ok(Next::Verdict(true)) => break,
                Ok(Next::Verdict(false)) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        self.findings.note_equal(lhs, rhs, met)?;
        Ok(true)
    }

    /// Compares two objects of one type by their fields, or as their type says.
    fn fields_equal(&self, lhs: &Held, rhs: &Held, nested: u32) -> Result<bool> {
        let (left, right) = (lhs.its_object(), rhs.its_object());
        let met = self.met();
        let (types, kind) = comparison_kind(left.type_index())?;
        if let Some(equal) = self.objects_equal(left, right, kind)? {
            return Ok(equal);
        }
        if self.findings.is_known(lhs, rhs, met) {
            return self.conclude(left, right, kind);
        }
        let mut fields = Fields::of(types, kind, &self.region)?;
        // Objects that have only leaves are compared faster than looked for.
        let mut is_noted = false;
        while let Some(field) = fields.next(&self.region) {
            // SAFETY: both objects are of the type that has the field.
            let left = unsafe { field.held(left)? };
            // SAFETY: as above.
            let right = unsafe { field.held(right)? };
            let at_a_glance = leaves_equal(left.view(), right.view());
            is_noted |= at_a_glance.is_none();
            let equal = match at_a_glance {
                Some(equal) => equal,
                None if is_nested(left.view().type_index(), nested) => self.nested_equal(&left, &right, nested + 1)?,
                None => self.compare(left, right, nested)?,
            };
            if !equal {
                fields.close(&self.region);
                self.findings.note_field(field)?;
                return Ok(false);
            }
        }
        fields.close(&self.region);
        let verdict = self.conclude(left, right, kind)?;
        if verdict && is_noted {
            self.findings.note_equal(lhs, rhs, met)?;
        }
        Ok(verdict)
    }

    /// Compares two values inside of others, which stay where they lie if calls are nested.
    #[inline]
    fn parts_equal(&self, lhs: Held, rhs: Held, nested: u32) -> Result<bool> {
        match leaves_equal(lhs.view(), rhs.view()) {
            Some(equal) => Ok(equal),
            None if is_nested(lhs.view().type_index(), nested) => self.nested_equal(&lhs, &rhs, nested + 1),
            None => self.compare(lhs, rhs, nested),
        }
    }

    /// Sizes that differ are a verdict, unless it is to be told where.
    fn is_verdict(&self, [lhs, rhs]: [usize; 2]) -> bool {
        lhs != rhs && !self.findings.tell_where()
    }

    /// Whether two objects are equal, if that does not depend on their fields.
    #[inline]
    fn objects_equal(&self, lhs: &ObjectRef, rhs: &ObjectRef, kind: i32) -> Result<Option<bool>> {
        let same = lhs.handle() == rhs.handle();
        match kind {
            kTVMFFISEqHashKindUniqueInstance => return Ok(Some(same)),
            kTVMFFISEqHashKindConstTreeNode if same => return Ok(Some(true)),
            kTVMFFISEqHashKindDAGNode | kTVMFFISEqHashKindFreeVar => {
                if let Some(related) = self.findings.are_related(lhs, rhs) {
                    return Ok(Some(related));
                }
            }
            _ => {}
        }
        attribute::S_EQUAL.of(lhs.type_index()).map(|hook| self.equal_by_hook(&hook, lhs, rhs, kind)).transpose()
    }

    #[inline(never)]
    fn equal_by_hook(&self, hook: &AnyView<'_>, lhs: &ObjectRef, rhs: &ObjectRef, kind: i32) -> Result<bool> {
        let hook = function::of_hook(hook, "__s_equal__")?;
        let outer = self.region.get();
        enter_object(kind, &self.region);
        let callback = made_once(&self.callback, || self.make_callback())?;
        let (left, right) = (Any::from(lhs.clone()), Any::from(rhs.clone()));
        let equal = self.place.lend(|| call_back(&hook, &[*left.view(), *right.view(), *callback.view()]))?;
        let equal = equal.view().as_bool().ok_or_else(|| Type::Bool.refuse(equal.view()))?;
        self.region.set(outer);
        Ok(equal && self.conclude(lhs, rhs, kind)?)
    }

    /// The function that a hook compares parts with: `(lhs, rhs, kind of definition region, name of the part) -> bool`.
    fn make_callback(&self) -> Result<Function> {
        let comparison = Local::new(&self.place);
        static SIGNATURE: Signature = Signature::new("(0: AnyView, 1: AnyView, 2: int, 3: AnyView) -> bool");
        typed(&SIGNATURE, move |args| {
            let kind = args.int(2)? as i32;
            let comparison = comparison.get()?;
            let (lhs, rhs) = (args.any(0).to_owned()?, args.any(1).to_owned()?);
            let outer = comparison.region.get();
            comparison.region.set(if kind == kTVMFFIDefRegionKindNone { outer } else { entered(outer, kind) });
            // SAFETY: the values are there during the walk. A hook may compare them twice.
            let (lhs, rhs) = unsafe { (Held::lent(lhs.view()), Held::lent(rhs.view())) };
            let equal = comparison.compare(lhs, rhs, DEEPEST);
            if comparison.is_held() {
                comparison.region.set(outer);
            }
            let equal = equal?;
            if !equal && comparison.findings.tell_where() {
                let name = args.any(3).as_str().ok_or_else(|| Type::Str.refuse(args.any(3)))?;
                let name = text::string(name)?;
                comparison.findings.note((Kind::Attr, name.clone()), (Kind::Attr, name));
            }
            Ok(equal.into())
        })
    }

    /// Ends the comparison of two values whose parts compare like this.
    #[inline]
    fn leave(&self, pair: &Pair, equal: bool) -> Result<bool> {
        let (lhs, rhs) = (pair.lhs.its_object(), pair.rhs.its_object());
        let verdict = match &pair.content {
            Content::Object { fields, kind, .. } => {
                fields.close(&self.region);
                equal && self.conclude(lhs, rhs, *kind)?
            }
            _ => equal,
        };
        if verdict {
            self.findings.note_equal(&pair.lhs, &pair.rhs, pair.met)?;
        }
        Ok(verdict)
    }

    /// The verdict over two objects with equal parts, and what it means for the variable or node that they are.
    #[inline]
    fn conclude(&self, lhs: &ObjectRef, rhs: &ObjectRef, kind: i32) -> Result<bool> {
        match kind {
            kTVMFFISEqHashKindDAGNode => self.conclude_as(true, lhs, rhs),
            kTVMFFISEqHashKindFreeVar => {
                let is_bound = self.region.get() != kTVMFFIDefRegionKindNone;
                self.conclude_as(is_bound || lhs.handle() == rhs.handle(), lhs, rhs)
            }
            _ => Ok(true),
        }
    }

    fn conclude_as(&self, corresponds: bool, lhs: &ObjectRef, rhs: &ObjectRef) -> Result<bool> {
        if corresponds {
            self.findings.relate(lhs, rhs)?;
        } else {
            self.findings.note_unbound();
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
}
