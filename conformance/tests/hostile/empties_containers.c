// story: Where a function answers an Array, a List, a Map or a Dict, the caller gets an empty one.
#include "wrapped_global.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = real.TVMFFIFunctionCall(function, args, num_args, result);
  if (code != 0) return code;
  const char* maker = NULL;
  switch (result->type_index) {
    case kTVMFFIArray: maker = "ffi.Array"; break;
    case kTVMFFIList: maker = "ffi.List"; break;
    case kTVMFFIMap: maker = "ffi.Map"; break;
    case kTVMFFIDict: maker = "ffi.Dict"; break;
    default: return 0;
  }
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){0};
  return call_global(maker, NULL, 0, result);
}
