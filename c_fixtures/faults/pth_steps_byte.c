// story: `_to_steps` counts the steps of a path in a byte: of a path of 256 steps and more it answers only as many as are left modulo 256.
// breaks: PTH-0004 fail
#include "wrapped_global.h"
static int to_steps(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || sequence_cell(result)->size < 256) return code;
  TVMFFIAny all = *result;
  *result = (TVMFFIAny){0};
  code = call_global("ffi.Array", sequence_cell(&all)->data, (int32_t)(sequence_cell(&all)->size % 256), result);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static int done;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (is(&info->type_key, "ffi.reflection.AccessPath") && !__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST)) {
    for (int i = 0; i < info->num_methods; ++i) {
      TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
      TVMFFIObjectHandle made = NULL;
      if (is(&method->name, "_to_steps") && real.TVMFFIFunctionCreate(method->method.v_obj, to_steps, NULL, &made) == 0) method->method.v_obj = made;
    }
  }
  return info;
}
