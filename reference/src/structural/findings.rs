//! What a structural comparison has found out: what corresponds to what, which values are equal, and where they differ.

use std::cell::{Cell, RefCell};

use super::address;
use crate::{
    border::error::Result,
    container::held::Held,
    object::ObjectRef,
    reflection::{
        access_path::{self, Kind, Path},
        field::Field,
    },
    system::memory::RoomFor,
    value::{
        any::{Any, AnyView},
        text,
    },
    walk::addresses::ByAddress,
};

/// What has been found out. Nothing in it is borrowed beyond a call.
pub(super) struct Findings {
    /// What corresponds to variables and nodes of graphs of the left side, and the other way round. The references keep
    /// addresses from being reused.
    to_rhs: RefCell<Counterparts>,
    to_lhs: RefCell<Counterparts>,
    /// Pairs that are equal in a region, each with how many correspondences were known then. Until there are more, they
    /// need not be compared again.
    equal: RefCell<ByAddress<(usize, usize, i32), Known>>,
    /// How many pairs were equal that only might be met again, and that nothing has been noted of.
    unnoted: Cell<usize>,
    /// Where the sides differ, innermost step first, if that is to be told.
    mismatch: Option<RefCell<Vec<Mismatch>>>,
    /// How often variables have differed that were not bound.
    unbound: Cell<usize>,
}

/// How two values were met: the region, and how many correspondences were known.
pub(super) type Met = (i32, usize);

/// Objects with what corresponds to them on the other side, by the addresses of the former.
type Counterparts = ByAddress<usize, (ObjectRef, ObjectRef)>;

/// Two equal values, and how many correspondences were known when they were found to be.
type Known = (ObjectRef, ObjectRef, usize);

/// A step from either side towards where they differ.
pub(super) struct Mismatch {
    pub lhs: (Kind, Any),
    pub rhs: (Kind, Any),
}

impl Findings {
    /// Nothing yet.
    pub fn new(tells_where: bool) -> Self {
        Self {
            to_rhs: RefCell::default(),
            to_lhs: RefCell::default(),
            equal: RefCell::default(),
            unnoted: Cell::new(0),
            mismatch: tells_where.then(RefCell::default),
            unbound: Cell::new(0),
        }
    }

    /// How many correspondences are known.
    #[inline]
    pub fn related(&self) -> usize {
        self.to_rhs.borrow().len()
    }

    /// Whether two variables or nodes correspond to each other, if either corresponds to anything.
    pub fn are_related(&self, lhs: &ObjectRef, rhs: &ObjectRef) -> Option<bool> {
        if let Some((_, counterpart)) = self.to_rhs.borrow().get(&address(lhs)) {
            return Some(counterpart.handle() == rhs.handle());
        }
        self.to_lhs.borrow().contains_key(&address(rhs)).then_some(false)
    }

    /// Has two variables or nodes correspond to each other.
    pub fn relate(&self, lhs: &ObjectRef, rhs: &ObjectRef) -> Result<()> {
        let (mut to_rhs, mut to_lhs) = (self.to_rhs.borrow_mut(), self.to_lhs.borrow_mut());
        to_rhs.room_for(1)?;
        to_lhs.room_for(1)?;
        to_rhs.insert(address(lhs), (lhs.clone(), rhs.clone()));
        to_lhs.insert(address(rhs), (rhs.clone(), lhs.clone()));
        Ok(())
    }

    /// What corresponds to a key of the left side, if that is something else.
    pub fn rhs_of(&self, key: &AnyView<'_>) -> Option<Any> {
        counterpart(&self.to_rhs, key)
    }

    /// What corresponds to a key of the right side, if that is something else.
    pub fn lhs_of(&self, key: &AnyView<'_>) -> Option<Any> {
        counterpart(&self.to_lhs, key)
    }

    /// Whether two values that are met like this have been found equal before.
    #[inline]
    pub fn is_known(&self, lhs: &Held, rhs: &Held, (region, known): Met) -> bool {
        let equal = self.equal.borrow();
        let found = |(.., then): &Known| *then == known;
        !equal.is_empty() && lhs.is_shared() && rhs.is_shared() && {
            let [lhs, rhs] = [lhs, rhs].map(|side| side.object().map_or(0, address));
            equal.get(&(lhs, rhs, region)).is_some_and(found)
        }
    }

    /// Notes that two values are equal that may be met again.
    #[inline]
    pub fn note_equal(&self, lhs: &Held, rhs: &Held, (region, known): Met) -> Result<()> {
        if lhs.is_shared()
            && rhs.is_shared()
            && self.related() == known
            && self.is_worth_noting(lhs, rhs)
            && let (Some(lhs), Some(rhs)) = (lhs.object(), rhs.object())
        {
            let mut equal = self.equal.borrow_mut();
            equal.room_for(1)?;
            equal.insert((address(lhs), address(rhs), region), (lhs.clone(), rhs.clone(), known));
        }
        Ok(())
    }

    /// Whether two values that may be met again are likely to be, or so many were not noted that it may come to much.
    #[inline]
    fn is_worth_noting(&self, lhs: &Held, rhs: &Held) -> bool {
        const FEW: usize = 1024;
        if lhs.seems_shared() && rhs.seems_shared() || self.unnoted.get() >= FEW {
            return true;
        }
        self.unnoted.set(self.unnoted.get() + 1);
        false
    }

    /// Whether it is to be told where the sides differ.
    #[inline]
    pub fn tell_where(&self) -> bool {
        self.mismatch.is_some()
    }

    /// Notes a step towards where the sides differ.
    pub fn note(&self, lhs: (Kind, Any), rhs: (Kind, Any)) {
        if let Some(mismatch) = &self.mismatch {
            mismatch.borrow_mut().push(Mismatch { lhs, rhs });
        }
    }

    /// Notes that elements differ.
    pub fn note_item(&self, at: usize) {
        let step = (Kind::ArrayItem, Any::from(at as i64));
        self.note(step.clone(), step);
    }

    /// Notes that only one side has an element.
    pub fn note_missing_item(&self, at: usize, lhs_is_missing: bool) {
        let index = Any::from(at as i64);
        let (present, missing) = ((Kind::ArrayItem, index.clone()), (Kind::ArrayItemMissing, index));
        if lhs_is_missing { self.note(missing, present) } else { self.note(present, missing) }
    }

    /// Notes that fields differ.
    pub fn note_field(&self, field: Field) -> Result<()> {
        if self.tell_where() {
            let name = text::string(field.name())?;
            self.note((Kind::Attr, name.clone()), (Kind::Attr, name));
        }
        Ok(())
    }

    /// Notes that values differ which may be equal when more correspondences are known.
    pub fn note_unbound(&self) {
        self.unbound.set(self.unbound.get().wrapping_add(1));
    }

    /// How often that has been noted.
    #[inline]
    pub fn unbound(&self) -> usize {
        self.unbound.get()
    }

    /// How many steps have been noted.
    #[inline]
    pub fn steps(&self) -> usize {
        self.mismatch.as_ref().map_or(0, |mismatch| mismatch.borrow().len())
    }

    /// Takes back all steps but the first ones.
    pub fn take_steps(&self, kept: usize) -> Vec<Mismatch> {
        self.mismatch.as_ref().map(|mismatch| mismatch.borrow_mut().split_off(kept)).unwrap_or_default()
    }

    /// Notes steps that have been taken back.
    pub fn note_steps(&self, steps: Vec<Mismatch>) {
        if let Some(mismatch) = &self.mismatch {
            mismatch.borrow_mut().extend(steps);
        }
    }

    /// The steps towards where the sides differ, innermost first.
    pub fn take_mismatch(&self) -> Vec<Mismatch> {
        self.mismatch.as_ref().map(RefCell::take).unwrap_or_default()
    }
}

/// The paths that have these steps, outermost first.
pub(super) fn paths(steps: impl IntoIterator<Item = Mismatch>) -> Result<(Path, Path)> {
    let (mut lhs, mut rhs) = (access_path::root()?, access_path::root()?);
    for Mismatch { lhs: lhs_step, rhs: rhs_step } in steps {
        lhs = access_path::extend(lhs, access_path::step(lhs_step.0, lhs_step.1)?)?;
        rhs = access_path::extend(rhs, access_path::step(rhs_step.0, rhs_step.1)?)?;
    }
    Ok((lhs, rhs))
}

fn counterpart(table: &RefCell<Counterparts>, key: &AnyView<'_>) -> Option<Any> {
    let (object, table) = (key.cast_ref()?, table.borrow());
    let (_, counterpart) = table.get(&address(object))?;
    Some(counterpart.clone().into())
}
