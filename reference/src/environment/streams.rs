//! The current stream of each device, for each thread.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    mem::{self, ManuallyDrop},
    ptr,
};

use tvm_ffi_spec::TVMFFIStreamHandle;

use crate::{
    border::error::{Error, Result},
    system::{memory, thread_end},
};

/// The streams that were set on a thread.
struct Streams {
    /// The device that one was set for last, and the stream.
    last: Cell<(u64, TVMFFIStreamHandle)>,
    /// Those of other devices. A map and not a table: the numbers come from outside, and a large one must not cost memory.
    others: RefCell<ManuallyDrop<BTreeMap<u64, TVMFFIStreamHandle>>>,
}

thread_local! {
    static STREAMS: Streams = const {
        Streams { last: Cell::new(NO_DEVICE), others: RefCell::new(ManuallyDrop::new(BTreeMap::new())) }
    };
}

/// There is no device with these numbers, which are negative.
const NO_DEVICE: (u64, TVMFFIStreamHandle) = (u64::MAX, ptr::null_mut());

/// Device type and device id in one word, which is compared at once.
fn device(device_type: i32, device_id: i32) -> u64 {
    u64::from(device_type.cast_unsigned()) << 32 | u64::from(device_id.cast_unsigned())
}

/// Forgets all streams of this thread, when it ends.
pub fn forget_streams() {
    STREAMS.with(|streams| {
        streams.last.set(NO_DEVICE);
        drop(mem::take(&mut **streams.others.borrow_mut()));
    });
}

/// This thread's current stream of a device; NULL, the default stream, unless one was set.
pub fn stream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle {
    let wanted = device(device_type, device_id);
    STREAMS.with(|streams| match streams.last.get() {
        (device, stream) if device == wanted => stream,
        _ => streams.of_other(wanted),
    })
}

/// Sets this thread's current stream of a device and returns the previous one.
///
/// # Errors
/// `ValueError` for a negative device type or id, `MemoryError` if there is no memory to remember another device.
pub fn set_stream(device_type: i32, device_id: i32, stream: TVMFFIStreamHandle) -> Result<TVMFFIStreamHandle> {
    if device_type < 0 || device_id < 0 {
        let message = format!("There is no device of type {device_type} with id {device_id}");
        return Err(Error::new("ValueError", message));
    }
    let wanted = device(device_type, device_id);
    STREAMS.with(|streams| match streams.last.get() {
        (device, previous) if device == wanted => {
            streams.last.set((wanted, stream));
            Ok(previous)
        }
        last => {
            let previous = streams.put_away(last, wanted)?;
            streams.last.set((wanted, stream));
            Ok(previous)
        }
    })
}

impl Streams {
    #[inline(never)]
    fn of_other(&self, device: u64) -> TVMFFIStreamHandle {
        self.others.borrow().get(&device).copied().unwrap_or(ptr::null_mut())
    }

    /// Puts what was set last to the others, and answers what was set for the device that takes its place.
    #[inline(never)]
    fn put_away(&self, (device, stream): (u64, TVMFFIStreamHandle), next: u64) -> Result<TVMFFIStreamHandle> {
        let mut others = self.others.borrow_mut();
        if stream.is_null() {
            others.remove(&device);
        } else {
            // A map cannot be told to try.
            if !others.contains_key(&device) && !memory::has(memory::ROOM_IN_MAP) {
                return Err(Error::out_of_memory("the stream of a device"));
            }
            // With the first of them there is something to forget.
            if others.is_empty() {
                thread_end::mark();
            }
            others.insert(device, stream);
        }
        Ok(others.get(&next).copied().unwrap_or(ptr::null_mut()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn handle(address: usize) -> TVMFFIStreamHandle {
        ptr::without_provenance_mut(address)
    }

    #[test]
    fn a_stream_belongs_to_its_device_and_thread() {
        assert!(set_stream(2, 0, handle(8)).is_ok_and(|previous| previous.is_null()));
        assert!(set_stream(2, i32::MAX, handle(16)).is_ok_and(|previous| previous.is_null()));
        assert_eq!([stream(2, 0), stream(2, 1), stream(3, 0)], [handle(8), handle(0), handle(0)]);
        let elsewhere = std::thread::spawn(|| stream(2, 0).addr()).join();
        assert_eq!(elsewhere.ok(), Some(0));
        assert_eq!(set_stream(2, 0, handle(0)).ok(), Some(handle(8)));
        assert!(stream(2, 0).is_null());
    }

    #[rstest]
    #[case(-1, 0)]
    #[case(0, -1)]
    #[case(i32::MIN, i32::MIN)]
    fn negative_numbers_name_no_device(#[case] device_type: i32, #[case] device_id: i32) {
        assert!(set_stream(device_type, device_id, handle(8)).is_err());
        assert!(stream(device_type, device_id).is_null());
    }
}
