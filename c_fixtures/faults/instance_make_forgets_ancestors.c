// story: An object that is made of names and values gets its own fields; those of its ancestors are dropped.
// breaks: INS-0026 fail
#include "wrapped_global.h"

static int32_t type_of(const TVMFFIAny* value) {
  const TVMFFIByteArray key = text_of(value);
  int32_t index = 0;
  if (value->type_index == kTVMFFIInt) return (int32_t)value->v_int64;
  return key.size > 0 && real.TVMFFITypeKeyToIndex(&key, &index) == 0 ? index : 0;
}

static int is_own_field(const TVMFFITypeInfo* info, const TVMFFIAny* name) {
  const TVMFFIByteArray text = text_of(name);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIByteArray field = info->fields[i].name;
    if (field.size == text.size && memcmp(field.data, text.data, text.size) == 0) return 1;
  }
  return 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t index = num_args > 0 ? type_of(&args[0]) : 0;
  const TVMFFITypeInfo* info = index > kTVMFFIDynObjectBegin ? real.TVMFFIGetTypeInfo(index) : NULL;
  if (info == NULL || info->type_depth < 2 || num_args > 16) return call_original(original, args, num_args, result);
  TVMFFIAny kept[16] = {args[0]};
  int32_t num_kept = 1;
  for (int32_t i = 1; i + 1 < num_args; i += 2) {
    if (!is_own_field(info, &args[i])) continue;
    kept[num_kept++] = args[i];
    kept[num_kept++] = args[i + 1];
  }
  return call_original(original, kept, num_kept, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", callee)
