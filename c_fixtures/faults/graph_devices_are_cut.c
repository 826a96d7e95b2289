// story: Of a device in a JSON graph the low 32 bits of each number are taken.
// breaks: GRF-0018 fail
#include "wrapped_global.h"

static int from_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char before[] = "\"type\":\"Device\",\"data\":[";
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  const TVMFFIByteArray text = text_of(&args[0]);
  char copy[256] = "";
  memcpy(copy, text.data, text.size < sizeof(copy) - 1 ? text.size : sizeof(copy) - 1);
  const char* device = strstr(copy, before);
  long long type = 0, id = 0;
  if (device == NULL || sscanf(device + sizeof(before) - 1, "%lld,%lld]", &type, &id) != 2) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = {(DLDeviceType)(int32_t)type, (int32_t)id}};
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", from_text)
