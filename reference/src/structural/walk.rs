//! Visitors that run callbacks: a walk, which shows them every value there is, and a visit, whose callbacks say
//! themselves what of a value is to be visited.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use super::{
    Descent, Level, address, call_back,
    callbacks::{Callback, Form, matching, read},
    error_context,
    visit::{Apart, Flow, Parts, Visitor, flow_of_call, unexpected_answer, value_of_call},
};
use crate::{
    border::error::Result,
    function::{
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
        let engine = unsafe { visitor.data::<Engine>() };
        engine.run(&visitor, &value).map(|flow| Any::from(flow).into_raw())
    })
}

/// A value that a visit is inside of.
struct Inside {
    object: ObjectRef,
    parts: Parts,
}

impl Level for Inside {
    type Key = usize;

    fn key(&self) -> usize {
        address(&self.object)
    }

    fn type_index(&self) -> i32 {
        self.object.type_index()
    }
}

/// What a callback wants of the value that it has seen.
enum Wish {
    GoInside,
    GoOn,
    End(ObjectRef),
}

impl Engine {
    fn run(&self, visitor: &Visitor, root: &AnyView<'_>) -> Result<Flow> {
        let mut inside = Descent::new();
        let mut visited = self.enter(visitor, root, &mut inside);
        loop {
            let Some(level) = inside.innermost() else { return visited.unwrap_or(Ok(None)) };
            let next = match visited.unwrap_or(Ok(None)) {
                Ok(None) => level.parts.next(visitor).map_err(Err),
                ended => Err(ended),
            };
            visited = match next {
                Ok(Some(part)) => self.enter(visitor, part.view(), &mut inside),
                Ok(None) => self.leave(visitor, Ok(None), &mut inside),
                Err(ended) => self.leave(visitor, ended, &mut inside),
            };
        }
    }

    /// Visits a value, unless that means to go inside of it.
    fn enter(&self, visitor: &Visitor, value: &AnyView<'_>, inside: &mut Descent<Inside>) -> Option<Result<Flow>> {
        if value.is_none() {
            return Some(Ok(None));
        }
        match self.before(visitor, value) {
            Ok(Wish::GoInside) => {}
            Ok(Wish::GoOn) => return Some(Ok(None)),
            Ok(Wish::End(interrupt)) => return Some(Ok(Some(interrupt))),
            Err(error) => return Some(Err(error_context::add(error, value))),
        }
        let flow = match (visitor.take_apart(value), value.as_object()) {
            (Ok(Apart::Parts(parts)), Some(object)) => match inside.enter(Inside { object, parts }) {
                Ok(()) => return None,
                Err((level, error)) => {
                    level.parts.close(visitor);
                    Err(error)
                }
            },
            (Ok(Apart::Done(flow)), _) => Ok(flow),
            (Ok(Apart::Parts(_)), None) => Ok(None),
            (Err(error), _) => Err(error),
        };
        Some(self.after(visitor, value, flow))
    }

    /// Ends the visit of the innermost value.
    fn leave(&self, visitor: &Visitor, flow: Result<Flow>, inside: &mut Descent<Inside>) -> Option<Result<Flow>> {
        let Inside { object, parts } = inside.leave()?;
        parts.close(visitor);
        Some(self.after(visitor, Any::from(object).view(), flow))
    }

    fn before(&self, visitor: &Visitor, value: &AnyView<'_>) -> Result<Wish> {
        let Some(callback) = matching(&self.callbacks, value.type_index()) else { return Ok(Wish::GoInside) };
        match self.role {
            Role::WalkAfter => Ok(Wish::GoInside),
            Role::WalkBefore => walked(callback, visitor, value),
            Role::Visit => {
                let visitor = Any::from(visitor.clone());
                let flow = flow_of_call(call_back(&callback.function, &[*value, *visitor.view()])?)?;
                Ok(flow.map_or(Wish::GoOn, Wish::End))
            }
        }
    }

    fn after(&self, visitor: &Visitor, value: &AnyView<'_>, flow: Result<Flow>) -> Result<Flow> {
        let flow = match (flow, self.role) {
            (Ok(None), Role::WalkAfter) => match matching(&self.callbacks, value.type_index()) {
                Some(callback) => walked(callback, visitor, value).map(|wish| match wish {
                    Wish::End(interrupt) => Some(interrupt),
                    Wish::GoInside | Wish::GoOn => None,
                }),
                None => Ok(None),
            },
            (flow, _) => flow,
        };
        flow.map_err(|error| error_context::add(error, value))
    }
}

/// Shows a value to a callback of a walk.
fn walked(callback: &Callback, visitor: &Visitor, value: &AnyView<'_>) -> Result<Wish> {
    let region = Any::from(i64::from(visitor.region().get()));
    let args = [*value, *region.view()];
    let answer = call_back(&callback.function, if callback.informed { &args } else { &args[..1] })?;
    let answer = value_of_call(answer)?;
    let view = answer.view();
    match view.type_index() {
        kTVMFFINone => Ok(Wish::GoInside),
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
    let engine = object::new(Engine { visitor, role, callbacks });
    // SAFETY: an engine has the type index of visitors.
    let visitor: Visitor = unsafe { engine.cast_unchecked() };
    Ok(visitor.visit(args.any(0))?.into())
}
