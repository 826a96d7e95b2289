//! Static indices that lie among those which a type has reserved for its children.
//!
//! Which of them a library admits is not said, and it cannot raise an error: it may answer less than 0 or end the process, which is
//! tried in a copy, which goes on for as long as it lives. A type that it does admit is one like any other: its index and its slots are its own.

use std::{
    cell::Cell,
    fmt::{self, Display, Formatter},
    sync::atomic::{AtomicU8, Ordering},
};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use tvm_ffi_spec::{abi, clause::id, *};

use super::{
    kit::{ROOT, Type, bytes, key_to_index, passes_for},
    record::{Snapshot, snapshot},
};
use crate::{
    checks::check,
    client::{Verdict, types},
    trial::Trial,
};

/// A type with a static index among the slots of its parent or of another type shares that index with no type: neither with one that has been
/// there before, nor with any that is registered afterwards.
#[check(TYP_0019, TYP_0009, patient = 3)]
fn static_index_in_slots_is_given_once(t: &Trial) -> Verdict {
    families(
        t,
        |_, _| true,
        |t, family| {
            let Some((new, others)) = family.members.split_last() else { return Ok(()) };
            t.clause(id::TYP_0019);
            let taken = others.iter().find(|other| other.ty.index == new.ty.index).map(|other| &other.key);
            let index = new.ty.index;
            if let Some(owner) = taken {
                let (what, got) = (format!("index of {}", new.key), format!("{index}, which {owner} has"));
                return Err(t.failure(what, "one that no type has", got));
            }
            t.clause(id::TYP_0009);
            for member in &family.members {
                t.eq(format_args!("index of the key {}", member.key), key_to_index(t, &member.key)?, member.ty.index)?;
            }
            Ok(())
        },
    )
}

/// The records of a type with a static index among the slots of its parent or of another type, and of all other types, stay where and what they
/// are while those slots are given to others.
#[check(TYP_0014, TYP_0015, patient = 3)]
fn static_index_in_slots_keeps_records(t: &Trial) -> Verdict {
    families(
        t,
        |_, _| true,
        |t, family| {
            for Member { key, ty, address, record, .. } in &family.members {
                t.clause(id::TYP_0014);
                t.eq(format_args!("address of the record of {key}"), t.api.TVMFFIGetTypeInfo(ty.index), *address)?;
                t.clause(id::TYP_0015);
                let now = snapshot(t, *address)?;
                t.that(
                    format_args!("the record of {key}"),
                    now == *record,
                    format_args!("{record:?}"),
                    format_args!("{now:?}"),
                )?;
            }
            Ok(())
        },
    )
}

/// A type with a static index among its parent's slots, and with slots of its own, reserves these: no sibling and no stranger is given one of them,
/// whichever came first.
#[check(TYP_0027, TYP_0026, patient = 3)]
fn static_index_in_slots_reserves(t: &Trial) -> Verdict {
    families(t, Family::has_room_for, |t, family| {
        let new = family.members.len() - 1;
        for other in (0..new).filter(|&other| !family.descends(new, other)) {
            let (it, other) = (&family.members[new], &family.members[other]);
            if it.slots == 0 && other.slots == 0 {
                // That they have different indices is for another check to say.
                continue;
            }
            let siblings = it.parent.is_some() && it.parent == other.parent;
            t.clause(if siblings { id::TYP_0027 } else { id::TYP_0026 });
            if it.meets(other.ty.index, other.slots) {
                let (what, expected) = (format!("{} and its slots", it.key), format!("apart from {}", other.shown()));
                return Err(t.failure(what, expected, it.shown()));
            }
        }
        Ok(())
    })
}

/// The instance test that clients inline tells who descends from whom also where a type has a static index among the slots of one that it
/// descends from.
#[check(TYP_0035, patient = 3)]
fn static_index_in_slots_descends(t: &Trial) -> Verdict {
    families(t, Family::has_room_for, |t, family| family.is_told_apart(t, |_| id::TYP_0035))
}

/// A type is given no static index that would make it, or what it reserves, pass for instances of a type that it does not descend from, or others for
/// instances of its own.
#[check(TYP_0035, TYP_0026, patient = 3)]
fn static_index_of_others_is_not_given(t: &Trial) -> Verdict {
    families(
        t,
        |family, asked| !family.has_room_for(asked),
        |t, family| {
            // Of the new type, it is an index that another has reserved; of others, they were there before.
            family.is_told_apart(t, |takes_anothers| if takes_anothers { id::TYP_0026 } else { id::TYP_0035 })
        },
    )
}

/// How many slots the parent of a family reserves.
const SLOTS: i32 = 6;

/// Less than the static index of any parent.
const LEAST: i32 = 98;

/// Whom the type with a static index is registered below.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    /// The type among whose slots its index lies.
    Parent,
    /// The first child of that type.
    Sibling,
    /// The root.
    Root,
}

/// A parent, its children, and a type with a static index among the parent's slots.
struct Case {
    /// The static index of the parent, or -1.
    base: i32,
    /// Whether the types of the family may overflow.
    open: bool,
    /// How many slots each child reserves that is registered before.
    before: &'static [i32],
    /// Whether another type stands right behind the parent's slots.
    neighbour: bool,
    below: Below,
    /// How far behind the parent's index the static index is.
    place: i32,
    /// How many slots the type with the static index reserves.
    slots: i32,
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let below = match self.below {
            Below::Parent => "it",
            Below::Sibling => "its first child",
            Below::Root => "ffi.Object",
        };
        let Self { base, open, before, neighbour, place, slots, .. } = self;
        write!(
            f,
            "a parent with the static index {base} has {SLOTS} slots (overflow: {open}; another type behind them: {neighbour}) and \
             children with {before:?} slots; the static index is its own + {place}, of a type below {below} with {slots} slots"
        )
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Where a type may not overflow, most of what is asked for is tried in a copy of the process, which takes long.
    for (open, places) in [(true, &[1, 2, SLOTS][..]), (false, &[2])] {
        for (row, before) in [&[][..], &[0], &[2], &[0, 1]].into_iter().enumerate() {
            for (column, below) in [Below::Parent, Below::Root, Below::Sibling].into_iter().enumerate() {
                if below == Below::Sibling && before.is_empty() {
                    continue;
                }
                for (layer, &place) in places.iter().enumerate() {
                    // In turn, so that each comes with each of all else.
                    let turn = row + column + layer + usize::from(!open);
                    let (slots, neighbour) = [(0, false), (2, true)][turn % 2];
                    cases.push(Case { base: -1, open, before, neighbour, below, place, slots });
                }
            }
        }
    }
    // Parents that have a static index themselves, the last of them with slots that are among the dynamic indices.
    for (base, place, slots, open) in [(112, 1, 2, true), (105, 2, 0, true), (98, 2, 2, false), (126, 1, 0, true)] {
        let (neighbour, below) = (false, Below::Parent);
        cases.push(Case { base, open, before: &[], neighbour, below, place, slots });
    }
    cases
}

/// A type that a client registers with a static index.
struct Asked {
    index: i32,
    slots: i32,
    parent: Option<usize>,
}

/// Plays each of the cases whose static index is wanted, and looks at the family after each type that has been registered, the last of the members.
fn families(t: &Trial, wanted: impl Fn(&Family, &Asked) -> bool, look: impl Fn(&Trial, &Family) -> Verdict) -> Verdict {
    t.short_backtraces();
    let (cases, brought, ahead) = (cases(), Family::brought(t)?, Ahead::new(t)?);
    for number in 0..cases.len() {
        let family = |number| Family { number, members: brought.clone(), brought: brought.len() };
        if ahead.is_used_up() {
            // A copy plays all that is left, and tells of each registration that may be refused whether it was, up to the one that ends it.
            t.forked(|t| {
                ahead.scouts.set(true);
                for (later, case) in cases.iter().enumerate().skip(number) {
                    family(later).play(t, case, &ahead, &wanted, pass_by)?;
                }
                Ok(0)
            })?;
        }
        let played = family(number).play(t, &cases[number], &ahead, &wanted, &look);
        played.map_err(|failure| failure.noting(cases[number].to_string()))?;
    }
    Ok(())
}

fn pass_by(_: &Trial, _: &Family) -> Verdict {
    Ok(())
}

/// Which of the registrations that may be refused are, in their order, as far as copies of the process have found out: a copy for each would
/// take long.
struct Ahead {
    /// A number for each, which copies write.
    fates: &'static [AtomicU8; FATES],
    /// How many of them this process has come to.
    passed: Cell<usize>,
    /// Whether this is a copy that finds out.
    scouts: Cell<bool>,
}

/// More than there are.
const FATES: usize = 4096;

const UNKNOWN: u8 = 0;
const REFUSED: u8 = 1;
const ADMITTED: u8 = 2;

impl Ahead {
    fn new(t: &Trial) -> Verdict<Self> {
        // SAFETY: a new mapping at an address of the kernel's choice, which is never unmapped.
        let mapped = unsafe {
            mmap_anonymous(std::ptr::null_mut(), FATES, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED)
        };
        let page = mapped.map_err(|error| t.error("memory that copies share", error))?;
        // SAFETY: mapped in this size and zeroed, and atomics, of which any bytes are a value.
        Ok(Self { fates: unsafe { &*page.cast() }, passed: Cell::new(0), scouts: Cell::new(false) })
    }

    /// Whether nothing is known of the next one.
    fn is_used_up(&self) -> bool {
        self.fates[self.passed.get()].load(Ordering::Acquire) == UNKNOWN
    }

    /// The next registration, if it is not refused: its index.
    fn register(&self, t: &Trial, register: &dyn Fn(&Trial) -> i32) -> Verdict<Option<i32>> {
        let fate = &self.fates[self.passed.replace(self.passed.get() + 1)];
        if self.scouts.get() {
            // Unless it comes back.
            fate.store(REFUSED, Ordering::Release);
            let index = register(t);
            if index >= 0 {
                fate.store(ADMITTED, Ordering::Release);
            }
            return Ok((index >= 0).then_some(index));
        }
        let is_refused = match fate.load(Ordering::Acquire) {
            UNKNOWN => t.forked(|t| Ok(register(t).into()))?.is_none_or(|answer| answer < 0),
            known => known == REFUSED,
        };
        // What is found out here is none of what copies find out from here on.
        fate.store(if is_refused { REFUSED } else { ADMITTED }, Ordering::Release);
        Ok(if is_refused { None } else { Some(register(t)) })
    }
}

/// A type that is there.
#[derive(Clone)]
struct Member {
    key: String,
    ty: Type,
    slots: i32,
    /// Whether it was registered as one that may overflow.
    open: bool,
    /// Its parent, if that is a member.
    parent: Option<usize>,
    address: *const TVMFFITypeInfo,
    record: Snapshot,
}

impl Member {
    fn last(&self) -> i32 {
        self.ty.index + self.slots
    }

    /// Whether that index or one of so many behind it is its own or reserved by it.
    fn meets(&self, index: i32, slots: i32) -> bool {
        index <= self.last() && self.ty.index <= index + slots
    }

    /// Its indices.
    fn shown(&self) -> String {
        format!("{} to {}", self.ty.index, self.last())
    }
}

/// Types that the library brings, and those of a case.
struct Family {
    number: usize,
    members: Vec<Member>,
    /// How many of them the library brings.
    brought: usize,
}

impl Family {
    /// The types that the library brings.
    fn brought(t: &Trial) -> Verdict<Vec<Member>> {
        let mut members = Vec::new();
        for ty in &abi::abi().types {
            // The others lie far from all slots.
            if let Some(index) = types::find(t, &ty.key).filter(|index| *index >= LEAST) {
                let address = t.api.TVMFFIGetTypeInfo(index);
                let record = snapshot(t, address)?;
                // What they reserve is theirs to say.
                let (ty, key) = (Type { index, depth: record.ancestors.len() as i32 }, ty.key.clone());
                members.push(Member { key, ty, slots: 0, open: true, parent: None, address, record });
            }
        }
        Ok(members)
    }

    fn play(
        &mut self,
        t: &Trial,
        case: &Case,
        ahead: &Ahead,
        wanted: impl Fn(&Family, &Asked) -> bool,
        look: impl Fn(&Trial, &Family) -> Verdict,
    ) -> Verdict {
        let open = case.open;
        let asked = Asked { index: case.base, slots: SLOTS, parent: None };
        if case.base >= 0 && !self.has_room_for(&asked) && !wanted(self, &asked) {
            return Ok(());
        }
        let Some(parent) = self.register(t, ahead, asked, open, case.base >= 0)? else { return Ok(()) };
        if case.base >= 0 {
            look(t, self)?;
        }
        let mut children = Vec::new();
        for &slots in case.before {
            children.extend(self.register(t, ahead, Asked { index: -1, slots, parent: Some(parent) }, open, false)?);
        }
        if case.neighbour {
            self.register(t, ahead, Asked { index: -1, slots: 0, parent: None }, true, false)?;
        }
        let below = match case.below {
            Below::Parent => Some(parent),
            Below::Sibling => children.first().copied(),
            Below::Root => None,
        };
        let asked = Asked { index: self.members[parent].ty.index + case.place, slots: case.slots, parent: below };
        if !wanted(self, &asked) {
            return Ok(());
        }
        let Some(new) = self.register(t, ahead, asked, open || below.is_none(), true)? else { return Ok(()) };
        look(t, self)?;
        let (parent, new) = (Some(parent), Some(new));
        for (below, slots) in
            [(parent, 0), (None, 0), (new, 0), (parent, 1), (new, 1), (None, 2), (parent, 0), (parent, 0)]
        {
            // Where types may not overflow, there may be no room.
            let closed = below.is_some_and(|below| !self.is_open(below));
            let asked = Asked { index: -1, slots, parent: below };
            if self.register(t, ahead, asked, open || below.is_none(), closed)?.is_some() {
                look(t, self)?;
            }
        }
        Ok(())
    }

    /// Registers a type, and answers which member it is; none where that may be refused and is.
    fn register(
        &mut self,
        t: &Trial,
        ahead: &Ahead,
        asked: Asked,
        open: bool,
        may_be_refused: bool,
    ) -> Verdict<Option<usize>> {
        let Asked { index, slots, parent } = asked;
        let above = parent.map_or(ROOT, |parent| self.members[parent].ty);
        let (depth, key) = (above.depth + 1, format!("verify.Family{}.{}", self.number, self.members.len()));
        let register =
            |t: &Trial| t.api.TVMFFITypeGetOrAllocIndex(&bytes(&key), index, depth, slots, open.into(), above.index);
        let index = if may_be_refused { ahead.register(t, &register)? } else { Some(register(t)) };
        let Some(index) = index else { return Ok(None) };
        let address = t.api.TVMFFIGetTypeInfo(index);
        let record = snapshot(t, address)?;
        self.members.push(Member { key, ty: Type { index, depth }, slots, open, parent, address, record });
        Ok(Some(self.members.len() - 1))
    }

    /// A member and those that it descends from, as far as they are members.
    fn line(&self, member: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(member, |&member| self.members[member].parent)
    }

    fn descends(&self, member: usize, target: usize) -> bool {
        self.line(Some(member)).any(|ancestor| ancestor == target)
    }

    /// Whether a member may overflow, which those that it descends from must allow as well.
    fn is_open(&self, member: usize) -> bool {
        self.line(Some(member)).all(|member| self.members[member].open)
    }

    /// Whether a type has room at that index: apart from all but its ancestors, and in the slots of those that may not overflow.
    fn has_room_for(&self, asked: &Asked) -> bool {
        let Asked { index, slots, parent } = *asked;
        (0..self.members.len()).all(|other| {
            let it = &self.members[other];
            if !self.line(parent).any(|ancestor| ancestor == other) {
                return !it.meets(index, slots);
            }
            let within = it.ty.index < index && index + slots <= it.last();
            it.ty.index < index && (self.is_open(other) || within)
        })
    }

    /// Expects the instance test to tell of each type whether it descends from the latest one, and of that whether it descends from each of the
    /// others. Which clause that decides may depend on whether the latest one may have taken what another has reserved.
    fn is_told_apart(&self, t: &Trial, decided: impl Fn(bool) -> &'static str) -> Verdict {
        let new = self.members.len() - 1;
        let pairs = (0..=new).flat_map(|other| [(new, other), (other, new)]);
        // What the types that the library brings have reserved is not known.
        for (object, target) in pairs.filter(|(_, target)| *target >= self.brought) {
            let (it, of) = (&self.members[object], &self.members[target]);
            let stranger = !self.descends(object, target);
            t.clause(decided(stranger && object == new));
            let passes = passes_for(it.ty.index, &it.record.ancestors, of.ty, of.slots, of.open);
            if passes == stranger {
                let what = format!("whether {} ({}) is an instance of {} ({})", it.key, it.shown(), of.key, of.shown());
                t.eq(what, passes, !stranger)?;
            }
        }
        Ok(())
    }
}
