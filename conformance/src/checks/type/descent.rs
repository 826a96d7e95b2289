//! The instance test of clients, compared with a model of who descends from whom.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::{collection, sample};

use super::kit::{ROOT, Type, allocate, ancestors, built_in_objects, passes_for};
use crate::{
    checks::check,
    client::{Verdict, reflected::info},
    trial::Trial,
};

/// The instance test that clients inline tells who descends from whom in any hierarchy of types.
#[check(TYP_0035, patient = 3)]
fn instance_test(t: &Trial) -> Verdict {
    // For each type: which of the types before is the parent, how many slots it reserves, whether it may overflow.
    let node = (proptest::arbitrary::any::<sample::Index>(), 0..5, proptest::bool::ANY);
    t.property(collection::vec(node, 1..14), |nodes| {
        let mut hierarchy = Hierarchy::new();
        for (parent, slots, overflow) in nodes {
            let parent = parent.index(hierarchy.members.len());
            hierarchy.register(t, parent, *slots, *overflow)?;
        }
        for target in 1..hierarchy.members.len() {
            for object in 0..hierarchy.members.len() {
                hierarchy.agrees(t, target, object)?;
            }
        }
        Ok(())
    })
}

/// The instance test that clients inline takes no built-in type for a descendant of a registered one.
#[check(TYP_0035)]
fn built_in_objects_are_no_instances(t: &Trial) -> Verdict {
    let mut hierarchy = Hierarchy::new();
    hierarchy.register(t, 0, 0, true)?;
    hierarchy.register(t, 0, 6, true)?;
    hierarchy.register(t, 2, 2, false)?;
    for index in built_in_objects() {
        let info = info(t, index)?;
        for target in &hierarchy.members[1..] {
            let instance = target.has_instance(index, &ancestors(t, &info)?);
            let what = format!("whether type {index} is an instance of type {}", target.ty.index);
            t.eq(what, instance, false)?;
        }
    }
    Ok(())
}

/// The model: who descends from whom by the parents that were registered.
struct Hierarchy {
    members: Vec<Member>,
}

impl Hierarchy {
    /// The root alone.
    fn new() -> Self {
        let root = Member {
            ty: ROOT,
            parent: None,
            slots: 0,
            declared_open: true,
            open: true,
            taken: 0,
            ancestors: Vec::new(),
        };
        Self { members: vec![root] }
    }

    /// Registers a type below that member, or below the root if the member may have no more children.
    fn register(&mut self, t: &Trial, parent: usize, slots: i32, declared_open: bool) -> Verdict {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let parent = if self.members[parent].has_room(slots) { parent } else { 0 };
        let above = &mut self.members[parent];
        above.taken += slots + 1;
        let key = format!("verify.Member{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let ty = allocate(t, &key, above.ty, slots, declared_open);
        let open = declared_open && above.open;
        let ancestors = ancestors(t, &info(t, ty.index)?)?;
        self.members.push(Member { ty, parent: Some(parent), slots, declared_open, open, taken: 0, ancestors });
        Ok(())
    }

    fn descends(&self, object: usize, target: usize) -> bool {
        std::iter::successors(Some(object), |&member| self.members[member].parent).any(|member| member == target)
    }

    /// Expects the instance test to answer what the model knows.
    fn agrees(&self, t: &Trial, target: usize, object: usize) -> Verdict {
        let (of, it) = (&self.members[target], &self.members[object]);
        let got = of.has_instance(it.ty.index, &it.ancestors);
        let what = format!("whether member {object} (type {}) is an instance of member {target}", it.ty.index);
        t.eq(what, got, self.descends(object, target))
    }
}

/// A type of a hierarchy: as it was registered, the ancestors in its record, and how many of its slots are taken.
struct Member {
    ty: Type,
    parent: Option<usize>,
    slots: i32,
    /// Whether it was registered as one that may overflow.
    declared_open: bool,
    /// Whether it may overflow, which its ancestors must allow as well.
    open: bool,
    taken: i32,
    ancestors: Vec<i32>,
}

impl Member {
    /// Whether another child with that many slots may be registered.
    fn has_room(&self, slots: i32) -> bool {
        self.open || self.taken + slots < self.slots
    }

    /// The instance test as clients inline it.
    fn has_instance(&self, index: i32, ancestors: &[i32]) -> bool {
        passes_for(index, ancestors, self.ty, self.slots, self.declared_open)
    }
}
