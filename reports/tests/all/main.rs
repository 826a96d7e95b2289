//! Tests through the public interface, on samples.

mod any_text;
mod audit;
mod render;
mod sample;
mod sarif;
mod summary;
