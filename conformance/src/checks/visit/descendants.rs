//! Callbacks for a type of which others descend.

use tvm_ffi_spec::*;

use super::kit::{Callback, POST, PRE, entries, note, note_and_keep, take_seen, triples};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        homemade::Homemade,
        node::{Node, copy_of, node, set_kind},
        view,
    },
    trial::Trial,
};

/// A callback for a type is called for objects of that type and of all that descend from it, however far, and for no parent, sibling or other type:
/// in walks, visits, maps and mutations.
#[check(VIS_0005, patient = 2)]
fn callback_for_a_type_and_all_below(t: &Trial) -> Verdict {
    let family = family(t)?;
    let objects: Vec<_> = family.iter().map(|member| node(member.index, view::int(1), view::int(2))).collect();
    let doors = Doors::new(t)?;
    for whole in wholes(t, &objects)? {
        for (number, target) in family.iter().enumerate() {
            let below = family.iter().filter(|member| member.line.contains(&number));
            let mut expected: Vec<_> = below.map(|member| member.index.to_string()).collect();
            expected.sort();
            doors.each(t, &whole, target.index, |door| {
                let what = format_args!(
                    "types of the objects that a callback for {} is called with by {door}, of all of {:?}",
                    target.what,
                    family.iter().map(|member| (member.what, member.index)).collect::<Vec<_>>()
                );
                // In which order is for other clauses to say.
                let mut seen = take_seen();
                seen.sort();
                t.eq(what, seen, expected.clone())
            })?;
        }
    }
    Ok(())
}

/// A type, and those that it descends from and itself, by their numbers.
struct Member {
    what: &'static str,
    index: i32,
    line: Vec<usize>,
}

/// Types that descend from each other: with indices that their parents have reserved, and with others, of a long line, with siblings.
fn family(t: &Trial) -> Verdict<Vec<Member>> {
    // The parent of each, and how many indices it reserves itself.
    const TYPES: [(&str, Option<usize>, i32); 16] = [
        ("a type that reserves two indices", None, 2),
        ("a child with an index of its parent's", Some(0), 0),
        ("its sibling", Some(0), 0),
        ("a type beside it", None, 0),
        ("a child for which no index was reserved", Some(0), 0),
        ("a grandchild by the first child", Some(1), 0),
        ("a grandchild by the second, which reserves one", Some(2), 1),
        ("a child of that grandchild", Some(6), 0),
        ("another child of that grandchild", Some(6), 0),
        ("a child of the type beside", Some(3), 0),
        ("a grandchild of it", Some(9), 0),
        ("one further down", Some(10), 0),
        ("one further down still", Some(11), 0),
        ("a sibling of that one", Some(11), 0),
        ("a late child of the type beside", Some(3), 0),
        ("the last one in line", Some(12), 0),
    ];
    let copy = t.callback(|_, args| copy_of(args))?;
    let mut all: Vec<Member> = Vec::new();
    for (number, (what, parent, slots)) in TYPES.into_iter().enumerate() {
        let line = parent.map_or_else(Vec::new, |parent| all[parent].line.clone());
        let (above, depth) = (parent.map_or(kTVMFFIObject, |parent| all[parent].index), line.len() as i32 + 1);
        let key = format!("verify.visit.Family{number}");
        let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, slots, 1, above);
        set_kind(t, index, kTVMFFISEqHashKindTreeNode)?;
        // A map copies what it may change.
        t.set_hook(index, "__ffi_shallow_copy__", &copy.any())?;
        all.push(Member { what, index, line: [line, vec![number]].concat() });
    }
    Ok(all)
}

/// An object of each type, in containers of each kind.
fn wholes(t: &Trial, objects: &[Homemade<Node>]) -> Verdict<Vec<Owned>> {
    let objects: Vec<_> = objects.iter().map(Homemade::view).collect();
    t.containers()?.into_iter().map(|make| t.container_of(make, &objects)).collect()
}

/// All that take callbacks, as far as the target has them.
struct Doors {
    walk: Owned,
    visit: Option<Owned>,
    map: Option<Owned>,
    mutate: Option<Owned>,
    none: Owned,
}

impl Doors {
    fn new(t: &Trial) -> Verdict<Self> {
        let [visit, map, mutate] =
            ["ffi.StructuralVisit", "ffi.StructuralMap", "ffi.StructuralMutate"].map(|name| globals::find(t, name));
        Ok(Self {
            walk: t.global("ffi.StructuralWalk")?,
            visit: visit?,
            map: map?,
            mutate: mutate?,
            none: entries(t, &[])?,
        })
    }

    /// Hands a value to each, with a callback for that type, and has looked each time what it was called with.
    fn each(&self, t: &Trial, whole: &Owned, type_index: i32, look: impl Fn(&str) -> Verdict) -> Verdict {
        let whole = whole.any();
        let [noting, keeping]: [Callback; 2] = [(type_index, note), (type_index, note_and_keep)];
        let (noting, pairs, none) = (entries(t, &[noting])?, entries(t, &[keeping])?, self.none.any());
        for order in [PRE, POST].map(view::int) {
            for (name, [plain, told]) in
                [("a walk", [&noting, &self.none]), ("a walk by the second list", [&self.none, &noting])]
            {
                t.call(&self.walk, &[whole, plain.any(), told.any(), order])?;
                look(name)?;
            }
            if let Some(map) = &self.map {
                for (name, lists) in [("a map", [pairs.any(), none]), ("a map by the second list", [none, pairs.any()])]
                {
                    t.call(map, &[whole, lists[0], lists[1], order])?;
                    look(name)?;
                }
            }
        }
        if let Some(visit) = &self.visit {
            t.call(visit, &[whole, noting.any()])?;
            look("a visit")?;
        }
        if let Some(mutate) = &self.mutate {
            t.call(mutate, &[whole, triples(t, &[keeping])?.any()])?;
            look("a mutation")?;
        }
        Ok(())
    }
}
