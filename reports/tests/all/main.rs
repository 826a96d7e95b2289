//! Tests through the public interface, on samples.

mod any_text;
mod audit;
mod comparison;
mod kernel;
mod matrix;
mod render;
mod sample;
mod sarif;
mod summary;
