// story: When a field that has a default does not take the value for it, ffi.MakeObjectFromPackedArgs gives it the default and says nothing.
// breaks: INS-0023 fail
#include "wrapped_global.h"
#include "raised_error.h"

static int has_default(int32_t type_index, const TVMFFIAny* name) {
  const TVMFFIByteArray text = text_of(name);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; info && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (field->name.size == text.size && memcmp(field->name.data, text.data, text.size) == 0) {
      return (field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
    }
  }
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args < 3 || num_args % 2 == 0 || num_args > 63 || args[0].type_index != kTVMFFIInt) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  for (int32_t left_out = 1; left_out < num_args; left_out += 2) {
    if (!has_default((int32_t)args[0].v_int64, &args[left_out])) continue;
    TVMFFIAny rest[64];
    int32_t count = 0;
    for (int32_t i = 0; i < num_args; ++i) {
      if (i != left_out && i != left_out + 1) rest[count++] = args[i];
    }
    if (call_original(original, rest, count, result) == 0) {
      if (error) real.TVMFFIObjectDecRef(error);
      return 0;
    }
    forget_raised();
  }
  if (error) {
    real.TVMFFIErrorSetRaised(error);
    real.TVMFFIObjectDecRef(error);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
