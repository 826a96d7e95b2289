//! Results as rows: one table for times, one for instructions, one for what only a new process shows.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    operations::operation::Operation,
    statistics::{Ratio, geometric_mean, median, ratio},
};

/// One operation, or whatever else is compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What it is about.
    pub area: String,
    /// What it does.
    pub operation: String,
    /// How many elements, names or types there are.
    pub size: Option<usize>,
    /// How many elements the numbers were divided by.
    pub elements: usize,
    /// What the numbers count, such as `ns`.
    pub unit: String,
    /// The release's number.
    pub release: f64,
    /// The reference's number.
    pub ours: f64,
    /// The release's number by ours: above 1, the reference is ahead.
    pub ratio: f64,
    /// The lower end of the ratio's interval.
    pub low: f64,
    /// The upper end of the ratio's interval.
    pub high: f64,
}

impl Row {
    /// A row for an operation from pairs of the release's and our number, which are divided by its elements.
    pub fn of(operation: &Operation, unit: &str, pairs: &[[f64; 2]]) -> Self {
        let elements = operation.elements();
        let pairs: Vec<_> = pairs.iter().map(|pair| pair.map(|number| number / elements as f64)).collect();
        let row = Self::new(operation.area, &operation.name, unit, &pairs);
        Self { size: operation.size, elements, ..row }
    }

    /// A row from pairs of the release's and our number.
    pub fn new(area: &str, operation: &str, unit: &str, pairs: &[[f64; 2]]) -> Self {
        let Ratio { middle, low, high } = ratio(pairs);
        let middle_of = |side: usize| median(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
        Self {
            area: area.to_owned(),
            operation: operation.to_owned(),
            size: None,
            elements: 1,
            unit: unit.to_owned(),
            release: middle_of(0),
            ours: middle_of(1),
            ratio: middle,
            low,
            high,
        }
    }

    /// What a reader is told that it does, such as `List build, 16, each`.
    pub fn title(&self) -> String {
        let size = self.size.map(|size| format!(", {}", grouped(size))).unwrap_or_default();
        let each = if self.elements > 1 { ", each" } else { "" };
        format!("{}{size}{each}", self.operation)
    }

    /// The ratio's interval; empty where the numbers are exact.
    fn interval(&self) -> String {
        if self.low == self.high { String::new() } else { format!("{:.2} to {:.2}", self.low, self.high) }
    }

    /// A mark for whoever looks for what the reference is worse at.
    fn mark(&self) -> &'static str {
        if self.high < 1.0 { "  behind" } else { "" }
    }
}

/// A table of rows, and where they come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What the numbers are.
    pub title: String,
    /// The release that the reference is compared with.
    pub release: String,
    /// The processor, and how many of its cores there are.
    pub machine: String,
    /// How many processes wanted to run when the measurement began, on average of a minute.
    pub load: f64,
    /// When it began.
    pub date: String,
    /// The geometric mean of all ratios.
    pub geometric_mean: f64,
    /// What was compared.
    pub rows: Vec<Row>,
}

impl Table {
    /// A table without rows, of this machine and this moment.
    pub fn begin(title: &str, release: &str) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cpu = read("/proc/cpuinfo");
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let model = model.map_or("an unknown processor", |(_, model)| model);
        let load = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok());
        Self {
            title: title.to_owned(),
            release: release.to_owned(),
            machine: format!("{model}, {cores} cores"),
            load: load.unwrap_or_default(),
            date: DateTime::<Utc>::from(std::time::SystemTime::now()).format("%Y-%m-%d %H:%M UTC").to_string(),
            geometric_mean: 1.0,
            rows: Vec::new(),
        }
    }

    /// The table with its rows.
    pub fn with(self, rows: Vec<Row>) -> Self {
        Self { geometric_mean: geometric_mean(rows.iter().map(|row| row.ratio)), rows, ..self }
    }

    /// Where and when the numbers were taken, in one line.
    pub fn origin(&self) -> String {
        format!("{}, {}, {}, load {:.1} at the beginning", self.date, self.release, self.machine, self.load)
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let width = self.rows.iter().map(|row| row.title().chars().count()).max().unwrap_or(0);
        let mut text = format!("{} ({})\n", self.title, self.origin());
        for (area, rows) in self.areas() {
            let mean = geometric_mean(rows.iter().map(|row| row.ratio));
            let (release, ours) = ("release", "ours");
            let _ = writeln!(text, "\n{area:width$}  {release:>10} {ours:>10}   ratio   mean {mean:.2}");
            for row in rows {
                let Row { unit, ratio, .. } = row;
                let [release, ours] = [row.release, row.ours].map(short);
                let (title, interval, mark) = (row.title(), row.interval(), row.mark());
                let _ = writeln!(
                    text,
                    "{title:width$}  {release:>10} {ours:>10} {ratio:>7.2}   {interval:14} {unit}{mark}"
                );
            }
        }
        let behind = self.rows.iter().filter(|row| row.high < 1.0).count();
        let _ = writeln!(
            text,
            "\n{} in all: geometric mean of the ratios {:.2}; {behind} behind the release",
            self.rows.len(),
            self.geometric_mean
        );
        text
    }

    /// The table for a page: the means of the areas, and all rows for whoever opens them.
    pub fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n{}.\n\n| area | ratio |\n|---|---:|\n", self.title, self.origin());
        for (area, rows) in self.areas() {
            let _ = writeln!(text, "| {area} | {:.2} |", geometric_mean(rows.iter().map(|row| row.ratio)));
        }
        let _ = writeln!(text, "| **geometric mean** | **{:.2}** |\n", self.geometric_mean);
        let _ = writeln!(text, "<details><summary>All {}</summary>\n", self.rows.len());
        text += "| area | operation | release | ours | ratio | interval |\n|---|---|---:|---:|---:|---|\n";
        for row in &self.rows {
            let Row { area, unit, ratio, .. } = row;
            let [release, ours] = [row.release, row.ours].map(short);
            let (title, interval) = (row.title(), row.interval());
            let _ = writeln!(text, "| {area} | {title} | {release} {unit} | {ours} {unit} | {ratio:.2} | {interval} |");
        }
        text + "\n</details>\n"
    }

    /// The rows of each area, in the order in which the areas come.
    pub fn areas(&self) -> Vec<(&str, Vec<&Row>)> {
        let mut areas: Vec<(&str, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            match areas.iter_mut().find(|(area, _)| *area == row.area) {
                Some((_, rows)) => rows.push(row),
                None => areas.push((&row.area, vec![row])),
            }
        }
        areas
    }

    /// Operations with at least three sizes, each with its rows: curves of growth.
    pub fn curves(&self) -> Vec<Vec<&Row>> {
        let mut curves: Vec<Vec<&Row>> = Vec::new();
        for row in self.rows.iter().filter(|row| row.size.is_some()) {
            let same = |curve: &&mut Vec<&Row>| curve[0].area == row.area && curve[0].operation == row.operation;
            match curves.iter_mut().find(same) {
                Some(curve) => curve.push(row),
                None => curves.push(vec![row]),
            }
        }
        curves.retain(|curve| curve.len() >= 3);
        curves
    }

    /// Writes the table as JSON and answers where.
    pub fn save(&self, name: &str) -> io::Result<PathBuf> {
        save(&format!("{name}.json"), &serde_json::to_string_pretty(self)?)
    }

    /// Reads a table that was saved.
    pub fn load(name: &str) -> io::Result<Self> {
        Ok(serde_json::from_str(&fs::read_to_string(folder().join(format!("{name}.json")))?)?)
    }
}

/// Writes a file among the results and answers where.
pub fn save(name: &str, content: &str) -> io::Result<PathBuf> {
    let path = folder().join(name);
    fs::create_dir_all(folder())?;
    fs::write(&path, content)?;
    Ok(path)
}

/// Where results are kept: `target/benches`.
fn folder() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace");
    workspace.join("target/benches")
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// A number in three digits or more.
pub fn short(number: f64) -> String {
    match number {
        100.0.. => grouped(number.round() as usize),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// A number with its digits in groups of three.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(operation: &str, size: usize) -> Row {
        Row { size: Some(size), ..Row::new("maps", operation, "ns", &[[20.0, 10.0]]) }
    }

    #[test]
    fn operations_with_three_sizes_are_curves() {
        let rows = vec![row("get", 4), row("get", 8), row("miss", 4), row("get", 100)];
        let table = Table::begin("time", "0.1.15").with(rows);
        let curves = table.curves();
        assert_eq!(curves.len(), 1);
        assert_eq!(curves[0].iter().map(|row| row.size).collect::<Vec<_>>(), [Some(4), Some(8), Some(100)]);
        assert_eq!(table.geometric_mean, 2.0);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.234, 56.78, 1234567.8].map(short), ["1.23", "56.8", "1,234,568"]);
    }
}
