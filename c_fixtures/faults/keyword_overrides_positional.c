// story: A generated initialiser looks for names that are given twice among the keyword arguments alone: one that a positional argument has filled is filled again.
// breaks: DCL-0009 fail
#include "patched_function.h"

enum { MOST = 64 };

/** The names of the positional parameters, those without a default first. */
static int positional(const TVMFFITypeInfo* info, TVMFFIByteArray* names) {
  int n = 0;
  for (int with_default = 0; with_default < 2; ++with_default) {
    for (int32_t level = 1; level <= info->type_depth; ++level) {
      const TVMFFITypeInfo* one = level < info->type_depth ? info->type_ancestors[level] : info;
      for (int32_t i = 0; i < one->num_fields && n < MOST; ++i) {
        const int64_t flags = one->fields[i].flags;
        if (flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) continue;
        if (((flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) == with_default) names[n++] = one->fields[i].name;
      }
    }
  }
  return n;
}

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* found = patched(handle);
  if (!found) return -1;
  TVMFFIAny all[MOST * 4], sentinel = {0};
  TVMFFIByteArray names[MOST];
  int32_t at = 0, n = 0;
  if (num_args > MOST * 4 || call_global("ffi.GetKwargsObject", NULL, 0, &sentinel) != 0) return found->call(handle, args, num_args, result);
  while (at < num_args && args[at].v_obj != sentinel.v_obj) ++at;
  real.TVMFFIObjectDecRef(sentinel.v_obj);
  const int num_names = positional(real.TVMFFIGetTypeInfo(found->type_index), names);
  if (at == num_args || (num_args - at) % 2 == 0 || at > num_names) return found->call(handle, args, num_args, result);
  for (int32_t i = 0; i <= at; ++i) all[n++] = args[i];
  for (int32_t i = at + 1; i < num_args; i += 2) {
    const TVMFFIByteArray name = text_of(&args[i]);
    int32_t place = 0;
    while (place < at && !(names[place].size == name.size && memcmp(names[place].data, name.data, name.size) == 0)) ++place;
    if (place < at) {
      all[place] = args[i + 1];
    } else {
      all[n++] = args[i];
      all[n++] = args[i + 1];
    }
  }
  return found->call(handle, all, n, result);
}

static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", init);
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
