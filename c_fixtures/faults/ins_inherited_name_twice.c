// story: ffi.MakeObjectFromPackedArgs lets the last of two values for an inherited field count where it should refuse the name.
// breaks: INS-0021 fail

#include "wrapped_global.h"

static int is_inherited(const TVMFFIAny* type, const TVMFFIByteArray* name) {
  int32_t index = (int32_t)type->v_int64;
  if (type->type_index != kTVMFFIInt) {
    TVMFFIByteArray key = text_of(type);
    const TVMFFIAny none = {.type_index = kTVMFFINone};
    (void)none;
    index = real.TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
    if (index < 0) return 0;
  }
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    if (info->fields[i].name.size == name->size && !memcmp(info->fields[i].name.data, name->data, name->size)) return 0;
  }
  return 1;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args < 5 || num_args % 2 == 0) return code;
  TVMFFIByteArray last = text_of(&args[num_args - 2]), name = text_of(&args[num_args - 4]);
  if (!name.size || name.size != last.size || memcmp(name.data, last.data, name.size) != 0) return code;
  if (!is_inherited(&args[0], &name)) return code;
  TVMFFIAny fewer[64];
  if (num_args > 64) return code;
  memcpy(fewer, args, (size_t)(num_args - 4) * sizeof(*args));
  memcpy(fewer + num_args - 4, args + num_args - 2, 2 * sizeof(*args));
  return call_original(original, fewer, num_args - 2, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
