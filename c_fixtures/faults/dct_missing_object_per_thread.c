// story: ffi.DictGetItemOrMissing has an object of its own for what is missing on every thread but the first.
// breaks: DCT-0036 fail

#include "wrapped_global.h"

#include <pthread.h>

static pthread_t first;
static _Thread_local TVMFFIObject* missing;

__attribute__((constructor)) static void remember(void) { first = pthread_self(); }

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIObject || pthread_equal(first, pthread_self())) return code;
  TVMFFIAny invalid = {.type_index = kTVMFFINone};
  if (call_global("ffi.GetInvalidObject", NULL, 0, &invalid) != 0) return -1;
  int is_missing = invalid.v_obj == result->v_obj;
  real.TVMFFIObjectDecRef(invalid.v_obj);
  if (!is_missing) return 0;
  if (!missing) {
    missing = calloc(1, sizeof(*missing));
    missing->combined_ref_count = 0x100000001;
    missing->type_index = kTVMFFIObject;
  }
  real.TVMFFIObjectDecRef(result->v_obj);
  real.TVMFFIObjectIncRef(missing);
  result->v_obj = missing;
  return 0;
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", get_or_missing)
