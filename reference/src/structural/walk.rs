//! Visitors that run callbacks: a walk, which shows them every value there is, and a visit, whose callbacks say
//! themselves what of a value is to be visited.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use super::{
    Descent, Level,
    callbacks::{Callback, Form, matching, read},
    error_context,
    visit::{Apart, Flow, Parts, Visitor, flow_of_call, unexpected_answer, value_of_call},
};
use crate::{
    border::error::{Error, Result},
    container::held::Held,
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
    types::{builtin_indices::STRUCTURAL_VISITOR, schema::Type},
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
    callbacks: Vec<Callback>,
}

// SAFETY: `repr(C)`, and begins with the fields of visitors.
unsafe impl Payload for Engine {
    const TYPE_INDEX: i32 = STRUCTURAL_VISITOR;
}

static VTABLE: VisitorVTable = VisitorVTable { visit };

/// # Safety
/// `visitor` is a live [`Engine`], and the value lives during the call.
unsafe extern "C" fn visit(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the function is only found in such visitors; the caller vouches for the value.
        let (visitor, value) = unsafe { (Visitor::from_handle(visitor)?, AnyView::from_raw(&raw const value)) };
        // SAFETY: as above; callbacks and their role never change.
        let Engine { role, callbacks, .. } = unsafe { visitor.data() };
        let visit = Visit { visitor: &visitor, role: *role, callbacks, stack: Limit::of_thread() };
        visit.run(&value).map(|flow| Any::from(flow).into_raw())
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

    fn type_index(&self) -> i32 {
        self.value.view().type_index()
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
    /// What is inside of it.
    Enter(Inside),
    /// Nothing: the visit ends here.
    End(End),
}

/// How a visit ends early: by the wish of a callback, or by an error.
type End = Result<ObjectRef>;

/// One visit of an engine, on a thread.
struct Visit<'a> {
    visitor: &'a Visitor,
    role: Role,
    callbacks: &'a [Callback],
    stack: Limit,
}

impl Visit<'_> {
    fn run(&self, root: &AnyView<'_>) -> Result<Flow> {
        let mut inside = Descent::new();
        // SAFETY: the value is the caller's during the visit. It is kept, as others could change it otherwise.
        let mut turn = self.show_held(unsafe { Held::kept(root) });
        loop {
            turn = match turn {
                Some(Turn::Enter(level)) => match inside.enter(level) {
                    Ok(()) => self.show_parts(&mut inside),
                    Err((level, error)) => self.leave(level, Some(Err(error))),
                },
                Some(Turn::End(end)) => match inside.leave() {
                    Some(level) => self.leave(level, Some(end)),
                    None => return end.map(Some),
                },
                None if inside.innermost().is_none() => return Ok(None),
                None => self.show_parts(&mut inside),
            };
        }
    }

    /// Shows what is left of the innermost value, up to a turn, or leaves it.
    fn show_parts(&self, inside: &mut Descent<Inside>) -> Option<Turn> {
        if let Some(Inside { value, parts }) = inside.innermost() {
            // SAFETY: the level has both the value and its parts.
            if let Some((elements, at)) = unsafe { parts.elements(value.view()) } {
                for element in elements {
                    *at += 1;
                    // SAFETY: as above; the Array has the element.
                    let turn = self.show(element.view(), || unsafe { Held::lent(element.view()) });
                    if turn.is_some() {
                        return turn;
                    }
                }
                return self.leave(inside.leave()?, None);
            }
            // SAFETY: as above.
            while let Some(part) = match unsafe { parts.next(self.visitor, value.view()) } {
                Ok(part) => part,
                Err(error) => return Some(Turn::End(Err(error))),
            } {
                let turn = self.show_held(part);
                if turn.is_some() {
                    return turn;
                }
            }
        }
        self.leave(inside.leave()?, None)
    }

    #[inline(never)]
    fn show_held(&self, value: Held) -> Option<Turn> {
        // SAFETY: the value is held for as long as it is lent.
        let view = unsafe { AnyView::from_raw(&value.view().raw()) };
        self.show(&view, || value)
    }

    /// Shows a value. Most are leaves, of which nothing is left then; another one is held.
    #[inline(always)]
    fn show(&self, view: &AnyView<'_>, held: impl FnOnce() -> Held) -> Option<Turn> {
        if view.is_none() {
            return None;
        }
        match self.before(view) {
            Ok(Wish::GoInside) => {}
            Ok(Wish::GoOn) => return None,
            Ok(Wish::End(interrupt)) => return Some(Turn::End(Ok(interrupt))),
            Err(error) => return Some(self.failed(error, view)),
        }
        if Visitor::is_leaf(view.type_index()) {
            return if self.role == Role::WalkAfter { self.after(view, None) } else { None };
        }
        self.show_inside(held())
    }

    #[cold]
    fn failed(&self, error: Error, view: &AnyView<'_>) -> Turn {
        Turn::End(Err(error_context::add(error, view)))
    }

    /// Shows what is inside of a value that is no leaf.
    #[inline(never)]
    fn show_inside(&self, value: Held) -> Option<Turn> {
        let view = value.view();
        match self.visitor.take_apart(view) {
            Ok(Apart::Parts(parts)) => Some(Turn::Enter(Inside { value, parts })),
            Ok(Apart::Done(flow)) => self.after(view, flow.map(Ok)),
            Err(error) => self.after(view, Some(Err(error))),
        }
    }

    /// Ends the visit of a value that the walk was inside of.
    fn leave(&self, Inside { value, parts }: Inside, end: Option<End>) -> Option<Turn> {
        parts.close(self.visitor);
        self.after(value.view(), end)
    }

    #[inline(always)]
    fn before(&self, value: &AnyView<'_>) -> Result<Wish> {
        let Some(callback) = matching(self.callbacks, value.type_index()) else { return Ok(Wish::GoInside) };
        match self.role {
            Role::WalkAfter => Ok(Wish::GoInside),
            Role::WalkBefore => self.walked(callback, value),
            Role::Visit => {
                let answer = self.call(callback, &[*value, AnyView::of(self.visitor)])?;
                if answer.view().is_none() {
                    return Ok(Wish::GoOn);
                }
                Ok(flow_of_call(answer)?.map_or(Wish::GoOn, Wish::End))
            }
        }
    }

    fn after(&self, value: &AnyView<'_>, end: Option<End>) -> Option<Turn> {
        let end = match (end, self.role) {
            (None, Role::WalkAfter) => self.walked_after(value),
            (end, _) => end,
        };
        end.map(|end| Turn::End(end.map_err(|error| error_context::add(error, value))))
    }

    fn walked_after(&self, value: &AnyView<'_>) -> Option<End> {
        match self.walked(matching(self.callbacks, value.type_index())?, value) {
            Ok(Wish::End(interrupt)) => Some(Ok(interrupt)),
            Ok(Wish::GoInside | Wish::GoOn) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Shows a value to a callback of a walk.
    #[inline(always)]
    fn walked(&self, callback: &Callback, value: &AnyView<'_>) -> Result<Wish> {
        let region = Any::from(i64::from(self.visitor.region().get()));
        let args = [*value, *region.view()];
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
            let informed = read(args, 2, Form::Informed)?;
            let mut callbacks = read(args, 1, Form::Plain)?;
            callbacks.extend(informed);
            visit_with(args, role, callbacks)
        },
    ),
    row(
        "ffi.StructuralVisit(0: AnyView, 1: Array<Tuple<int, ffi.Function>>) -> Optional<ffi.VisitInterrupt>",
        |args| visit_with(args, Role::Visit, read(args, 1, Form::Plain)?),
    ),
];

fn visit_with(args: &Arguments<'_>, role: Role, callbacks: Vec<Callback>) -> Result<Any> {
    let visitor = StructuralVisitor { vtable: &raw const VTABLE, def_region_kind: kTVMFFIDefRegionKindNone };
    let engine = object::try_new(|| Engine { visitor, role, callbacks })?;
    // SAFETY: an engine has the type index of visitors.
    let visitor: Visitor = unsafe { engine.cast_unchecked() };
    Ok(visitor.visit(args.any(0))?.into())
}
