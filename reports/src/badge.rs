//! A verdict as a badge: an SVG picture for the README of a project.

use std::io::{self, Write};

use crate::{exit, findings::Findings};

/// How wide a character is, in pixels: the text is fitted to that, whatever the font.
const CHARACTER: usize = 7;
/// The space around each text.
const MARGIN: usize = 6;

/// Writes the picture.
///
/// # Errors
/// Those of `out`.
pub fn render(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let (verdict, color) = match findings.exit_code {
        exit::CONFORMS if findings.command == "check" => ("conforms", "#14713d"),
        exit::DOES_NOT_CONFORM if findings.command == "check" => ("does not conform", "#b3261e"),
        exit::CONFORMS => ("passes", "#14713d"),
        exit::DOES_NOT_CONFORM => ("fails", "#b3261e"),
        _ => ("no verdict", "#8a5a00"),
    };
    let subject =
        if findings.command == "check" { "TVM FFI ABI".into() } else { format!("TVM FFI {}", findings.command) };
    let [left, right] = [subject.len(), verdict.len()].map(|length| length * CHARACTER);
    let (middle, width) = (left + 2 * MARGIN, left + right + 4 * MARGIN);
    let text = |x: usize, length: usize, text: &str| {
        format!("<text x=\"{x}\" y=\"14\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{text}</text>")
    };
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"20\" role=\"img\" aria-label=\"{subject}: {verdict}\">\n\
         <title>{subject}: {verdict}</title>\n\
         <clipPath id=\"round\"><rect width=\"{width}\" height=\"20\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#round)\"><rect width=\"{middle}\" height=\"20\" fill=\"#444\"/>\
         <rect x=\"{middle}\" width=\"{}\" height=\"20\" fill=\"{color}\"/></g>\n\
         <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">{}{}</g>\n\
         </svg>",
        width - middle,
        text(MARGIN, left, &subject),
        text(middle + MARGIN, right, verdict),
    )
}
