//! Values whose parts others hold, too: who else has a reference to an object is no part of what it is.

use std::{
    fmt::{Debug, Display},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::client::{
    connection::Client,
    homemade::{release, release_weak, retain, retain_weak},
    owned::Owned,
    samples::Place,
    value::view,
    verdict::Verdict,
};

/// How others hold objects, and how many strong and weak references these are for each.
const WAYS: [(&str, usize, usize); 4] = [("once", 1, 0), ("weakly", 0, 1), ("once and weakly", 1, 1), ("often", 3, 2)];

/// How many looks there have been while others hold objects.
static TURN: AtomicUsize = AtomicUsize::new(0);

/// A value that holds what lies in it, and that nobody else holds.
pub struct Nested {
    /// What it is, for messages.
    pub what: String,
    /// The value.
    pub whole: Owned,
    /// The containers in it, and the value itself, each once.
    pub containers: Vec<TVMFFIAny>,
    /// A text in it.
    pub text: TVMFFIAny,
}

impl Nested {
    /// All objects that others may hold.
    pub fn objects(&self) -> Vec<TVMFFIAny> {
        self.containers.iter().copied().chain([self.text]).collect()
    }
}

impl Client {
    /// Containers of each kind in each place, in a container that has them once, or twice: side by side and one deeper than the other.
    pub fn nested_values(&self) -> Verdict<Vec<Nested>> {
        let mut all = Vec::new();
        let wholes: Vec<_> = self.containers()?.into_iter().map(Some).chain([None]).collect();
        for inner in Place::all(self)?.into_iter().filter(|inner| *inner != Place::Alone) {
            for outer in Place::all(self)? {
                for twice in &wholes {
                    let text = self.string(b"a text on the heap")?;
                    let part = inner.put(self, &text.any())?;
                    let holder = outer.put(self, &part.any())?;
                    let (seven, eight) = (view::int(7), view::int(8));
                    let (whole, what) = match twice {
                        Some(make) => (
                            self.call_global(make, &[seven, part.any(), eight, holder.any()])?,
                            format!("{make} with {inner:?} and the same {outer:?}"),
                        ),
                        None => (
                            self.call_global("ffi.Array", &[holder.any()])?,
                            format!("an Array with {inner:?}, {outer:?}"),
                        ),
                    };
                    let mut containers = vec![part.any(), whole.any()];
                    if outer != Place::Alone {
                        containers.push(holder.any());
                    }
                    all.push(Nested { what, whole, containers, text: text.any() });
                }
            }
        }
        Ok(all)
    }

    /// Expects a look to come to the same while others hold these objects, each by itself and all of them, as it does before; answers what
    /// that is.
    pub fn same_however_held<R: PartialEq + Debug>(
        &self,
        what: impl Display,
        objects: &[TVMFFIAny],
        look: impl Fn() -> Verdict<R>,
    ) -> Verdict<R> {
        let expected = look()?;
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let each = objects.iter().map(std::slice::from_ref).filter(|_| objects.len() > 1).enumerate();
        // Of each by itself two ways in turn, so that each way comes with each of all else.
        let each = each.flat_map(|(at, held)| {
            let ways = WAYS.into_iter().skip((turn + at) % 2).step_by(2);
            ways.map(move |way| (held, way))
        });
        for (held, (how, strong, weak)) in each.chain(WAYS.map(|way| (objects, way))) {
            let handles = held.iter().map(|value| value.payload() as TVMFFIObjectHandle);
            for handle in handles.clone() {
                (0..strong).for_each(|_| retain(handle));
                (0..weak).for_each(|_| retain_weak(handle));
            }
            let found = look();
            for handle in handles {
                (0..weak).for_each(|_| release_weak(handle));
                (0..strong).for_each(|_| release(handle));
            }
            let found = found?;
            if found != expected {
                let types: Vec<_> = held.iter().map(|value| value.type_index).collect();
                let what = format_args!("{what}, while others hold {how} what has the types {types:?} in it");
                return Err(self.failure(what, format_args!("{expected:?} as before"), format_args!("{found:?}")));
            }
        }
        Ok(expected)
    }
}
