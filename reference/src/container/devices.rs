//! Where the tensors in a container lie.

use std::{mem, slice};

use tvm_ffi_spec::{
    DLDevice, TVMFFIAny, TVMFFIAnyValue, kTVMFFIArray, kTVMFFIDevice, kTVMFFIDict, kTVMFFIList, kTVMFFIMap,
    kTVMFFITensor,
};

use crate::{
    border::error::Result,
    container::{
        map::{self, Entries},
        sequence,
    },
    function::row::{Row, row},
    object::ObjectRef,
    system::memory::RoomFor,
    tensor::Tensor,
    value::any::{Any, AnyView},
    walk::addresses::Addresses,
};

/// The `DLDeviceType` of the CPU.
const CPU: i32 = 1;

/// The global function about containers of any kind.
pub(crate) const GLOBALS: &[Row] = &[row("ffi.ContainerFindFirstNonCPUDevice(0: Any) -> Device", |args| {
    let cpu = DLDevice { device_type: CPU, device_id: 0 };
    let v_device = args.look_at(0, |value| Ok(first_elsewhere(value)?.unwrap_or(cpu)))?;
    let device = TVMFFIAny { value: TVMFFIAnyValue { v_device }, ..TVMFFIAny::new(kTVMFFIDevice, 0) };
    // SAFETY: a device owns nothing.
    Ok(unsafe { Any::from_raw(device) })
})];

/// How many values are searched before containers are noted: few walks are longer, and what has been met twice until then
/// takes little.
const UNNOTED: usize = 1024;

/// How many elements are looked at twice, of a sequence that has more than leaves.
const FEW: usize = 16;

/// The device of the first tensor that is not on the CPU, depth first through sequences and the values of maps.
fn first_elsewhere(root: &AnyView<'_>) -> Result<Option<DLDevice>> {
    let mut values = match search(root) {
        Found::Container(values) => values,
        Found::Leaf(device) => return Ok(device),
    };
    // A container that was met before, be it one that the walk is in, has no news. One that has a single holder is met
    // once, unless it is the root, which the caller need not hold.
    let (mut met, mut pending) = (Addresses::default(), Vec::new());
    let mut searched = values.len();
    loop {
        let Some(value) = values.next() else {
            let Some(outer) = pending.pop() else { return Ok(None) };
            values = outer;
            continue;
        };
        match search(value) {
            Found::Leaf(None) => {}
            Found::Leaf(device) => return Ok(device),
            Found::Container(inner) => {
                let address = value.raw().payload();
                searched = searched.saturating_add(1 + inner.len());
                let is_noted = || {
                    searched > UNNOTED && !value.borrow_object_of(value.type_index()).is_some_and(ObjectRef::is_unique)
                };
                if address != root.raw().payload() && (!is_noted() || met.insert(address)?) {
                    pending.room_for(1)?;
                    pending.push(mem::replace(&mut values, inner));
                }
            }
        }
    }
}

enum Found<'a> {
    /// Nothing further is inside; the device of a tensor that is elsewhere.
    Leaf(Option<DLDevice>),
    Container(Values<'a>),
}

fn search<'a>(value: &'a AnyView<'_>) -> Found<'a> {
    if !may_hold(value.type_index()) {
        return Found::Leaf(None);
    }
    // No foreign code runs during the walk, which makes it safe to borrow what lies in the containers.
    if let Some(sequence) = value.cast_ref() {
        // SAFETY: see above.
        let elements = unsafe { sequence::borrow(sequence) };
        // Most small sequences have leaves alone, and are not worth a level.
        if elements.len() <= FEW && !elements.iter().any(|element| may_hold(element.view().type_index())) {
            Found::Leaf(None)
        } else {
            Found::Container(Values::Sequence(elements.iter()))
        }
    } else if let Some(map) = value.cast_ref() {
        // SAFETY: see above.
        Found::Container(Values::Map(unsafe { map::iter(map) }))
    } else {
        let device = value.cast_ref::<Tensor>().map(|tensor| tensor.dl_tensor().device);
        Found::Leaf(device.filter(|device| device.device_type != CPU))
    }
}

/// Whether values of a type are tensors or containers.
fn may_hold(type_index: i32) -> bool {
    matches!(type_index, kTVMFFITensor | kTVMFFIArray | kTVMFFIList | kTVMFFIMap | kTVMFFIDict)
}

/// The values in a container.
enum Values<'a> {
    Sequence(slice::Iter<'a, Any>),
    Map(Entries<'a>),
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Sequence(elements) => elements.len(),
            Self::Map(entries) => entries.len(),
        }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = &'a AnyView<'a>;

    fn next(&mut self) -> Option<&'a AnyView<'a>> {
        let value = match self {
            Self::Sequence(elements) => elements.next(),
            Self::Map(entries) => entries.next().map(|(_, value)| value),
        };
        value.map(Any::view)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use tvm_ffi_spec::DLTensor;

    use super::*;
    use crate::{
        container::{array, list},
        object::{self, Payload},
    };

    /// A tensor without anything but its description.
    #[repr(C)]
    struct Bare(DLTensor);

    // SAFETY: the type is repr(C) and begins with the description of a tensor.
    unsafe impl Payload for Bare {
        const TYPE_INDEX: i32 = kTVMFFITensor;
    }

    fn tensor(device_type: i32, device_id: i32) -> Any {
        // SAFETY: all fields are numbers and pointers, which may be zero.
        let mut description: DLTensor = unsafe { mem::zeroed() };
        description.device = DLDevice { device_type, device_id };
        object::new(Bare(description)).into()
    }

    fn found(container: &ObjectRef) -> Option<(i32, i32)> {
        let device = first_elsewhere(Any::from(container.clone()).view()).unwrap();
        device.map(|DLDevice { device_type, device_id }| (device_type, device_id))
    }

    #[rstest]
    #[case(vec![], None)]
    #[case(vec![tensor(CPU, 0), 1.into()], None)]
    #[case(vec![tensor(CPU, 0), tensor(2, 1), tensor(2, 3)], Some((2, 1)))]
    #[case(vec![array::new(vec![tensor(CPU, 0), tensor(4, 5)]).unwrap().into(), tensor(2, 1)], Some((4, 5)))]
    #[case(vec![map::new(vec![(tensor(2, 7), tensor(CPU, 0))]).unwrap().into(), tensor(2, 1)], Some((2, 1)))]
    #[case(vec![map::new_dict(vec![(1.into(), tensor(2, 8))]).unwrap().into()], Some((2, 8)))]
    fn the_first_tensor_that_is_not_on_the_cpu_counts(#[case] values: Vec<Any>, #[case] expected: Option<(i32, i32)>) {
        assert_eq!(found(&array::new(values).unwrap()), expected);
    }

    #[test]
    fn a_list_in_itself_is_searched_once() {
        let list = list::new(vec![]).unwrap();
        list::push(&list, list.clone().into()).unwrap();
        assert_eq!(found(&list), None);
        list::push(&list, tensor(2, 0)).unwrap();
        assert_eq!(found(&list), Some((2, 0)));
        list::clear(&list).unwrap();
    }

    #[test]
    fn depth_does_not_matter() {
        let inner = array::new(vec![tensor(2, 0)]).unwrap();
        let outer = (0..100_000).fold(inner, |inner, _| array::new(vec![1.into(), inner.into()]).unwrap());
        assert_eq!(found(&outer), Some((2, 0)));
    }
}
