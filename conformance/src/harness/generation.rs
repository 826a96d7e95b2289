//! The generation of the ABI that a target speaks. Another one than today's is told only where nothing that can be asked speaks
//! against it; whatever else a target is, it is judged as one of today's.

use std::path::PathBuf;

use tvm_ffi_spec::{
    abi::{Field, abi},
    generation::{Generation, TODAY, generations, today},
};

use super::{
    older::Older,
    process::objects_shown::{ASKED, Asked, ObjectShown, ObjectsShown},
};
use crate::target::{self, Target};

/// Addresses are above: no system maps the first page.
const LOWEST_ADDRESS: u64 = 4096;

/// Why a target is not judged, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJudged {
    /// It speaks another generation than it has to.
    Another(String),
    /// It speaks an older one, and nobody has said which it has to speak.
    Unasked(&'static str),
}

/// What is known of the generation of a target: its exports, and which generation it has to speak.
pub struct Question<'a> {
    exports: &'a [String],
    wanted: Option<&'static Generation>,
}

impl<'a> Question<'a> {
    /// A question about a library with these exports, of which a generation is wanted or the one that is judged.
    pub fn new(exports: &'a [String], wanted: Option<&'static Generation>) -> Self {
        Self { exports, wanted }
    }

    /// What exports alone decide: a library need not be opened for that.
    ///
    /// The generation that they decide for is answered, if they do.
    ///
    /// # Errors
    /// That it is not judged.
    pub fn by_exports(&self) -> Result<Option<&'static Generation>, NotJudged> {
        for spoken in older().filter(|each| each.evidence.object.is_none()) {
            if spoken.evidence.refuted_by(self.exports).is_none() {
                return self.speaks(spoken, &self.told_by_exports(spoken)).map(Some);
            }
        }
        match self.wanted.filter(|wanted| !wanted.is_today() && wanted.evidence.object.is_none()) {
            // Whatever it lacks, no library of another generation has such functions and none of today's.
            Some(wanted) if self.is_named_so(wanted) && !wanted.evidence.is_excluded_by(self.exports) => {
                Ok(Some(wanted))
            }
            Some(wanted) => Err(self.does_not_speak(wanted, self.reason(wanted))),
            None => Ok(None),
        }
    }

    /// The generation that is left for new objects to decide. Releases export what speaks against it, so they are asked only where it is
    /// wanted.
    pub fn open(&self) -> Option<&'static Generation> {
        older().filter(|each| each.evidence.object.is_some()).find(|each| {
            let wanted = self.wanted.is_some_and(|wanted| wanted.name == each.name);
            wanted || self.can_be_asked() && each.contradicted_by(self.exports).is_none()
        })
    }

    /// Whether a target has all that it takes to make one of the objects which show a generation.
    pub fn can_be_asked(&self) -> bool {
        let is_exported = |name: &&str| self.exports.iter().any(|each| each == name);
        ASKED.iter().any(|asked| asked.functions.iter().all(is_exported))
    }

    /// The generation that new objects decide for, none for today's; `shown` is none if the target did not survive to show them.
    ///
    /// # Errors
    /// That it is not judged.
    pub fn by_object(
        &self,
        asked: &'static Generation,
        shown: Option<&ObjectsShown>,
    ) -> Result<Option<&'static Generation>, NotJudged> {
        let by_object = match shown {
            Some(shown) => against(asked, shown),
            // What its exports lack says enough.
            None if !self.can_be_asked() => asked.evidence.refuted_by(self.exports),
            None => Some("does not survive being asked for an object".to_owned()),
        };
        let reasons: Vec<_> = asked.contradicted_by(self.exports).into_iter().chain(by_object).collect();
        if reasons.is_empty() {
            let seen = format!("{}, and {}", self.told_by_exports(asked), told_by_objects(asked, shown));
            return self.speaks(asked, &seen).map(Some);
        }
        match self.wanted.filter(|wanted| wanted.name == asked.name) {
            // However broken its objects are, and whatever it lacks, no library of today has such functions.
            Some(wanted) if self.is_named_so(wanted) && !wanted.evidence.is_excluded_by(self.exports) => {
                Ok(Some(wanted))
            }
            Some(wanted) => Err(self.does_not_speak(wanted, reasons.join(", and "))),
            None => Ok(None),
        }
    }

    /// What sets apart from today's last state the target that speaks this generation, or today's where none is told, and showed
    /// this of new objects.
    pub fn older(&self, spoken: Option<&'static Generation>, shown: Option<&ObjectsShown>) -> Option<Older> {
        if let Some(generation) = spoken {
            return Some(Older { generation, state: generation.state(self.exports) });
        }
        let state = today().state(self.exports)?;
        against(today(), shown?).is_none().then_some(Older { generation: today(), state: Some(state) })
    }

    /// Whether the target exports a function of a generation that today's does not have.
    fn is_named_so(&self, generation: &Generation) -> bool {
        let mut own = generation.functions.iter().map(|function| &function.name);
        own.any(|name| abi().function(name).is_none() && self.exports.contains(name))
    }

    /// What it is to whoever asked that a target speaks a generation.
    fn speaks(&self, spoken: &'static Generation, seen: &str) -> Result<&'static Generation, NotJudged> {
        let Generation { name, period, remedy, .. } = spoken;
        Err(match self.wanted {
            Some(wanted) if wanted.name == *name => return Ok(spoken),
            Some(wanted) if !wanted.is_today() => NotJudged::Another(format!(
                "does not speak the {} generation of the ABI: it speaks the {name} one ({period}), as it {seen}",
                wanted.name
            )),
            None => NotJudged::Unasked(name),
            Some(_) => {
                let told = format!("speaks the {name} generation of the ABI ({period}): it {seen}; {remedy}");
                NotJudged::Another(told)
            }
        })
    }

    fn does_not_speak(&self, wanted: &Generation, reason: String) -> NotJudged {
        NotJudged::Another(format!("does not speak the {} generation of the ABI: it {reason}", wanted.name))
    }

    fn reason(&self, wanted: &Generation) -> String {
        wanted.evidence.refuted_by(self.exports).unwrap_or_default()
    }

    /// What of the exports has told a generation, the most telling alone.
    fn told_by_exports(&self, spoken: &'static Generation) -> String {
        const NAMED: usize = 3;
        let evidence = &spoken.evidence;
        let exported = |names: &'static [String]| names.iter().filter(|name| self.exports.contains(name));
        let telling = if exported(&evidence.has_one).next().is_none() { &evidence.has } else { &evidence.has_one };
        let telling: Vec<_> = exported(telling).map(String::as_str).collect();
        let (named, others) = telling.split_at(telling.len().min(NAMED));
        let more = if others.is_empty() { String::new() } else { format!(" and {} more of it", others.len()) };
        let lacks = evidence.lacks.first().map(|name| name.replace('*', "…")).unwrap_or_default();
        format!("exports {}{more} and no {lacks}", named.join(", "))
    }
}

/// Refuses a library of an older generation in the place of one of today's, as far as its exports tell.
///
/// # Errors
/// What it speaks, in words that follow its name.
pub fn refuse_by_exports(library: &Target) -> Result<(), String> {
    match Question::new(&library.linkage.symbols, Some(today())).by_exports() {
        Err(NotJudged::Another(told)) => Err(told),
        _ => Ok(()),
    }
}

/// The older generation that a library lacks something of, so that nothing is told unasked, and of which it has functions that are none of
/// today's.
pub fn named_by(library: &Target) -> Option<&'static Generation> {
    let exports = &library.linkage.symbols;
    let question = Question::new(exports, None);
    older().find(|each| question.is_named_so(each) && !each.evidence.is_excluded_by(exports))
}

/// What is said of other libraries in the process of a target that have functions of the same names, where they speak another
/// generation than this, or today's where none is told. Exports tell, as nothing of them is called.
pub fn beside(spoken: Option<&Generation>, libraries: &[PathBuf]) -> Vec<String> {
    let speaks = |exports: &[String]| {
        let older = older().find(|each| each.evidence.refuted_by(exports).is_none());
        older.map_or(TODAY, |generation| generation.name.as_str())
    };
    let own = spoken.map_or(TODAY, |generation| &generation.name);
    let told = |path: &PathBuf| {
        let exports = target::exports(path).ok()?.symbols;
        let other = speaks(&exports);
        (other != own).then(|| format!("{}, whose exports are those of the {other} generation", path.display()))
    };
    libraries.iter().filter_map(told).collect()
}

/// The generations before today's.
fn older() -> impl Iterator<Item = &'static Generation> {
    generations().iter().filter(|each| !each.is_today())
}

/// What objects of a generation have shown.
fn told_by_objects(spoken: &Generation, shown: Option<&ObjectsShown>) -> String {
    let shown = ASKED.iter().zip(shown.into_iter().flatten()).filter(|(_, shown)| shown.is_some());
    let told = |(asked, _): (&Asked, _)| {
        let fields = spoken.shown_by_an_object(asked.type_index).into_iter();
        let fields = fields.filter_map(|(field, value)| Some((field, value?)));
        let fields: Vec<_> =
            fields.map(|(field, value)| format!("{} {value} at byte {}", field.name, field.offset.0)).collect();
        format!("{} has {}", asked.name, fields.join(", "))
    };
    let told: Vec<_> = shown.map(told).collect();
    let counts = spoken.evidence.object.as_ref().map(|object| &*object.counts).unwrap_or_default();
    format!("{}, of which another reference raises {counts} alone", told.join(", "))
}

/// What the objects of a target show that those of this generation do not; nothing if they are such.
fn against(asked: &Generation, shown: &ObjectsShown) -> Option<String> {
    let mut shown = ASKED.iter().zip(shown).filter_map(|(kind, shown)| Some((kind, shown.as_ref()?))).peekable();
    if shown.peek().is_none() {
        return Some("shows no object that decides".to_owned());
    }
    shown.find_map(|(kind, shown)| what_speaks_against(asked, kind, shown))
}

fn what_speaks_against(asked: &Generation, kind: &Asked, shown: &ObjectShown) -> Option<String> {
    let Some(object) = &asked.evidence.object else { return Some("shows no object that decides".to_owned()) };
    let (name, fields) = (kind.name, asked.shown_by_an_object(kind.type_index));
    let headers = [&shown.alone, &shown.shared, &shown.alone_again];
    let names = [name.to_owned(), format!("{name} with another reference"), format!("{name} without it again")];
    for (nth, (header, name)) in headers.into_iter().zip(names).enumerate() {
        for (field, value) in &fields {
            let Some(found) = read(field, header) else { return Some(format!("gives {name} that cannot be read")) };
            let raised = u64::from(nth == 1 && field.name == object.counts);
            let place = format!("at byte {} of {name}, where {} would be,", field.offset.0, field.name);
            match value.map(|value| value + raised) {
                Some(expected) if found != expected => {
                    return Some(format!("has {found:#x} {place} and not {expected:#x}"));
                }
                None if found < LOWEST_ADDRESS => return Some(format!("has {found:#x} {place} and no address")),
                _ => {}
            }
        }
        // An address is the same each time.
        if let Some((field, _)) = fields.iter().find(|(_, value)| value.is_none())
            && read(field, header) != read(field, &shown.alone)
        {
            return Some(format!("has another {} in {name} than before", field.name));
        }
    }
    (shown.texts != kind.texts()).then(|| format!("has other texts behind the header of {name}"))
}

/// A field of a header, as a number.
fn read(field: &Field, header: &[u8]) -> Option<u64> {
    let (offset, size) =
        if cfg!(target_pointer_width = "64") { (field.offset.0, field.size.0) } else { (field.offset.1, field.size.1) };
    let bytes = header.get(offset as usize..(offset + size) as usize)?;
    let mut number = [0; 8];
    match cfg!(target_endian = "little") {
        true => number.get_mut(..bytes.len())?.copy_from_slice(bytes),
        false => number.get_mut(8 - bytes.len()..)?.copy_from_slice(bytes),
    }
    Some(u64::from_ne_bytes(number))
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::generation::generation;

    use super::*;

    const DELETER: u64 = 0x7f00_1234_5678;

    fn named(name: &str) -> &'static Generation {
        generation(name).unwrap()
    }

    fn exports(name: &str) -> Vec<String> {
        named(name).all_functions().into_iter().map(|each| each.name).collect()
    }

    fn without(exports: &[String], lacking: &[&str]) -> Vec<String> {
        exports.iter().filter(|name| !lacking.contains(&name.as_str())).cloned().collect()
    }

    fn header(words: [u64; 3]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    /// What objects of each kind show whose header is this, with so many references, on little-endian machines.
    fn objects(with: impl Fn(u64, u64) -> [u64; 3]) -> ObjectsShown {
        ASKED.each_ref().map(|asked| {
            let with = |strong| header(with(asked.type_index as u64, strong));
            Some(ObjectShown { alone: with(1), shared: with(2), alone_again: with(1), texts: asked.texts() })
        })
    }

    fn split() -> ObjectsShown {
        objects(|index, strong| [(1 << 32) | index, strong, DELETER])
    }

    fn combined() -> ObjectsShown {
        objects(|index, strong| [(1 << 32) | strong, index, DELETER])
    }

    #[test]
    fn each_object_shows_its_own_generation() {
        assert_eq!(against(named("split"), &split()), None);
        assert_eq!(against(named("combined"), &combined()), None);
        let told = against(named("split"), &combined()).unwrap();
        assert_eq!(told, "has 0x1 at byte 0 of a new Error, where type_index would be, and not 0x43");
        assert!(against(named("combined"), &split()).is_some());
        // One is enough where the other cannot be made, and none is where it shows something else.
        for nth in 0..ASKED.len() {
            let (mut alone, mut mixed) = (ObjectsShown::default(), combined());
            alone[nth] = split()[nth].take();
            mixed[nth] = split()[nth].take();
            assert_eq!(against(named("split"), &alone), None);
            assert!(against(named("split"), &mixed).is_some() && against(named("combined"), &mixed).is_some());
        }
        assert!(against(named("split"), &ObjectsShown::default()).is_some());
    }

    /// Whatever a broken library writes into a header, it takes all of a generation to be told.
    #[test]
    fn no_change_to_the_evidence_is_overlooked() {
        let changed = |kind: usize, change: &dyn Fn(&mut ObjectShown)| {
            let mut shown = split();
            shown[kind].as_mut().into_iter().for_each(change);
            against(named("split"), &shown)
        };
        for (kind, asked) in ASKED.iter().enumerate() {
            for nth in 0..3 {
                let change = |byte: Option<usize>| {
                    changed(kind, &|shown| {
                        let header = [&mut shown.alone, &mut shown.shared, &mut shown.alone_again].into_iter().nth(nth);
                        match (header, byte) {
                            (Some(header), Some(byte)) => header[byte] ^= 0x80,
                            (header, _) => header.into_iter().for_each(Vec::clear),
                        }
                    })
                };
                (0..24).for_each(|byte| assert!(change(Some(byte)).is_some(), "byte {byte} of header {nth}"));
                assert!(change(None).is_some(), "no header {nth}");
            }
            for nth in 0..asked.texts().len() {
                assert!(changed(kind, &|shown| shown.texts[nth].push(b'!')).is_some(), "text {nth}");
            }
            let null = changed(kind, &|shown| shown.alone[16..].fill(0)).unwrap();
            assert!(null.ends_with("and no address"), "{null}");
            assert!(changed(kind, &|shown| *shown = ObjectShown::default()).is_some());
        }
    }

    fn name_of(told: Result<Option<&Generation>, NotJudged>) -> Result<Option<&str>, NotJudged> {
        told.map(|generation| generation.map(|generation| generation.name.as_str()))
    }

    #[test]
    fn releases_are_not_asked_for_an_object() {
        let today = exports("combined");
        let question = Question::new(&today, None);
        assert_eq!(name_of(question.by_exports()), Ok(None));
        assert!(question.open().is_none());
        let wanted = Question::new(&today, Some(named("combined")));
        assert_eq!((name_of(wanted.by_exports()), wanted.open().is_none()), (Ok(None), true));
    }

    /// Without the one function that decides, an object does; and a broken one is judged.
    #[test]
    fn a_library_of_today_that_lacks_functions_is_judged() {
        for lacking in [&["TVMFFIGetVersion"][..], &["TVMFFIGetVersion", "TVMFFIObjectIncRef"], &["TVMFFIBacktrace"]] {
            let exports = without(&exports("combined"), lacking);
            for wanted in [None, Some(named("combined"))] {
                let question = Question::new(&exports, wanted);
                assert_eq!(name_of(question.by_exports()), Ok(None));
                for shown in [Some(&combined()), Some(&ObjectsShown::default()), None] {
                    if let Some(asked) = question.open() {
                        assert_eq!(name_of(question.by_object(asked, shown)), Ok(None), "{lacking:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_older_generation_is_told() {
        let (split_exports, legacy_exports) = (exports("split"), exports("legacy"));
        let question = Question::new(&split_exports, None);
        let asked = question.open().unwrap();
        assert_eq!(name_of(question.by_object(asked, Some(&split()))), Err(NotJudged::Unasked("split")));
        let insisting = Question::new(&split_exports, Some(today()));
        let told = insisting.by_object(asked, Some(&split()));
        let Err(NotJudged::Another(told)) = told else { panic!("{told:?}") };
        assert!(told.starts_with("speaks the split generation of the ABI"), "{told}");
        assert!(told.contains("exports TVMFFITraceback and no TVMFFIGetVersion"), "{told}");
        assert!(
            told.contains("type_index 67 at byte 0, weak_ref_count 1 at byte 4, strong_ref_count 1 at byte 8"),
            "{told}"
        );
        // From 2025-09-22 on.
        let renamed = |name: String| name.replace("TVMFFITraceback", "TVMFFIBacktrace");
        let newer: Vec<_> = split_exports.into_iter().map(renamed).collect();
        let question = Question::new(&newer, None);
        assert!(question.by_object(question.open().unwrap(), Some(&split())).is_err());
        assert_eq!(name_of(question.by_object(question.open().unwrap(), Some(&combined()))), Ok(None));
        assert_eq!(name_of(Question::new(&legacy_exports, None).by_exports()), Err(NotJudged::Unasked("legacy")));
        let told = Question::new(&legacy_exports, Some(named("split"))).by_exports();
        let Err(NotJudged::Another(told)) = told else { panic!("{told:?}") };
        assert!(told.starts_with("does not speak the split generation of the ABI: it speaks the legacy one"), "{told}");
        // A broken one, too, as long as it has functions of the generation and none of today's.
        let broken = without(&legacy_exports, &["TVMFuncCall", "TVMAPISetLastError"]);
        assert_eq!(name_of(Question::new(&broken, Some(named("legacy"))).by_exports()), Ok(Some("legacy")));
        assert_eq!(name_of(Question::new(&broken, None).by_exports()), Ok(None));
    }

    /// Without any one function: what is left of them makes one of the objects.
    #[test]
    fn an_older_generation_is_told_whatever_function_it_lacks() {
        let all = exports("split");
        for lacking in &all {
            let exports = without(&all, &[lacking]);
            let question = Question::new(&exports, None);
            let asked = question.open().unwrap();
            let mut shown = split();
            for (shown, kind) in shown.iter_mut().zip(&ASKED) {
                shown.take_if(|_| kind.functions.contains(&lacking.as_str()));
            }
            let told = question.by_object(asked, Some(&shown));
            assert_eq!(name_of(told), Err(NotJudged::Unasked("split")), "without {lacking}");
            let insisting = Question::new(&exports, Some(today())).by_object(asked, Some(&shown));
            let Err(NotJudged::Another(told)) = insisting else { panic!("{insisting:?}") };
            assert!(told.contains("TVMFFI") && !told.contains("exports  "), "{told}");
            // Objects of today's decide otherwise.
            assert_eq!(name_of(question.by_object(asked, Some(&combined()))), Ok(None), "without {lacking}");
        }
        // One function that came later is enough to speak against it.
        for later in self::exports("combined").iter().filter(|name| !all.contains(name)) {
            let exports = [all.clone(), vec![later.clone()]].concat();
            let question = Question::new(&exports, None);
            // This one is a state's of the generation.
            assert_eq!(question.open().is_some(), later == "TVMFFIBacktrace", "{later}");
        }
    }

    /// The last day of the split generation's functions, over objects of today's.
    #[test]
    fn a_state_of_todays_is_told() {
        let renamed = |name: String| name.replace("TVMFFITraceback", "TVMFFIBacktrace");
        let exports: Vec<_> = exports("split").into_iter().map(renamed).collect();
        let state = |exports: &[String], shown: Option<&ObjectsShown>| {
            let older = Question::new(exports, None).older(None, shown)?;
            assert!(older.generation.is_today());
            older.state.map(|state| state.name.as_str())
        };
        assert_eq!(state(&exports, Some(&combined())), Some("2a"));
        assert_eq!((state(&exports, Some(&split())), state(&exports, None)), (None, None));
        // Whatever a library lacks that has the names of a release.
        for lacking in [&[][..], &["TVMFFIGetVersion"]] {
            let exports = without(&self::exports("combined"), lacking);
            assert_eq!(state(&exports, Some(&combined())), None, "{lacking:?}");
        }
    }

    /// The generation before the split one has no weak count, ends objects with another function, and is none that is told.
    #[test]
    fn what_nobody_describes_is_not_told() {
        let renamed = |name: String| name.replace("TVMFFIObjectDecRef", "TVMFFIObjectFree");
        let exports: Vec<_> = without(&exports("split"), &["TVMFFIObjectIncRef"]).into_iter().map(renamed).collect();
        let question = Question::new(&exports, None);
        assert_eq!((name_of(question.by_exports()), question.open().is_none()), (Ok(None), true));
        let shown = objects(|index, count| [(count << 32) | index, DELETER, DELETER]);
        assert!(against(named("split"), &shown).is_some() && against(named("combined"), &shown).is_some());
    }

    #[test]
    fn one_that_is_wanted_is_told_apart() {
        let (split_exports, today) = (exports("split"), exports("combined"));
        let question = Question::new(&split_exports, Some(named("split")));
        let judged = |shown: Option<&ObjectsShown>| name_of(question.by_object(named("split"), shown));
        assert_eq!(judged(Some(&split())), Ok(Some("split")));
        // One that is broken, too, as long as a function that only this generation has tells it.
        assert_eq!((judged(Some(&combined())), judged(None)), (Ok(Some("split")), Ok(Some("split"))));
        let refused = |question: &Question, shown: Option<&ObjectsShown>| match question.open() {
            Some(asked) => question.by_object(asked, shown).unwrap_err(),
            None => question.by_exports().unwrap_err(),
        };
        let told = refused(&Question::new(&today, Some(named("split"))), Some(&combined()));
        let NotJudged::Another(told) = told else { panic!("{told:?}") };
        assert_eq!(
            told,
            "does not speak the split generation of the ABI: it exports TVMFFIGetVersion, and has 0x1 at byte 0 of a new \
             Error, where type_index would be, and not 0x43"
        );
        let told = Question::new(&today, Some(named("legacy"))).by_exports();
        let expected = "does not speak the legacy generation of the ABI: it exports no TVMAPISetLastError";
        assert_eq!(name_of(told), Err(NotJudged::Another(expected.to_owned())));
    }
}
