//! What is done to a value and everything in it: comparing, hashing, copying and printing by content.

mod anew;
mod circle;
mod compare;
mod copy;
mod crossing;
mod extreme;
mod hooked;
mod many;
mod near;
mod print;
mod rounded;
mod same_payload;
mod sharing;
mod sharing_of_many;
