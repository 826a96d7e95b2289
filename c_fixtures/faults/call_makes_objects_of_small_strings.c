// story: A call makes objects of the small strings among its arguments.
// breaks: STR-0022 fail
// breaks: FUN-0007 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny copies[4];
  if (num_args < 1 || num_args > 4) return real.TVMFFIFunctionCall(func, args, num_args, result);
  static _Thread_local struct {
    TVMFFIObject header;
    TVMFFIByteArray cell;
    char text[8];
  } objects[4];
  for (int i = 0; i < num_args; i++) {
    copies[i] = args[i];
    if (args[i].type_index != kTVMFFISmallStr) continue;
    objects[i].header = (TVMFFIObject){(uint64_t)1 << 32 | 1000, kTVMFFIStr, 0, {NULL}};
    memcpy(objects[i].text, args[i].v_bytes, 8);
    objects[i].cell = (TVMFFIByteArray){objects[i].text, args[i].small_str_len};
    copies[i] = (TVMFFIAny){.type_index = kTVMFFIStr, .v_obj = &objects[i].header};
  }
  return real.TVMFFIFunctionCall(func, copies, num_args, result);
}
