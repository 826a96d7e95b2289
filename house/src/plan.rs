//! The plan of a crate, as a picture in DESIGN.md shows it, and what breaks it.

use crate::{arrows::arrows, circles::circles, sources::Sources};

/// The rooms of each floor, from the top down. A room is a folder or a file right below `src`; `checks/*` stands for each
/// folder or file in `checks`, a room of its own.
pub struct Plan {
    floors: Vec<Vec<String>>,
}

impl Plan {
    /// Reads the picture below a heading of DESIGN.md: a line for each floor, with `|` between rooms that stand side by
    /// side, and behind two spaces what they hold.
    ///
    /// # Panics
    /// If there is no such heading, or no picture below it.
    pub fn read(design: &str, heading: &str) -> Self {
        let (_, rest) = design.split_once(heading).unwrap_or_else(|| panic!("DESIGN.md has no heading {heading}"));
        let picture = rest.split("```").nth(1).expect("the floors stand between two lines of backquotes");
        let lines = picture.lines().skip(1).filter(|line| !line.starts_with(' ') && !line.is_empty());
        let rooms = |line: &str| {
            let rooms = line.split("  ").next().unwrap_or_default();
            rooms.split('|').map(|room| room.trim().to_owned()).collect()
        };
        Self { floors: lines.map(rooms).collect() }
    }

    /// The room that a file is in.
    fn room(&self, path: &str) -> String {
        let mut parts = path.strip_suffix(".rs").unwrap_or(path).split('/');
        let first = parts.next().unwrap_or_default();
        let rooms_inside = self.floors.iter().flatten().any(|room| room.strip_suffix("/*") == Some(first));
        match parts.next() {
            Some(second) if rooms_inside && second != "mod" => format!("{first}/{second}"),
            _ => first.to_owned(),
        }
    }

    /// The floor that a room is on, counted from the top.
    fn floor(&self, room: &str) -> Option<usize> {
        let is = |planned: &String| match planned.strip_suffix("/*") {
            Some(folder) => room.split_once('/').is_some_and(|(first, _)| first == folder),
            None => planned == room,
        };
        self.floors.iter().position(|rooms| rooms.iter().any(is))
    }

    /// Everything in a crate that breaks the plan, a line each. The crate's root declares the rooms, and has nothing that
    /// they could use.
    pub fn broken_by(&self, sources: &Sources) -> Vec<String> {
        let mut wrong = Vec::new();
        for path in sources.keys().filter(|path| path.contains('/') && self.floor(&self.room(path)).is_none()) {
            wrong.push(format!("{path} stands on no floor"));
        }
        let arrows = arrows(sources);
        for arrow in arrows.iter().filter(|arrow| arrow.from != "lib.rs") {
            let (from, to) = (self.room(&arrow.from), self.room(&arrow.to));
            match (self.floor(&from), self.floor(&to)) {
                (Some(above), Some(below)) if above < below || from == to => {}
                (Some(one), Some(other)) if one == other => wrong.push(format!("runs sideways: {arrow}")),
                _ => wrong.push(format!("runs up: {arrow}")),
            }
        }
        wrong.extend(circles(&arrows).into_iter().map(|circle| format!("is a circle: {}", circle.join(" -> "))));
        wrong
    }
}
