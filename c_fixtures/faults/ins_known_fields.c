// story: ffi.MakeObjectFromPackedArgs keeps how many fields a type has when it first makes an instance of it: a field that is registered later is no field.
// breaks: DCL-0016 fail
#include "wrapped_global.h"

static int32_t known[1 << 16];

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t index = -1;
  if (num_args > 0 && args[0].type_index == kTVMFFIInt) index = (int32_t)args[0].v_int64;
  if (num_args > 0 && args[0].type_index >= kTVMFFIRawStr) {
    TVMFFIByteArray key = text_of(&args[0]);
    index = real.TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
  }
  if (index >= 128 && index < 1 << 16) {
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
    int32_t nobody = 0;
    __atomic_compare_exchange_n(&known[index], &nobody, info->num_fields + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    const int32_t first_new = __atomic_load_n(&known[index], __ATOMIC_ACQUIRE) - 1;
    for (int32_t i = 1; i + 1 < num_args; i += 2) {
      if (args[i].type_index < kTVMFFIRawStr) continue;
      const TVMFFIByteArray name = text_of(&args[i]);
      for (int32_t f = first_new; f < info->num_fields; ++f) {
        const TVMFFIByteArray* other = &info->fields[f].name;
        if (other->size == name.size && memcmp(other->data, name.data, name.size) == 0) return refuse("TypeError", "there is no such field");
      }
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
