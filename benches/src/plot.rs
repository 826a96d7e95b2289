//! Plots that a person can read, as SVG: the ratio of each operation with its interval, and the curves of growth.

use std::fmt::Write;

use crate::report::{Row, Table, grouped, short};

/// Colours for light and for dark pages. No variables, which programs other than browsers do not know.
const STYLE: &str = "<style>
  text { font: 12px system-ui, sans-serif; fill: #1b1f24; }
  text.small { font-size: 10px; fill: #6b737c; }
  text.title { font-size: 16px; font-weight: 600; }
  text.area { font-weight: 600; }
  .page { fill: #ffffff; }
  .grid { stroke: #dfe3e8; }
  .one { stroke: #6b737c; stroke-width: 1.5; }
  .worse { stroke: #c0392b; fill: #c0392b; }
  .even { stroke: #7d858d; fill: #7d858d; }
  .better, .ours { stroke: #1f8a4c; fill: #1f8a4c; }
  .release { stroke: #2f6fbb; fill: #2f6fbb; }
  polyline.ours, polyline.release { fill: none; stroke-width: 2; }
  polyline.release { stroke-dasharray: 5 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ec; }
    text.small { fill: #8d96a0; }
    .page { fill: #14181c; }
    .grid { stroke: #333a42; }
    .one { stroke: #8d96a0; }
    .worse { stroke: #ff7b6b; fill: #ff7b6b; }
    .even { stroke: #a0a8b0; fill: #a0a8b0; }
    .better, .ours { stroke: #4ccb85; fill: #4ccb85; }
    .release { stroke: #6fa8ef; fill: #6fa8ef; }
    polyline.ours, polyline.release { fill: none; }
  }
</style>
";

/// A drawing in the making: its elements, and how far down it goes.
#[derive(Default)]
struct Drawing {
    body: String,
    bottom: f64,
}

impl Drawing {
    fn text(&mut self, (x, y): (f64, f64), class: &str, anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.add(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"));
    }

    fn dot(&mut self, (x, y): (f64, f64), class: &str) {
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" class=\"{class}\"/>"));
    }

    fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        let list: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!("<polyline points=\"{}\" class=\"{class}\"/>", list.join(" ")));
        points.iter().for_each(|point| self.dot(*point, class));
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a String does not fail.
        let _ = writeln!(self.body, "{element}");
    }

    fn finish(self, width: f64) -> String {
        let height = self.bottom;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n{STYLE}<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A logarithmic axis: which numbers lie between which places.
struct Axis {
    numbers: (f64, f64),
    places: (f64, f64),
}

impl Axis {
    fn at(&self, number: f64) -> f64 {
        let (low, high) = (self.numbers.0.ln(), self.numbers.1.ln());
        let part = (number.ln() - low) / (high - low);
        self.places.0 + part * (self.places.1 - self.places.0)
    }
}

/// The ratio of each operation on a logarithmic scale, area by area, with its interval: to the right of 1 the reference is ahead.
pub fn ratios(table: &Table) -> String {
    const WIDTH: f64 = 1100.0;
    const PLOT: (f64, f64) = (400.0, 900.0);
    const ROW: f64 = 17.0;
    let lowest = table.rows.iter().map(|row| row.low).fold(0.5, f64::min);
    let highest = table.rows.iter().map(|row| row.high).fold(2.0, f64::max);
    let powers = lowest.log2().floor() as i32..=highest.log2().ceil() as i32;
    let axis = Axis { numbers: (2_f64.powi(*powers.start()), 2_f64.powi(*powers.end())), places: PLOT };

    let mut drawing = Drawing::default();
    let title = format!("{}: release / reference, geometric mean {:.2}", table.title, table.geometric_mean);
    drawing.text((20.0, 30.0), "title", "start", &title);
    drawing.text((20.0, 48.0), "small", "start", &table.origin());
    let areas = table.areas();
    let top = 80.0;
    let bottom = top + areas.iter().map(|(_, rows)| rows.len() as f64 * ROW + 28.0).sum::<f64>();
    for power in powers {
        let ratio = 2_f64.powi(power);
        let (x, class) = (axis.at(ratio), if power == 0 { "one" } else { "grid" });
        drawing.line((x, top), (x, bottom), class);
        let label = if power < 0 { format!("1/{}", 1 << -power) } else { format!("{ratio}") };
        drawing.text((x, top - 6.0), "small", "middle", &label);
    }
    let mut y = top;
    for (area, rows) in areas {
        y += 22.0;
        drawing.text((20.0, y), "area", "start", area);
        for row in rows {
            y += ROW;
            let class = class_of(row);
            drawing.text((PLOT.0 - 12.0, y), "", "end", &row.title());
            drawing.line((axis.at(row.low), y - 4.0), (axis.at(row.high), y - 4.0), class);
            drawing.dot((axis.at(row.ratio), y - 4.0), class);
            drawing.text((PLOT.1 + 12.0, y), "", "start", &format!("{:.2}", row.ratio));
            let numbers = format!("{} / {} {}", short(row.release), short(row.ours), row.unit);
            drawing.text((WIDTH - 10.0, y), "small", "end", &numbers);
        }
        y += 6.0;
    }
    drawing.bottom = bottom + 20.0;
    drawing.finish(WIDTH)
}

fn class_of(row: &Row) -> &'static str {
    match row {
        row if row.high < 1.0 => "worse",
        row if row.low > 1.0 => "better",
        _ => "even",
    }
}

/// A panel for each operation that was measured at three sizes or more: time over size, both logarithmic, of both libraries.
pub fn growth(table: &Table) -> String {
    const COLUMNS: usize = 3;
    const PANEL: (f64, f64) = (350.0, 210.0);
    let mut drawing = Drawing::default();
    drawing.text((20.0, 30.0), "title", "start", "Growth: time for each element, or for each call, by size");
    drawing.text((20.0, 48.0), "small", "start", &table.origin());
    drawing.curve(&[(20.0, 64.0), (50.0, 64.0)], "ours");
    drawing.text((58.0, 68.0), "", "start", "reference");
    drawing.curve(&[(140.0, 64.0), (170.0, 64.0)], "release");
    drawing.text((178.0, 68.0), "", "start", &table.release);
    let curves = table.curves();
    for (at, rows) in curves.iter().enumerate() {
        let corner = (20.0 + (at % COLUMNS) as f64 * PANEL.0, 90.0 + (at / COLUMNS) as f64 * PANEL.1);
        panel(&mut drawing, corner, rows);
    }
    drawing.bottom = 110.0 + curves.len().div_ceil(COLUMNS) as f64 * PANEL.1;
    drawing.finish(40.0 + COLUMNS as f64 * PANEL.0)
}

fn panel(drawing: &mut Drawing, (left, top): (f64, f64), rows: &[&Row]) {
    let sizes: Vec<_> = rows.iter().map(|row| row.size.unwrap_or(1).max(1) as f64).collect();
    let numbers = || rows.iter().flat_map(|row| [row.release, row.ours]);
    let lowest = numbers().fold(f64::MAX, f64::min).max(0.1).log10().floor() as i32;
    let highest = (numbers().fold(0.0, f64::max).max(0.1).log10().ceil() as i32).max(lowest + 1);
    let x = Axis { numbers: (sizes[0], sizes[sizes.len() - 1]), places: (left + 60.0, left + 320.0) };
    let y = Axis { numbers: (10_f64.powi(lowest), 10_f64.powi(highest)), places: (top + 160.0, top + 25.0) };
    drawing.text(
        (left, top + 10.0),
        "area",
        "start",
        &format!("{}: {}, {}", rows[0].area, rows[0].operation, rows[0].unit),
    );
    for power in lowest..=highest {
        let number = 10_f64.powi(power);
        drawing.line((x.places.0, y.at(number)), (x.places.1, y.at(number)), "grid");
        let label = if power < 0 { format!("{number}") } else { grouped(number as usize) };
        drawing.text((x.places.0 - 6.0, y.at(number) + 3.0), "small", "end", &label);
    }
    let mut last = f64::MIN;
    for size in &sizes {
        // Sizes that lie close together share a label.
        if x.at(*size) - last > 40.0 {
            last = x.at(*size);
            drawing.text((last, top + 175.0), "small", "middle", &grouped(*size as usize));
        }
    }
    let points = |number: fn(&Row) -> f64| -> Vec<_> {
        rows.iter().zip(&sizes).map(|(row, size)| (x.at(*size), y.at(number(row).max(0.1)))).collect()
    };
    drawing.curve(&points(|row| row.release), "release");
    drawing.curve(&points(|row| row.ours), "ours");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row =
            |size| Row { size: Some(size), ..Row::new("maps", "get & <set>", "ns", &[[20.0, 10.0], [30.0, 10.0]]) };
        Table::begin("Time", "0.1.15").with([0, 10_000, 1_000_000].map(row).into())
    }

    #[test]
    fn every_row_is_drawn_where_its_ratio_is() {
        let svg = ratios(&table());
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("get &amp; &lt;set>, 10,000") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn every_curve_has_a_panel_with_both_libraries() {
        let svg = growth(&table());
        // Two in the legend.
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn an_axis_is_logarithmic() {
        let axis = Axis { numbers: (1.0, 100.0), places: (0.0, 200.0) };
        assert!((axis.at(10.0) - 100.0).abs() < 1e-9);
    }
}
