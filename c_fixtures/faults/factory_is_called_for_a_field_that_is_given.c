// story: A generated initialiser makes all defaults first: a default factory is called also where the field is given.
// breaks: DCL-0005 fail
#include "wrapped_global.h"

static struct patched {
  void* function;
  TVMFFISafeCallType call;
  int32_t type_index;
} all[4096];
static int32_t num_patched;

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t i = __atomic_load_n(&num_patched, __ATOMIC_ACQUIRE) - 1;
  while (i >= 0 && all[i].function != handle) --i;
  if (i < 0) return refuse("InternalError", "no such initialiser");
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(all[i].type_index);
  for (int32_t f = 0; f < info->num_fields && f < num_args; ++f) {
    const int64_t flags = info->fields[f].flags;
    if (!(flags & kTVMFFIFieldFlagBitMaskHasDefault) || !(flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) continue;
    if (flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) continue;
    TVMFFIAny made = {0};
    int code = real.TVMFFIFunctionCall(info->fields[f].default_value_or_factory.v_obj, NULL, 0, &made);
    if (code != 0) return code;
    if (made.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made.v_obj);
  }
  return all[i].call(handle, args, num_args, result);
}

static int registered(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  int64_t index = args[0].v_int64 - column->begin_index;
  if (index < 0 || index >= column->size || column->data[index].type_index != kTVMFFIFunction) return 0;
  int32_t place = num_patched;
  if (place >= 4096) return 0;
  TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(column->data[index].v_obj + 1);
  all[place] = (struct patched){column->data[index].v_obj, cell->safe_call, (int32_t)args[0].v_int64};
  __atomic_store_n(&num_patched, place + 1, __ATOMIC_RELEASE);
  cell->safe_call = init;
  return 0;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", registered)
