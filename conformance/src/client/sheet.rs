//! A long text in the page of breadcrumbs: it is added to and cut, and another process reads it.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

const ROOM: usize = 128 << 10;

#[repr(C)]
pub(super) struct Sheet {
    len: AtomicU32,
    text: [AtomicU8; ROOM],
}

impl Sheet {
    /// How much has been written.
    pub fn len(&self) -> usize {
        (self.len.load(Ordering::Acquire) as usize).min(ROOM)
    }

    /// Takes away what was written after the first `len` bytes.
    pub fn cut(&self, len: usize) {
        self.len.store(len.min(self.len()) as u32, Ordering::Release);
    }

    /// Adds a text, whole or not at all; answers whether there was room.
    pub fn add(&self, text: &str) -> bool {
        let from = self.len();
        let Some(room) = self.text.get(from..from + text.len()) else { return false };
        for (place, byte) in room.iter().zip(text.bytes()) {
            place.store(byte, Ordering::Relaxed);
        }
        self.len.store((from + text.len()) as u32, Ordering::Release);
        true
    }

    /// All that was written; nothing if a target has written over it.
    pub fn text(&self) -> String {
        let bytes = self.text[..self.len()].iter().map(|byte| byte.load(Ordering::Relaxed)).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }
}
