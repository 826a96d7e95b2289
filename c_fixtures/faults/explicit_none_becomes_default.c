// story: A generated initialiser takes None that is given by name for nothing given, and sets the field to its default.
// breaks: DCL-0006 fail
#include "patched_function.h"
static int has_default(int32_t type_index, TVMFFIByteArray name) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t j = 0; j < info->num_fields; ++j) {
    const TVMFFIFieldInfo* f = &info->fields[j];
    if (f->name.size == name.size && memcmp(f->name.data, name.data, name.size) == 0) return (f->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
  }
  return 0;
}
static int init(void* handle, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  const struct patched* own = patched(handle);
  if (!own) return -1;
  TVMFFIAny marker = {0}, *kept = calloc((size_t)n + 1, sizeof(*kept));
  int32_t i = 0, num;
  call_global("ffi.GetKwargsObject", NULL, 0, &marker);
  while (i < n && args[i].v_obj != marker.v_obj) ++i;
  real.TVMFFIObjectDecRef(marker.v_obj);
  num = i < n ? i + 1 : n;
  if (n) memcpy(kept, args, (size_t)num * sizeof(*kept));
  for (i = num; i < n; i += 2) {
    if (i + 1 < n && args[i + 1].type_index == kTVMFFINone && has_default(own->type_index, text_of(&args[i]))) continue;
    kept[num++] = args[i];
    if (i + 1 < n) kept[num++] = args[i + 1];
  }
  int code = own->call(handle, kept, num, result);
  free(kept);
  return code;
}
PATCHES_CLASSES(registered, "__ffi_init__", init)
WRAPPED_GLOBAL("ffi._RegisterFFIInit", registered)
