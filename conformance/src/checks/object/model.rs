//! Random sequences of what holders of references may do, beside a model of the header's rules.

use std::ffi::{c_int, c_void};

use proptest::{collection::vec, prelude::Strategy, sample::select};
use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict, callback,
        homemade::{self, Homemade},
    },
    trial::Trial,
};

/// After any sequence of references taken and given up, the counts and ends of a client's object follow the rules.
#[check(OBJ_0006, OBJ_0007, OBJ_0009, OBJ_0010)]
fn model(t: &Trial) -> Verdict {
    t.property(vec(operation(), 0..24), |operations| {
        let object = Homemade::new(kTVMFFIObject, ());
        Model::follow(operations, |operation, model| {
            t.clause(match (operation, model.strong, model.weak) {
                (Operation::IncRef, ..) => id::OBJ_0006,
                (_, 0, 0) => id::OBJ_0009,
                (_, 0, _) => id::OBJ_0010,
                _ => id::OBJ_0007,
            });
            operation.perform(t, object.handle(), model)?;
            t.eq(
                format_args!("flags of each call of the deleter after {operation:?}"),
                object.ends(),
                model.ends.clone(),
            )?;
            if model.alive() {
                t.eq(format_args!("strong and weak count after {operation:?}"), object.counts(), model.counts())?;
            }
            Ok(())
        })
    })
}

/// After any sequence of references taken and given up, the counts and ends of the library's object follow the rules.
#[check(OBJ_0014, OBJ_0015)]
fn model_made(t: &Trial) -> Verdict {
    t.property(vec(operation(), 0..24), |operations| {
        let object = counted_function(t)?.into_any().payload() as *mut c_void;
        let ends_before = callback::ends();
        Model::follow(operations, |operation, model| {
            t.clause(id::OBJ_0015);
            operation.perform(t, object, model)?;
            let ends = callback::ends() - ends_before;
            t.eq(format_args!("ends of the closure after {operation:?}"), ends, usize::from(model.strong == 0))?;
            if model.alive() {
                t.clause(id::OBJ_0014);
                t.eq(format_args!("strong and weak count after {operation:?}"), t.counts(object)?, model.counts())?;
            }
            Ok(())
        })
    })
}

/// Something that a holder of references may do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// Through the library.
    IncRef,
    DecRef,
    /// Inline.
    Retain,
    Release,
    RetainWeak,
    ReleaseWeak,
    Promote,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    select(vec![IncRef, DecRef, Retain, Release, RetainWeak, ReleaseWeak, Promote])
}

impl Operation {
    fn gives_up_strong(self) -> bool {
        matches!(self, Operation::DecRef | Operation::Release)
    }

    /// Does it to an object; `after` is what the model says that it leads to.
    fn perform(self, t: &Trial, object: TVMFFIObjectHandle, after: &Model) -> Verdict {
        match self {
            Operation::IncRef => inc_ref(t, object)?,
            Operation::DecRef => dec_ref(t, object)?,
            Operation::Retain => homemade::retain(object),
            Operation::Release => t.api.labelled("an inline release", || homemade::release(object)),
            Operation::RetainWeak => homemade::retain_weak(object),
            Operation::ReleaseWeak => t.api.labelled("an inline weak release", || homemade::release_weak(object)),
            Operation::Promote => {
                t.eq("whether the object can be promoted", homemade::promote(object), after.strong > 0)?;
            }
        }
        Ok(())
    }
}

/// What the rules of the header say of one object.
#[derive(Debug)]
struct Model {
    strong: u32,
    /// Weak references that somebody holds, beside the one that the strong ones share.
    weak: u32,
    /// The flags of the deleter's calls.
    ends: Vec<c_int>,
}

impl Model {
    /// More than enough to give up every reference.
    const ENDING: [Operation; 50] = {
        let mut ending = [Operation::DecRef; 50];
        let mut place = 25;
        while place < 50 {
            ending[place] = Operation::ReleaseWeak;
            place += 1;
        }
        ending
    };

    /// Applies the operations that are allowed, and then those that give up every reference; `step` does each of them
    /// and is given the model after it.
    fn follow(operations: &[Operation], mut step: impl FnMut(Operation, &Self) -> Verdict) -> Verdict {
        let mut model = Self { strong: 1, weak: 0, ends: Vec::new() };
        for operation in operations.iter().copied().chain(Self::ENDING) {
            if model.allows(operation) {
                model.apply(operation);
                step(operation, &model)?;
            }
        }
        Ok(())
    }

    fn alive(&self) -> bool {
        self.strong + self.weak > 0
    }

    fn counts(&self) -> (u32, u32) {
        (self.strong, self.weak + u32::from(self.strong > 0))
    }

    /// Only who holds a reference may take another or give it up.
    fn allows(&self, operation: Operation) -> bool {
        match operation {
            Operation::IncRef | Operation::Retain | Operation::DecRef | Operation::Release => self.strong > 0,
            Operation::RetainWeak => self.alive(),
            Operation::ReleaseWeak | Operation::Promote => self.weak > 0,
        }
    }

    fn apply(&mut self, operation: Operation) {
        match operation {
            Operation::IncRef | Operation::Retain => self.strong += 1,
            Operation::DecRef | Operation::Release => self.strong -= 1,
            Operation::RetainWeak => self.weak += 1,
            Operation::ReleaseWeak => self.weak -= 1,
            Operation::Promote => self.strong += u32::from(self.strong > 0),
        }
        if operation.gives_up_strong() && self.strong == 0 {
            self.ends.push(match self.weak {
                0 => kTVMFFIObjectDeleterFlagBitMaskBoth,
                _ => kTVMFFIObjectDeleterFlagBitMaskStrong,
            });
        }
        if operation == Operation::ReleaseWeak && !self.alive() {
            self.ends.push(kTVMFFIObjectDeleterFlagBitMaskWeak);
        }
    }
}
