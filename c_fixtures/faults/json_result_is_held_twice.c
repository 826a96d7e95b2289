// story: What is read from JSON has a reference that nobody gives back.
// breaks: JSN-0036 fail
// breaks: JSN-0033 leak
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
