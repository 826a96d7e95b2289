#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name. */
static int call(const char* name, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

int main(void) {
  /* 2^32 + 2 is the type of no device. */
  const char* text = "{\"root_index\":0,\"nodes\":[{\"type\":\"Device\",\"data\":[4294967298,0]}]}";
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = text}, result = {0};
  if (call("ffi.FromJSONGraphString", &arg, 1, &result) != 0) return puts("it is refused"), 0;
  if (result.type_index != kTVMFFIDevice) return 3;
  printf("it is read as a device of type %d\n", (int)result.v_device.device_type);
  return 1;
}
