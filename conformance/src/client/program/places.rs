//! What a program calls the addresses that the target has given out.
//!
//! The table is of a fixed size, since the heap is what some checks measure; what does not fit is not known.

use tvm_ffi_spec::kTVMFFIStaticObjectBegin;

use crate::client::memory;

/// Which of a call's variables holds an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A value that was written: `r7`.
    Value,
    /// A handle or a pointer that was written: `h7`.
    Handle,
    /// A pointer that was returned: `p7`.
    Pointer,
    /// An index, which is no address: a number that was returned, `c7`.
    Index,
    /// The same where it was written: `i7`.
    IndexOut,
    /// An object of the program's own, by its number in the call: `o7_0`.
    Own(u16),
}

#[derive(Clone, Copy)]
enum Source {
    /// The variable of a call.
    Variable(Kind, u32),
    /// Memory at that distance from another place.
    Memory(u16, u32),
}

#[derive(Clone, Copy)]
struct Place {
    address: u64,
    source: Source,
}

const MOST: usize = 2048;
/// How far from an object's address something still belongs to it: it was reached through the object.
const OBJECT: u64 = 128;
/// How far from the beginning of something that an object points to.
const BLOCK: u64 = 1 << 14;

/// Addresses by what they are called, the latest last.
pub struct Places {
    places: [Place; MOST],
    len: usize,
}

impl Places {
    pub const NONE: Self = Self { places: [Place { address: 0, source: Source::Memory(0, 0) }; MOST], len: 0 };

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn cut(&mut self, len: usize) {
        self.len = len.min(self.len);
    }

    /// A variable holds this address. Where it is that of an object that somebody else holds, too, it keeps its name: what is looked up may
    /// not be there when a program begins.
    pub fn add(&mut self, address: u64, kind: Kind, call: u32) {
        let is_shared = || memory::read(address as *const u32).is_some_and(|strong| strong > 1);
        let is_known = self.exactly(address).is_some_and(|place| !self.places[place].is_in_memory()) && is_shared();
        if address != 0 && !is_known {
            self.push(Place { address, source: Source::Variable(kind, call) });
        }
    }

    /// An object that the program makes itself.
    pub fn add_own(&mut self, address: u64, call: u32, number: u16) {
        self.push(Place { address, source: Source::Variable(Kind::Own(number), call) });
    }

    /// A variable holds the index of a type. Statuses are none.
    pub fn add_index(&mut self, index: i32, kind: Kind, call: u32) {
        if index >= kTVMFFIStaticObjectBegin {
            self.push(Place { address: index as u64, source: Source::Variable(kind, call) });
        }
    }

    /// What lies in memory at a place leads to others.
    pub fn learn(&mut self, place: usize, offset: u64, bytes: &[u8]) {
        for (at, word) in bytes.chunks_exact(8).enumerate() {
            let address = u64::from_ne_bytes(word.try_into().unwrap_or_default());
            let leads_somewhere = (1 << 16..1 << 47).contains(&address);
            if leads_somewhere && self.exactly(address).is_none() {
                let offset = offset as u32 + 8 * at as u32;
                self.push(Place { address, source: Source::Memory(place as u16, offset) });
            }
        }
    }

    /// The place that an address belongs to, and how far behind its beginning it is.
    pub fn find(&self, address: u64) -> Option<(usize, u64)> {
        if let Some(place) = self.exactly(address) {
            return Some((place, 0));
        }
        let known = self.places[..self.len].iter().enumerate().filter(|(_, place)| !place.is_index());
        let within = known.filter_map(|(number, place)| {
            let reach = if matches!(place.source, Source::Variable(..)) { OBJECT } else { BLOCK };
            address.checked_sub(place.address).filter(|distance| *distance < reach).map(|distance| (number, distance))
        });
        within.min_by_key(|(_, distance)| *distance)
    }

    /// The place with just this address.
    pub fn exactly(&self, address: u64) -> Option<usize> {
        self.places[..self.len].iter().rposition(|place| place.address == address && !place.is_index())
    }

    /// The memory there is given back: what comes to lie there is something else.
    pub fn forget(&mut self, address: u64) {
        let own = |place: &Place| matches!(place.source, Source::Variable(Kind::Own(_), _));
        for place in self.places[..self.len].iter_mut().filter(|place| place.address == address && !own(place)) {
            place.address = 0;
        }
    }

    /// A type's index as the program has it.
    pub fn index(&self, index: i32) -> Option<String> {
        let place = self.places[..self.len].iter().rfind(|place| place.is_index() && place.address == index as u64)?;
        Some(self.name(place))
    }

    /// An address in C: a pointer to something.
    pub fn spell(&self, place: usize, offset: u64) -> String {
        let name = self.name(&self.places[place]);
        if offset == 0 { name } else { format!("PLUS({name}, {offset})") }
    }

    fn name(&self, place: &Place) -> String {
        match place.source {
            Source::Variable(Kind::Value, call) => format!("r{call}.v_obj"),
            Source::Variable(Kind::Handle, call) => format!("h{call}"),
            Source::Variable(Kind::Pointer, call) => format!("p{call}"),
            Source::Variable(Kind::Index, call) => format!("c{call}"),
            Source::Variable(Kind::IndexOut, call) => format!("i{call}"),
            Source::Variable(Kind::Own(number), call) => format!("o{call}_{number}"),
            Source::Memory(parent, offset) => {
                format!("AT({}, {offset})", self.name(&self.places[usize::from(parent)]))
            }
        }
    }

    fn push(&mut self, place: Place) {
        if let Some(room) = self.places.get_mut(self.len) {
            *room = place;
            self.len += 1;
        }
    }
}

impl Place {
    fn is_in_memory(&self) -> bool {
        matches!(self.source, Source::Memory(..))
    }

    fn is_index(&self) -> bool {
        matches!(self.source, Source::Variable(Kind::Index | Kind::IndexOut, _))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_reached_through_an_object_is_spelled_through_it() {
        let mut places = Box::new(Places::NONE);
        places.add(0x5500_0000_1000, Kind::Value, 3);
        places.learn(0, 24, &0x5500_0000_8000_u64.to_ne_bytes());
        let spelled = |address| places.find(address).map(|(place, offset)| places.spell(place, offset));
        assert_eq!(spelled(0x5500_0000_1000).as_deref(), Some("r3.v_obj"));
        assert_eq!(spelled(0x5500_0000_1018).as_deref(), Some("PLUS(r3.v_obj, 24)"));
        assert_eq!(spelled(0x5500_0000_8010).as_deref(), Some("PLUS(AT(r3.v_obj, 24), 16)"));
        assert_eq!(spelled(0x5500_0100_0000), None);
    }

    #[test]
    fn the_latest_of_two_names_is_the_one() {
        let mut places = Box::new(Places::NONE);
        places.add(0x5500_0000_1000, Kind::Value, 3);
        places.add(0x5500_0000_1000, Kind::Handle, 4);
        places.add_index(130, Kind::Index, 5);
        assert_eq!(places.find(0x5500_0000_1000).map(|(place, _)| places.spell(place, 0)).as_deref(), Some("h4"));
        assert_eq!(places.index(130).as_deref(), Some("c5"));
        assert_eq!(places.find(130), None);
        places.cut(1);
        assert_eq!(places.index(130), None);
    }
}
