//! Shapes, and what concerns containers of every kind.

mod devices;
mod ends;
mod nested;
mod shapes;
