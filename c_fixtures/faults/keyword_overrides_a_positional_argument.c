// story: A generated initialiser refuses a name that is given twice, but not one that was given by place as well: the named value counts.
// breaks: DCL-0009 fail
#include "held_value.h"
#include "patched_function.h"

enum { MOST = 64 };

/** The place of the parameter with the name: those without a default come first. Types below others are left alone. */
static int32_t place_of(const TVMFFITypeInfo* info, TVMFFIByteArray name) {
  int32_t place = 0;
  for (int with_default = 0; with_default < 2; ++with_default) {
    for (int32_t i = 0; i < info->num_fields && info->type_depth == 1; ++i) {
      const TVMFFIFieldInfo* field = &info->fields[i];
      if (field->flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) continue;
      if (!!(field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != with_default) continue;
      if (field->name.size == name.size && memcmp(field->name.data, name.data, name.size) == 0) return place;
      ++place;
    }
  }
  return MOST;
}

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* function = patched(handle);
  TVMFFIAny mark = {0}, own[MOST];
  int32_t positional = 0, count;
  if (!function || call_global("ffi.GetKwargsObject", NULL, 0, &mark) != 0) return -1;
  while (positional < num_args && args[positional].v_obj != mark.v_obj) ++positional;
  give_up(mark);
  if (positional == num_args || num_args > MOST) return function->call(handle, args, num_args, result);
  memcpy(own, args, (size_t)num_args * sizeof(TVMFFIAny));
  count = positional + 1;
  for (int32_t i = positional + 1; i + 1 < num_args; i += 2) {
    const int32_t place = place_of(real.TVMFFIGetTypeInfo(function->type_index), text_of(&args[i]));
    if (place < positional) own[place] = args[i + 1];
    if (place < positional) continue;
    own[count++] = args[i];
    own[count++] = args[i + 1];
  }
  return function->call(handle, own, count, result);
}

PATCHES_CLASSES(register_init, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
