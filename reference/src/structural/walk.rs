//! Visitors that run callbacks: a walk, which shows them every value there is, and a visit, whose callbacks say
//! themselves what of a value is to be visited.

use std::{cell::Cell, ffi::c_void};

use tvm_ffi_spec::*;

use super::{
    DEEPEST, Descent, Level, all_pass,
    callbacks::{Callback, Callbacks, Form},
    error_context,
    fields::Fields,
    is_nested, nested_at_first,
    visit::{self, Apart, Flow, Parts, Visitor, flow_of_call, no_engine, unexpected_answer, value_of_call},
};
use crate::{
    border::error::{Error, Result},
    container::{
        copies::Copies,
        held::Held,
        map::{self, Map},
        sequence::{self, Array},
    },
    function::{
        self,
        arguments::Arguments,
        row::{Row, row},
    },
    object::{self, ObjectRef, Payload},
    reflection::{
        native::answer,
        structural_objects::{StructuralVisitor, VisitorVTable},
    },
    types::{attribute, builtin_indices::STRUCTURAL_VISITOR, schema::Type},
    value::any::{Any, AnyView},
    walk::stack_guard::Limit,
};

/// What callbacks are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// They see a value before what is inside of it, and say whether to go there.
    WalkBefore,
    /// They see a value after what is inside of it.
    WalkAfter,
    /// They visit what they want of a value themselves.
    Visit,
}

/// What lies behind the header of a visitor that runs callbacks.
#[repr(C)]
struct Engine {
    visitor: StructuralVisitor,
    role: Role,
    callbacks: Callbacks,
}

// SAFETY: `repr(C)`, and begins with the fields of visitors.
unsafe impl Payload for Engine {
    const TYPE_INDEX: i32 = STRUCTURAL_VISITOR;
}

static VTABLE: VisitorVTable = VisitorVTable { visit };

/// # Safety
/// `visitor` is a live visitor, and the value lives during the call.
unsafe extern "C" fn visit(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for both.
        let (visitor, value) = unsafe { (Visitor::from_handle(visitor)?, AnyView::from_raw(&raw const value)) };
        // A copy of an engine has this function, but nothing of what is behind the fields of visitors.
        if !object::is_made_here::<Engine>(&visitor) {
            return Err(no_engine());
        }
        // SAFETY: it is an engine.
        unsafe { Visit::by(&visitor) }.run(&value).map(|flow| Any::from(flow).into_raw())
    })
}

/// A value that a visit is inside of.
struct Inside {
    value: Held,
    parts: Parts,
}

impl Level for Inside {
    type Key = u64;

    fn key(&self) -> u64 {
        self.value.view().raw().payload()
    }
}

/// What a callback wants of the value that it has seen.
enum Wish {
    GoInside,
    GoOn,
    End(ObjectRef),
}

/// What comes next after a value has been shown, if that is not the value behind it.
enum Turn {
    /// What is inside of it, which is held.
    Enter(Held),
    /// Nothing: the visit ends here.
    End(End),
}

/// How a visit ends early: by the wish of a callback, or by an error.
type End = Result<ObjectRef>;

/// One visit of an engine, on a thread.
struct Visit<'a> {
    visitor: &'a Visitor,
    role: Role,
    callbacks: &'a Callbacks,
    stack: Limit,
    /// Whether objects that have nothing to show need not be entered: the walk is not so deep that it looks out for
    /// circles.
    skips: Cell<bool>,
}

impl<'a> Visit<'a> {
    /// # Safety
    /// The visitor is an [`Engine`].
    unsafe fn by(visitor: &'a Visitor) -> Self {
        // SAFETY: the caller's contract is the same; callbacks and their role never change.
        let Engine { role, callbacks, .. } = unsafe { visitor.data() };
        Self { visitor, role: *role, callbacks, stack: Limit::of_thread(), skips: Cell::new(true) }
    }

    fn run(&self, root: &AnyView<'_>) -> Result<Flow> {
        // SAFETY: the value is the caller's during the visit. It is kept, as others could change it otherwise.
        match self.show_held(unsafe { Held::kept(root) }, nested_at_first(self.stack)) {
            None => Ok(None),
            Some(Turn::Enter(value)) => self.descend(value).transpose(),
            Some(Turn::End(end)) => end.map(Some),
        }
    }

    /// Shows what is inside of a value that is no leaf by a nested call. Containers of leaves that nobody is shown are not
    /// entered.
    #[inline(never)]
    fn go_inside(&self, value: &AnyView<'_>, nested: u32) -> Option<End> {
        let end = if !Visitor::is_plain_container(value.type_index()) {
            self.inside_object(value, nested)
        } else if all_pass(value, |type_index| self.passes(type_index)) {
            None
        } else {
            self.inside_container(value, nested)
        };
        self.after(value, end)
    }

    fn inside_container(&self, value: &AnyView<'_>, nested: u32) -> Option<End> {
        // SAFETY: whoever is inside of the value holds it. Nobody changes an Array or a Map that is held.
        unsafe {
            if let Some(array) = value.cast_ref::<Array>() {
                let mut elements = sequence::borrow(array).iter();
                self.to_the_end(|| self.show_lent(&mut elements, nested))
            } else if let Some(list) = value.cast_ref() {
                let mut at = 0;
                let mut items = visit::items(list, &mut at, |type_index| self.passes(type_index));
                self.to_the_end(|| self.show_copies(&mut items, nested))
            } else if let Some(map) = value.cast_ref::<Map>() {
                let mut values = map::iter(map).map(|(_, value)| value);
                self.to_the_end(|| self.show_lent(&mut values, nested))
            } else {
                let mut values = Copies::default();
                if let Err(error) = map::copy_values(value.cast_ref()?, &mut values) {
                    return Some(Err(error));
                }
                self.to_the_end(|| self.show_copies(&mut values, nested))
            }
        }
    }

    /// Shows what is inside of a value as its type says.
    fn inside_object(&self, value: &AnyView<'_>, nested: u32) -> Option<End> {
        if let Some(hook) = attribute::S_VISIT.of(value.type_index()) {
            return self
                .visitor
                .visit_by(&hook, value)
                .map(|flow| flow.map(Ok))
                .unwrap_or_else(|error| Some(Err(error)));
        }
        let object = value.cast_ref()?;
        let mut fields = match Fields::of_any(value.type_index(), self.visitor.region()) {
            Ok(fields) => fields,
            Err(error) => return Some(Err(error)),
        };
        let end = self.to_the_end(|| self.show_fields(object, &mut fields, nested));
        fields.close(self.visitor.region());
        end
    }

    /// Shows parts, up to a turn each time, until nothing is left of them.
    #[inline]
    fn to_the_end(&self, mut show: impl FnMut() -> Option<Turn>) -> Option<End> {
        loop {
            let end = match show()? {
                Turn::End(end) => Some(end),
                Turn::Enter(part) => self.descend(part),
            };
            if end.is_some() {
                return end;
            }
        }
    }

    /// Enters a value where calls are not nested any deeper, and shows what is inside of it.
    fn descend(&self, value: Held) -> Option<End> {
        let mut inside = Descent::new();
        let mut turn = Some(Turn::Enter(value));
        let end = loop {
            turn = match turn {
                Some(Turn::Enter(value)) => self.enter(value, &mut inside),
                Some(Turn::End(end)) => match inside.leave() {
                    Some(level) => self.leave(level, Some(end)),
                    None => break Some(end),
                },
                None if inside.innermost().is_none() => break None,
                None => self.go_on(&mut inside),
            };
        };
        self.skips.set(true);
        end
    }

    /// Shows what is left of the innermost value, up to a turn, or leaves it.
    fn go_on(&self, inside: &mut Descent<Inside>) -> Option<Turn> {
        self.skips.set(inside.is_unwatched());
        let Inside { value, parts } = inside.innermost()?;
        let turn = self.show_parts(parts, value.view(), DEEPEST);
        if turn.is_some() {
            return turn;
        }
        parts.close(self.visitor);
        let end = self.after(value.view(), None);
        inside.end_innermost();
        end.map(Turn::End)
    }

    /// Shows what is left of the parts of a value, up to a turn.
    #[inline]
    fn show_parts(&self, parts: &mut Parts, value: &AnyView<'_>, nested: u32) -> Option<Turn> {
        // SAFETY: whoever is inside of the value has both it and its parts.
        if let Some(elements) = unsafe { parts.elements(value) } {
            self.show_lent(elements, nested)
        } else if let Some(values) = parts.values() {
            self.show_lent(values, nested)
        } else if let Some(items) = parts.items(value, |type_index| self.passes(type_index)) {
            self.show_copies(items, nested)
        } else {
            self.show_others(parts, value, nested)
        }
    }

    /// Shows parts that their container lends, up to a turn.
    #[inline(always)]
    fn show_lent<'v>(&self, parts: impl Iterator<Item = &'v Any>, nested: u32) -> Option<Turn> {
        for part in parts {
            // SAFETY: nobody changes the container, which is held for as long as its parts are.
            if let Some(turn) = self.show(part.view(), nested, || unsafe { Held::lent(part.view()) }) {
                return Some(turn);
            }
        }
        None
    }

    /// Shows copies of parts whose container may change meanwhile, up to a turn.
    #[inline]
    fn show_copies(&self, parts: impl Iterator<Item = Any>, nested: u32) -> Option<Turn> {
        for part in parts {
            if let Some(turn) = self.show(part.view(), nested, || Held::ours(part.clone())) {
                return Some(turn);
            }
        }
        None
    }

    /// Shows the fields that are left of an object, up to a turn.
    #[inline]
    fn show_fields(&self, object: &ObjectRef, fields: &mut Fields, nested: u32) -> Option<Turn> {
        while let Some(field) = fields.next(self.visitor.region()) {
            // SAFETY: the fields are those of the object's type.
            let part = match unsafe { field.get(object) } {
                Ok(part) => part,
                Err(error) => return Some(Turn::End(Err(error))),
            };
            if let Some(turn) = self.show(part.view(), nested, || Held::ours(part.clone())) {
                return Some(turn);
            }
        }
        None
    }

    /// Shows parts of any kind, up to a turn.
    fn show_others(&self, parts: &mut Parts, value: &AnyView<'_>, nested: u32) -> Option<Turn> {
        loop {
            // SAFETY: they are the parts of the value, and the level has both.
            let turn = match unsafe { parts.next(self.visitor, value) } {
                Ok(part) => self.show_held(part?, nested),
                Err(error) => Some(Turn::End(Err(error))),
            };
            if turn.is_some() {
                return turn;
            }
        }
    }

    /// Whether nobody is shown values of a type, nor anything inside of them.
    #[inline]
    fn passes(&self, type_index: i32) -> bool {
        type_index == kTVMFFINone || self.callbacks.matching(type_index).is_none() && self.is_leaf(type_index)
    }

    #[inline]
    fn is_leaf(&self, type_index: i32) -> bool {
        Visitor::is_leaf(type_index) && (type_index < kTVMFFIStaticObjectBegin || self.skips.get())
    }

    #[inline(never)]
    fn show_held(&self, value: Held, nested: u32) -> Option<Turn> {
        // SAFETY: the value is held for as long as it is lent.
        let view = unsafe { AnyView::from_raw(&value.view().raw()) };
        self.show(&view, nested, || value)
    }

    /// Shows a value. Most are leaves, of which nothing is left then; another one is held.
    #[inline(always)]
    fn show(&self, view: &AnyView<'_>, nested: u32, held: impl FnOnce() -> Held) -> Option<Turn> {
        if view.is_none() {
            return None;
        }
        match self.before(view) {
            Ok(Wish::GoInside) => {}
            Ok(Wish::GoOn) => return None,
            Ok(Wish::End(interrupt)) => return Some(Turn::End(Ok(interrupt))),
            Err(error) => return Some(self.failed(error, view)),
        }
        if self.is_leaf(view.type_index()) {
            return if self.role == Role::WalkAfter { self.after(view, None).map(Turn::End) } else { None };
        }
        if is_nested(view.type_index(), nested) {
            return self.go_inside(view, nested + 1).map(Turn::End);
        }
        self.show_inside(held())
    }

    #[cold]
    fn failed(&self, error: Error, view: &AnyView<'_>) -> Turn {
        Turn::End(Err(error_context::add(error, view)))
    }

    /// As [`go_inside`](Self::go_inside), where calls are not nested any deeper.
    #[inline(never)]
    fn show_inside(&self, value: Held) -> Option<Turn> {
        let view = value.view();
        if self.skips.get()
            && Visitor::is_plain_container(view.type_index())
            && all_pass(view, |type_index| self.passes(type_index))
        {
            return self.after(view, None).map(Turn::End);
        }
        Some(Turn::Enter(value))
    }

    /// Enters a value and shows what is inside of it.
    fn enter(&self, value: Held, inside: &mut Descent<Inside>) -> Option<Turn> {
        let view = value.view();
        let parts = match self.visitor.take_apart(view) {
            Ok(Apart::Parts(parts)) => parts,
            Ok(Apart::Done(flow)) => return self.after(view, flow.map(Ok)).map(Turn::End),
            Err(error) => return self.after(view, Some(Err(error))).map(Turn::End),
        };
        match inside.admit(view.raw().payload(), view.type_index()) {
            Ok(()) => {
                inside.push(Inside { value, parts });
                self.go_on(inside)
            }
            Err(error) => self.leave(Inside { value, parts }, Some(Err(error))),
        }
    }

    /// Ends the visit of a value that the walk was inside of.
    fn leave(&self, Inside { value, parts }: Inside, end: Option<End>) -> Option<Turn> {
        parts.close(self.visitor);
        self.after(value.view(), end).map(Turn::End)
    }

    #[inline(always)]
    fn before(&self, value: &AnyView<'_>) -> Result<Wish> {
        let Some(callback) = self.callbacks.matching(value.type_index()) else { return Ok(Wish::GoInside) };
        match self.role {
            Role::WalkAfter => Ok(Wish::GoInside),
            Role::WalkBefore => self.walked(callback, value),
            Role::Visit => {
                let answer = self.call(callback, &[value.in_words(), AnyView::of(self.visitor)])?;
                if answer.view().is_none() {
                    return Ok(Wish::GoOn);
                }
                Ok(flow_of_call(answer)?.map_or(Wish::GoOn, Wish::End))
            }
        }
    }

    #[inline]
    fn after(&self, value: &AnyView<'_>, end: Option<End>) -> Option<End> {
        let end = match (end, self.role) {
            (None, Role::WalkAfter) => self.walked_after(value),
            (end, _) => end,
        };
        end.map(|end| end.map_err(|error| error_context::add(error, value)))
    }

    fn walked_after(&self, value: &AnyView<'_>) -> Option<End> {
        match self.walked(self.callbacks.matching(value.type_index())?, value) {
            Ok(Wish::End(interrupt)) => Some(Ok(interrupt)),
            Ok(Wish::GoInside | Wish::GoOn) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Shows a value to a callback of a walk.
    #[inline(always)]
    fn walked(&self, callback: &Callback, value: &AnyView<'_>) -> Result<Wish> {
        let region = Any::from(i64::from(self.visitor.region().get()));
        let args = [value.in_words(), *region.view()];
        let answer = self.call(callback, if callback.informed { &args } else { &args[..1] })?;
        if answer.view().is_none() { Ok(Wish::GoInside) } else { wish_of(answer) }
    }

    #[inline(always)]
    fn call(&self, callback: &Callback, args: &[AnyView<'_>]) -> Result<Any> {
        self.stack.check()?;
        function::call(&callback.function, args)
    }
}

/// What an answer that is not None asks for.
fn wish_of(answer: Any) -> Result<Wish> {
    let answer = value_of_call(answer)?;
    let view = answer.view();
    match view.type_index() {
        kTVMFFIVisitInterrupt => Ok(view.as_object().map_or(Wish::GoInside, Wish::End)),
        _ => match view.as_int().ok_or_else(|| unexpected_answer(&Type::object("WalkResult"), view))? as i32 {
            SKIP => Ok(Wish::GoOn),
            _ => Ok(Wish::GoInside),
        },
    }
}

/// What a callback answers that does not want to see what is inside of a value.
const SKIP: i32 = 1;

/// The global functions that run callbacks over a value.
pub(crate) const GLOBALS: &[Row] = &[
    row(
        "ffi.StructuralWalk(0: AnyView, 1: Array<Tuple<int, ffi.Function>>, 2: Array<Tuple<int, ffi.Function>>, \
         3: int) -> Optional<ffi.VisitInterrupt>",
        |args| {
            // Arguments are converted from the last to the first.
            let role = if args.int(3)? as i32 == 0 { Role::WalkBefore } else { Role::WalkAfter };
            let mut informed = Callbacks::default();
            informed.read(args, 2, Form::Informed)?;
            visit_with(args, role, informed)
        },
    ),
    row(
        "ffi.StructuralVisit(0: AnyView, 1: Array<Tuple<int, ffi.Function>>) -> Optional<ffi.VisitInterrupt>",
        |args| visit_with(args, Role::Visit, Callbacks::default()),
    ),
];

/// Visits a value with the callbacks that are the second argument, and others behind them.
fn visit_with(args: &Arguments<'_>, role: Role, informed: Callbacks) -> Result<Any> {
    let visitor = StructuralVisitor { vtable: &raw const VTABLE, def_region_kind: kTVMFFIDefRegionKindNone };
    let engine = object::try_new(|| Engine { visitor, role, callbacks: Callbacks::default() })?;
    // SAFETY: nobody else knows the engine yet.
    let callbacks = unsafe { &mut (*engine.data_ptr::<Engine>()).callbacks };
    callbacks.read(args, 1, Form::Plain)?;
    callbacks.append(informed)?;
    let root = &mut Any::default();
    let root = args.keepable(0, root)?;
    // SAFETY: an engine has the type index of visitors.
    let visitor: Visitor = unsafe { engine.cast_unchecked() };
    // SAFETY: as above.
    let visit = unsafe { Visit::by(&visitor) };
    visit.stack.check()?;
    let flow = visit.run(root).inspect_err(|_| error_context::close())?;
    Ok(flow.into())
}
