// story: A generated initialiser that is given one name twice among its named arguments takes the last value instead of raising an error.
// breaks: DCL-0009 fail
#include "wrapped_global.h"
static int init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny marker = {0};
  if (num_args < 5 || call_global("ffi.GetKwargsObject", NULL, 0, &marker) != 0) return call_original(original, args, num_args, result);
  int32_t at = 0;
  while (at < num_args && !(args[at].type_index == marker.type_index && args[at].v_obj == marker.v_obj)) ++at;
  real.TVMFFIObjectDecRef(marker.v_obj);
  TVMFFIAny* kept = malloc(sizeof(TVMFFIAny) * num_args);
  int32_t count = 0;
  for (int32_t i = 0; i < num_args; ++i) {
    if (i > at && (i - at) % 2 == 1 && i + 1 < num_args) {
      TVMFFIByteArray name = text_of(&args[i]);
      int again = 0;
      for (int32_t j = i + 2; j < num_args; j += 2) {
        TVMFFIByteArray other = text_of(&args[j]);
        again |= other.size == name.size && memcmp(other.data, name.data, name.size) == 0;
      }
      if (again) { ++i; continue; }
    }
    kept[count++] = args[i];
  }
  int code = call_original(original, kept, count, result);
  free(kept);
  return code;
}
static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[args[0].v_int64];
  TVMFFIObjectHandle made = NULL;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, init, NULL, &made) == 0) entry->v_obj = made;
  return 0;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
