//! Fuzz targets, all in one program: each is a program that takes seconds to link, and a second to run on one processor.

mod bigint;
mod containers;
mod dlpack;
mod dtype;
mod embedded;
mod json;
mod structural;
mod types;
