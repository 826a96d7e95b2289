//! Devices as texts: `cuda:1`.

use tvm_ffi_spec::*;

/// The names that stand for kinds of devices.
const NAMES: &[(&[u8], i32)] = &[
    (b"cpu", kDLCPU),
    (b"cuda", kDLCUDA),
    (b"opencl", kDLOpenCL),
    (b"vulkan", kDLVulkan),
    (b"metal", kDLMetal),
    (b"mps", kDLMetal),
    (b"vpi", kDLVPI),
    (b"rocm", kDLROCM),
    (b"ext_dev", kDLExtDev),
    (b"hexagon", kDLHexagon),
    (b"wgpu", kDLWebGPU),
    (b"webgpu", kDLWebGPU),
    (b"maia", kDLMAIA),
    (b"trn", kDLTrn),
];

/// The device of a name and, behind a colon, a number that is 0 if left out. What follows a blank does not count.
pub fn parse(text: &[u8]) -> Option<DLDevice> {
    let text = text.split(|byte| *byte == b' ').next()?;
    let mut parts = text.split(|byte| *byte == b':');
    let name = parts.next()?;
    let device_type = NAMES.iter().find(|(known, _)| *known == name)?.1;
    let number = parts.next().unwrap_or(b"0");
    let is_number = parts.next().is_none() && number.iter().all(u8::is_ascii_digit);
    let device_id = std::str::from_utf8(number).ok().filter(|_| is_number)?.parse().ok()?;
    Some(DLDevice { device_type, device_id })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("cpu", Some((1, 0)))]
    #[case("cuda:3", Some((2, 3)))]
    #[case("mps:0 and more", Some((8, 0)))]
    #[case("cuda:2147483647", Some((2, i32::MAX)))]
    #[case("cuda:2147483648", None)]
    #[case("cuda:", None)]
    #[case("cuda:1:2", None)]
    #[case("cuda:-1", None)]
    #[case("cuda:+1", None)]
    #[case(":1", None)]
    #[case("", None)]
    #[case("gpu", None)]
    fn texts_stand_for_devices(#[case] text: &str, #[case] expected: Option<(i32, i32)>) {
        let device = parse(text.as_bytes()).map(|device| (device.device_type, device.device_id));
        assert_eq!(device, expected);
    }
}
