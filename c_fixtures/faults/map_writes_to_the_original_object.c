// story: A map of an object with two plain fields writes what it has made into the object as well as into the copy.
// breaks: VIS-0046 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  if (result->type_index != args[0].type_index || result->v_obj == args[0].v_obj) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    if (info->fields[i].size != sizeof(TVMFFIAny)) continue;
    TVMFFIAny* to = (TVMFFIAny*)((char*)args[0].v_obj + info->fields[i].offset);
    TVMFFIAny* from = (TVMFFIAny*)((char*)result->v_obj + info->fields[i].offset);
    if (to->type_index == kTVMFFIInt && from->type_index == kTVMFFIInt) *to = *from;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
