//! Operations as data: an area, a name, a size, and how one is set up on a library.

use crate::{library::Library, task::Task};

/// How many elements there are at most in a run that only tries operations.
pub const FEW: usize = 1_000;

/// One operation.
pub struct Operation {
    /// What it is about.
    pub area: &'static str,
    /// What it does.
    pub name: String,
    /// How many elements, names or types there are, if that is told.
    pub size: Option<usize>,
    /// Whether it goes through all of them each time; its time is then told for each.
    pub through: bool,
    set_up: SetUp,
}

/// Sets an operation up on a library, with so many elements.
type SetUp = Box<dyn Fn(&Library, usize) -> Task>;

impl Operation {
    /// Sets the operation up on a library, with no more than so many elements.
    pub fn set_up(&self, library: &Library, most: usize) -> Task {
        (self.set_up)(library, self.size.unwrap_or(0).min(most))
    }

    /// How many elements its time is divided by.
    pub fn elements(&self) -> usize {
        if self.through { self.size.unwrap_or(1) } else { 1 }
    }

    /// Such as `maps/Dict get, integer keys/10000`.
    pub fn id(&self) -> String {
        let size = self.size.map(|size| format!("/{size}")).unwrap_or_default();
        format!("{}/{}{size}", self.area, self.name)
    }
}

/// The operations of one area.
pub struct Area {
    name: &'static str,
    /// The operations, in the order in which they are told.
    pub operations: Vec<Operation>,
}

impl Area {
    /// An area without operations.
    pub fn new(name: &'static str) -> Self {
        Self { name, operations: Vec::new() }
    }

    /// An operation that knows no size.
    pub fn one(&mut self, name: impl Into<String>, set_up: impl Fn(&Library) -> Task + 'static) {
        self.push(name.into(), None, false, move |lib, _| set_up(lib));
    }

    /// An operation on one of so many elements, for each of these sizes.
    pub fn among(
        &mut self,
        name: impl Into<String>,
        sizes: &[usize],
        set_up: impl Fn(&Library, usize) -> Task + Copy + 'static,
    ) {
        let name = name.into();
        sizes.iter().for_each(|size| self.push(name.clone(), Some(*size), false, set_up));
    }

    /// An operation that goes through so many elements, for each of these sizes.
    pub fn through(
        &mut self,
        name: impl Into<String>,
        sizes: &[usize],
        set_up: impl Fn(&Library, usize) -> Task + Copy + 'static,
    ) {
        let name = name.into();
        sizes.iter().for_each(|size| self.push(name.clone(), Some(*size), true, set_up));
    }

    fn push(
        &mut self,
        name: String,
        size: Option<usize>,
        through: bool,
        set_up: impl Fn(&Library, usize) -> Task + 'static,
    ) {
        self.operations.push(Operation { area: self.name, name, size, through, set_up: Box::new(set_up) });
    }
}
