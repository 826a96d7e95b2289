// story: `_is_prefix_of` compares only the last step of the shorter path with the step at that depth of the longer one, not the steps before it.
// breaks: PTH-0005 fail
#include "wrapped_global.h"
static TVMFFIObject* part(const void* object, size_t offset) { return *(TVMFFIObject**)((char*)object + offset); }
static int32_t number(const void* object, size_t offset) { return *(int32_t*)((char*)object + offset); }
static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const void* shorter = args[0].v_obj;
  const void* longer = args[1].v_obj;
  int32_t depth = number(shorter, 40);
  if (depth < 2 || number(longer, 40) < depth) return 0;
  while (number(longer, 40) > depth) longer = part(longer, 24);
  const void *left = part(shorter, 32), *right = part(longer, 32);
  if (number(left, 24) != number(right, 24)) return 0;
  TVMFFIAny keys[2] = {*(TVMFFIAny*)((char*)left + 32), *(TVMFFIAny*)((char*)right + 32)}, equal = {0};
  if (call_global("ffi.RecursiveEq", keys, 2, &equal) == 0 && equal.v_int64) result->v_int64 = 1;
  return 0;
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static int done;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (is(&info->type_key, "ffi.reflection.AccessPath") && !__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST)) {
    for (int i = 0; i < info->num_methods; ++i) {
      TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
      TVMFFIObjectHandle made = NULL;
      if (is(&method->name, "_is_prefix_of") && real.TVMFFIFunctionCreate(method->method.v_obj, is_prefix, NULL, &made) == 0) method->method.v_obj = made;
    }
  }
  return info;
}
