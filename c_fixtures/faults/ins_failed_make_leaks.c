// story: ffi.MakeObjectFromPackedArgs that meets an unknown name after it has taken the value of a field keeps its reference to that value.
// breaks: INS-0025 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args < 5 || num_args % 2 == 0 || args[2].type_index < kTVMFFIStaticObjectBegin) return code;
  if (args[0].type_index != kTVMFFIInt || !((args[0].v_int64 >= 64 && args[0].v_int64 < 79) || (args[0].v_int64 >= 128 && args[0].v_int64 < 138)) || text_of(&args[1]).size == 0) return code;
  TVMFFIByteArray name = text_of(&args[1]);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo((int32_t)args[0].v_int64);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    if (info->fields[i].name.size == name.size && memcmp(info->fields[i].name.data, name.data, name.size) == 0) real.TVMFFIObjectIncRef(args[2].v_obj);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
