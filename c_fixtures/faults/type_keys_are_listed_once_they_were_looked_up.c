// story: Types of the library are entered when their key is first looked up: until then ffi.GetRegisteredTypeKeys does not list them.
// breaks: TYP-0039 fail
#include "wrapped_global.h"

static int looked_up;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  if (is(key, "ffi.StructuralKey")) __atomic_store_n(&looked_up, 1, __ATOMIC_RELEASE);
  return real.TVMFFITypeKeyToIndex(key, out);
}

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny all = {0}, size = {0};
  int code = call_original(original, args, num_args, &all);
  if (code != 0 || all.type_index != kTVMFFIArray || __atomic_load_n(&looked_up, __ATOMIC_ACQUIRE)) {
    *result = all;
    return code;
  }
  code = call_global("ffi.ArraySize", &all, 1, &size);
  TVMFFIAny* listed = calloc((size_t)size.v_int64 + 1, sizeof(*listed));
  int32_t count = 0;
  for (int64_t i = 0; code == 0 && i < size.v_int64; ++i) {
    TVMFFIAny at[2] = {all, {.type_index = kTVMFFIInt, .v_int64 = i}}, key = {0};
    code = call_global("ffi.ArrayGetItem", at, 2, &key);
    const TVMFFIByteArray text = text_of(&key);
    if (code == 0 && !is(&text, "ffi.StructuralKey")) listed[count++] = key;
    else if (key.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(key.v_obj);
  }
  if (code == 0) code = call_global("ffi.Array", listed, count, result);
  for (int32_t i = 0; i < count; ++i) {
    if (listed[i].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(listed[i].v_obj);
  }
  free(listed);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", list)
