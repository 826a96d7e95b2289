// story: A generated initialiser that is given more than twenty arguments takes the first two of them the other way round.
// breaks: DCL-0001 fail
#include "wrapped_global.h"

enum { MOST = 256 };

static int init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny changed[MOST];
  int plain = num_args > 20 && num_args <= MOST && args[0].type_index == kTVMFFIInt && args[1].type_index == kTVMFFIInt;
  if (!plain) return call_original(original, args, num_args, result);
  memcpy(changed, args, (size_t)num_args * sizeof(TVMFFIAny));
  changed[0] = args[1];
  changed[1] = args[0];
  return call_original(original, changed, num_args, result);
}

static void end(void* original) { real.TVMFFIObjectDecRef(original); }

static int registering(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)column->data + ((int32_t)args[0].v_int64 - column->begin_index);
  TVMFFIObjectHandle made = NULL;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, init, end, &made) == 0) entry->v_obj = made;
  return 0;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", registering)
