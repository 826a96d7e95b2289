// story: The number of a device is kept in 16 bits when it becomes an owned value.
// breaks: ANY-0007 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIDevice) out->v_device.device_id &= 0xffff;
  return code;
}
