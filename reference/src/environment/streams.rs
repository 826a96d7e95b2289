//! The current stream of each device, for each thread.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    mem::{self, ManuallyDrop},
    ptr,
};

use tvm_ffi_spec::TVMFFIStreamHandle;

use crate::{
    border::error::{Error, Result},
    system::thread_end,
};

type Streams = BTreeMap<u64, TVMFFIStreamHandle>;

thread_local! {
    /// The streams that were set on this thread, by device. A map and not a table: the numbers come from outside, and a
    /// large one must not cost memory.
    static STREAMS: RefCell<ManuallyDrop<Streams>> = const { RefCell::new(ManuallyDrop::new(BTreeMap::new())) };
}

/// Device type and device id in one word, which is compared at once.
fn device(device_type: i32, device_id: i32) -> u64 {
    u64::from(device_type.cast_unsigned()) << 32 | u64::from(device_id.cast_unsigned())
}

/// Forgets all streams of this thread, when it ends.
pub fn forget_streams() {
    drop(STREAMS.with_borrow_mut(|streams| mem::take(&mut **streams)));
}

/// This thread's current stream of a device; NULL, the default stream, unless one was set.
pub fn stream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle {
    STREAMS.with_borrow(|streams| streams.get(&device(device_type, device_id)).copied()).unwrap_or(ptr::null_mut())
}

/// Sets this thread's current stream of a device and returns the previous one.
///
/// # Errors
/// `ValueError` for a negative device type or id.
pub fn set_stream(device_type: i32, device_id: i32, stream: TVMFFIStreamHandle) -> Result<TVMFFIStreamHandle> {
    if device_type < 0 || device_id < 0 {
        let message = format!("There is no device of type {device_type} with id {device_id}");
        return Err(Error::new("ValueError", message));
    }
    let key = device(device_type, device_id);
    let previous = STREAMS.with_borrow_mut(|streams| {
        // With the first of them there is something to forget.
        if streams.is_empty() {
            thread_end::mark();
        }
        match stream.is_null() {
            true => streams.remove(&key),
            false => streams.insert(key, stream),
        }
    });
    Ok(previous.unwrap_or(ptr::null_mut()))
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
