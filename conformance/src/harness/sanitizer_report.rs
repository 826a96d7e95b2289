//! What a sanitizer printed in a process of the target, shortened: what is wrong, where, and where the memory came from.

use std::path::Path;

/// The most lines that are told.
const LINES: usize = 12;
/// How many functions are told of the mistake itself, and of each of the other places.
const FRAMES: [usize; 2] = [3, 2];

/// What a sanitizer reported.
#[derive(Debug, PartialEq, Eq)]
pub struct SanitizerReport {
    /// What that amounts to.
    pub meaning: Meaning,
    /// Such as `AddressSanitizer: heap-use-after-free: READ of size 8`.
    pub headline: String,
    /// Where, and what else it says.
    pub lines: Vec<String>,
    /// Where the sanitizer's words begin in what the process printed.
    pub start: usize,
}

/// What a report amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The target does what it must not.
    Mistake,
    /// The target has lost memory.
    Leak,
    /// There was no memory left, of which the sanitizer lets nobody hear.
    NoMemory,
    /// The sanitizer itself failed.
    Failed,
}

/// A list of calls under its title.
#[derive(Default)]
struct Section<'a> {
    title: &'a str,
    frames: Vec<Frame<'a>>,
}

/// A call, as the suite has sanitizers print them: `#0 <module> in function place`.
struct Frame<'a> {
    module: &'a str,
    function: &'a str,
    place: &'a str,
}

/// The first report in what a process printed that is about the target: a leak counts where the target asked for the memory, and not
/// its client, and a race where it is between two functions of the target.
pub fn read(output: &str, target: &Path) -> Option<SanitizerReport> {
    let lines: Vec<_> = output.lines().collect();
    let report = (0..lines.len()).find_map(|at| {
        let (meaning, headline) = headline(lines[at])?;
        let sections = sections(&lines[at..]);
        match meaning {
            Meaning::Leak => leak(&headline, sections, target),
            _ if headline.starts_with("ThreadSanitizer") && !is_between_calls_of(target, &sections) => None,
            _ => Some(mistake(meaning, headline, lines[at], sections)),
        }
    })?;
    let first = lines.iter().find(|line| headline(line).is_some())?;
    let start = first.as_ptr() as usize - output.as_ptr() as usize;
    // There is a line of these above.
    let start = output[..start].trim_end_matches(['=', '\n']).len();
    Some(SanitizerReport { start, ..report })
}

fn headline(line: &str) -> Option<(Meaning, String)> {
    const NO_MEMORY: [&str; 5] =
        ["requested allocation size", "out of memory", "out-of-memory", "failed to allocate", "rss limit exceeded"];
    if let Some((_, what)) = line.split_once(": runtime error: ") {
        return Some((Meaning::Mistake, format!("UndefinedBehaviorSanitizer: {}", without_addresses(what))));
    }
    if line.contains("Sanitizer: CHECK failed") || line.contains("FATAL: ThreadSanitizer") {
        return Some((Meaning::Failed, line.trim_matches('=').to_owned()));
    }
    let told =
        line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: ThreadSanitizer").map(|_| ("", line)))?.1;
    let told = told.strip_prefix("WARNING: ").unwrap_or(told);
    if !told.contains("Sanitizer") {
        return None;
    }
    let meaning = match told {
        _ if NO_MEMORY.iter().any(|words| told.contains(words)) => Meaning::NoMemory,
        _ if told.starts_with("LeakSanitizer: detected memory leaks") => Meaning::Leak,
        _ => Meaning::Mistake,
    };
    let told = told.split(" (pid=").next().unwrap_or(told);
    let told = told.find(" 0x").map_or(told, |address| &told[..address]);
    let words = [" on unknown address", " on address", " on", ":"];
    let told = words.iter().find_map(|words| told.strip_suffix(words)).unwrap_or(told);
    Some((meaning, told.to_owned()))
}

/// What follows a headline, up to its end.
fn sections<'a>(lines: &[&'a str]) -> Vec<Section<'a>> {
    let mut sections = vec![Section::default()];
    let ends = |line: &&&str| ["SUMMARY:", "Shadow bytes", "========"].iter().any(|end| line.starts_with(end));
    for line in lines[1..].iter().take_while(|line| !ends(line)).map(|line| line.trim()) {
        match (Frame::parse(line), sections.last_mut()) {
            (Some(frame), Some(section)) => section.frames.push(frame),
            _ if line.is_empty() => {}
            _ => sections.push(Section { title: line, frames: Vec::new() }),
        }
    }
    sections
}

fn mistake(meaning: Meaning, mut headline: String, first: &str, sections: Vec<Section>) -> SanitizerReport {
    let mut lines = Vec::new();
    lines.extend(first.split_once(": runtime error: ").map(|(place, _)| format!("at {place}")));
    let told = |section: &&Section| {
        let created = section.title.contains("created");
        ["is located", "Location is"].iter().any(|words| section.title.contains(words))
            || !section.frames.is_empty() && !created
    };
    for (n, section) in sections.iter().filter(told).enumerate() {
        let title = without_addresses(section.title);
        if n == 0 {
            // Such as `READ of size 8`, which is a part of what happened.
            let what = title.split([',', ':']).next().unwrap_or_default();
            let what = [" by ", " thread "].iter().fold(what, |what, by| what.split(by).next().unwrap_or_default());
            headline += &if what.is_empty() { String::new() } else { format!(": {what}") };
        } else {
            lines.push(title);
        }
        lines.extend(frames(section, FRAMES[n.min(1)]));
    }
    lines.truncate(LINES);
    SanitizerReport { meaning, headline, lines, start: 0 }
}

/// Whether both sides of a race are the target's own. The suite's threads wait for each other in ways that the sanitizer does not see.
fn is_between_calls_of(target: &Path, sections: &[Section]) -> bool {
    let mut sides = sections.iter().filter(|section| !section.frames.is_empty()).take(2);
    sides.clone().count() == 2 && sides.all(|side| side.is_of(target))
}

/// The leaks of which the target asked for the memory and that nothing leads to.
fn leak(headline: &str, sections: Vec<Section>, target: &Path) -> Option<SanitizerReport> {
    let counts = |section: &&Section| section.title.starts_with("Direct leak") && section.is_of(target);
    let leaks: Vec<_> = sections.iter().filter(counts).collect();
    let what = |section: &Section| section.title.strip_suffix(" allocated from:").unwrap_or(section.title).to_owned();
    let mut headline = format!("{}: {}", headline.split(':').next().unwrap_or(headline), what(leaks.first()?));
    if leaks.len() > 1 {
        headline += &format!(", and {} more", leaks.len() - 1);
    }
    let mut lines = frames(leaks[0], FRAMES[0]);
    for section in &leaks[1..] {
        lines.push(what(section));
        lines.extend(frames(section, FRAMES[1]));
    }
    lines.truncate(LINES);
    Some(SanitizerReport { meaning: Meaning::Leak, headline, lines, start: 0 })
}

/// The calls of a section down to the suite's, from the one that a sanitizer stands in for on.
fn frames(section: &Section, most: usize) -> Vec<String> {
    let suite = std::env::current_exe().unwrap_or_default();
    let theirs = section.frames.iter().filter(|frame| !frame.is_runtime());
    let told = theirs.take_while(|frame| Path::new(frame.module) != suite).map(Frame::told);
    let told: Vec<_> = told.take(most).collect();
    if told.is_empty() && !section.frames.is_empty() { vec!["  in the suite".to_owned()] } else { told }
}

impl Section<'_> {
    /// Whether it was the target that asked the sanitizer, or did what is told.
    fn is_of(&self, target: &Path) -> bool {
        let first = self.frames.iter().find(|frame| !frame.is_runtime());
        first.is_some_and(|frame| Path::new(frame.module) == target)
    }
}

impl<'a> Frame<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (number, rest) = line.strip_prefix('#')?.split_once(" <")?;
        number.parse::<u32>().ok()?;
        let (module, rest) = rest.split_once('>')?;
        let rest = rest.split(" (BuildId").next().unwrap_or(rest).trim();
        let (function, place) = match rest.strip_prefix("in ") {
            Some(rest) => rest.rsplit_once(' ').unwrap_or((rest, "")),
            None => ("", rest),
        };
        Some(Self { module, function, place })
    }

    /// Whether it belongs to a sanitizer.
    fn is_runtime(&self) -> bool {
        let file = self.module.rsplit('/').next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        ["libasan", "libtsan", "liblsan", "libubsan", "libclang_rt"].contains(&stem)
    }

    fn told(&self) -> String {
        // Without source lines the place is a module and an offset, such as `(/a/libtvm_ffi.so+0x10)`.
        let place = self.place.trim_matches(['(', ')']);
        let place = if place.starts_with(self.module) { place.rsplit('/').next().unwrap_or(place) } else { place };
        // What Rust adds to the names of functions says nothing to people.
        let hash = self.function.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16);
        match hash.map_or(self.function, |(function, _)| function) {
            "" => format!("  at {place}"),
            function => format!("  in {function} ({place})"),
        }
    }
}

/// A line without what differs from run to run.
fn without_addresses(line: &str) -> String {
    let is_address = |word: &str| word.trim_start_matches(['[', '(']).starts_with("0x");
    let mut words: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        if !is_address(word) {
            words.push(word);
            continue;
        }
        if words.last().is_some_and(|last| ["at", "address"].contains(last)) {
            words.pop();
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(output: &str) -> SanitizerReport {
        read(output, Path::new("/b/libtvm_ffi.so")).unwrap()
    }

    #[test]
    fn a_use_after_release_is_told_with_both_places() {
        let report = told(
            "=================================================================
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x7f bp 0x7f sp 0x7f
READ of size 8 at 0x602000000010 thread T0
    #0 </b/libtvm_ffi.so> in TVMFFIObjectDecRef /src/fault.c:12
    #1 </bin/tvm-ffi-verify>  (/bin/tvm-ffi-verify+0x1234) (BuildId: ab)

0x602000000010 is located 0 bytes inside of 16-byte region [0x602000000010,0x602000000020)
freed by thread T0 here:
    #0 </lib/libasan.so.8> in __interceptor_free ../asan_malloc_linux.cpp:52
    #1 </b/libtvm_ffi.so>  (/b/libtvm_ffi.so+0x10)

SUMMARY: AddressSanitizer: heap-use-after-free /src/fault.c:12 in TVMFFIObjectDecRef
Shadow bytes around the buggy address:
==7==ABORTING
",
        );
        assert_eq!(report.meaning, Meaning::Mistake);
        assert_eq!(report.headline, "AddressSanitizer: heap-use-after-free: READ of size 8");
        let lines = [
            "  in TVMFFIObjectDecRef (/src/fault.c:12)",
            "  at tvm-ffi-verify+0x1234",
            "is located 0 bytes inside of 16-byte region",
            "freed by thread T0 here:",
            "  at libtvm_ffi.so+0x10",
        ];
        assert_eq!(report.lines, lines);
    }

    #[test]
    fn a_race_is_told_with_both_sides() {
        let report = told(
            "==================
WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 4 at 0x7b0400000000 by thread T2:
    #0 </b/libtvm_ffi.so> in count /src/fault.c:3

  Previous write of size 4 at 0x7b0400000000 by thread T1:
    #0 </b/libtvm_ffi.so> in count /src/fault.c:3

  Thread T2 (tid=9, running) created by main thread at:
    #0 </lib/libtsan.so.2> in pthread_create ../tsan_interceptors.cpp:1
SUMMARY: ThreadSanitizer: data race /src/fault.c:3 in count
",
        );
        assert_eq!(report.headline, "ThreadSanitizer: data race: Write of size 4");
        let count = "  in count (/src/fault.c:3)";
        assert_eq!(report.lines, [count, "Previous write of size 4 by thread T1:", count]);
        let of_the_suite = "WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 8 at 0x7b by thread T2:
    #0 </lib/libtsan.so.2> in free ../tsan_interceptors.cpp:1
    #1 </bin/tvm-ffi-verify>  (/bin/tvm-ffi-verify+0x10)
  Previous write of size 8 at 0x7b by thread T1:
    #0 </b/libtvm_ffi.so> in make /src/fault.c:3
";
        assert_eq!(read(of_the_suite, Path::new("/b/libtvm_ffi.so")), None);
    }

    #[test]
    fn undefined_behaviour_is_told_with_its_place() {
        let report = told("/src/fault.c:5:9: runtime error: signed integer overflow: 1 + 2 cannot be represented\n");
        assert_eq!(report.headline, "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2 cannot be represented");
        assert_eq!(report.lines, ["at /src/fault.c:5:9"]);
    }

    #[test]
    fn a_leak_counts_where_the_target_asked_for_the_memory() {
        let output = |module: &str| {
            format!(
                "==7==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 24 byte(s) in 1 object(s) allocated \
                 from:\n    #0 </lib/libasan.so.8> in malloc ../a.cpp:1\n    #1 <{module}> in make /src/fault.c:3\n\
                 SUMMARY: AddressSanitizer: 24 byte(s) leaked in 1 allocation(s).\n"
            )
        };
        let report = told(&output("/b/libtvm_ffi.so"));
        assert_eq!(report.headline, "LeakSanitizer: Direct leak of 24 byte(s) in 1 object(s)");
        assert_eq!((report.meaning, report.lines), (Meaning::Leak, vec!["  in make (/src/fault.c:3)".to_owned()]));
        assert_eq!(read(&output("/bin/tvm-ffi-verify"), Path::new("/b/libtvm_ffi.so")), None);
    }

    #[test]
    fn lack_of_memory_and_failures_of_the_sanitizer_are_told_apart() {
        let meaning = |line: &str| told(line).meaning;
        assert_eq!(
            meaning("==7==ERROR: AddressSanitizer: requested allocation size 0xffff exceeds maximum"),
            Meaning::NoMemory
        );
        assert_eq!(meaning("==7==ERROR: AddressSanitizer failed to allocate 0x100 (256) bytes"), Meaning::NoMemory);
        assert_eq!(
            meaning("==7==AddressSanitizer: CHECK failed: asan_interceptors.cpp:1 \"((0)) != (0)\""),
            Meaning::Failed
        );
        assert_eq!(
            read("==7==WARNING: AddressSanitizer failed to allocate 0x1 bytes\nERROR: no\n", Path::new("/")),
            None
        );
    }
}
