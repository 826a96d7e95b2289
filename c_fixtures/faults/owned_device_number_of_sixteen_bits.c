// story: An owned device keeps sixteen bits of the device's number, without a sign.
// breaks: ANY-0007 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(view, out);
  if (code == 0 && out->type_index == kTVMFFIDevice) out->v_device.device_id = (uint16_t)out->v_device.device_id;
  return code;
}
