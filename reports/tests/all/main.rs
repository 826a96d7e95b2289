//! Tests through the public interface, on one sample report.

mod any_text;
mod comparison;
mod render;
mod sample;
mod sarif;
mod summary;
