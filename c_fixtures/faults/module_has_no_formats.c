// story: Modules answer None for the formats that they can be written in.
// breaks: MOD-0049 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle formats;
  const TVMFFIByteArray name = {"ffi.ModuleGetWriteFormats", 25};
  if (formats == NULL) real.TVMFFIFunctionGetGlobal(&name, &formats);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && func == formats) {
    TVMFFIAny none = {.type_index = kTVMFFINone};
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = none;
  }
  return code;
}
