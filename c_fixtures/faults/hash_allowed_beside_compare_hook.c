// story: ffi.RecursiveHash looks only for __ffi_eq__ before it hashes an object without __ffi_hash__, so one with __ffi_compare__ alone gets a hash.
// breaks: HOK-0020 fail
#include "wrapped_global.h"

static int has(const char* name, int32_t type_index) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){name, strlen(name)});
  int32_t at = column ? type_index - column->begin_index : -1;
  return at >= 0 && at < column->size && column->data[at].type_index != kTVMFFINone;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  int32_t index = args[0].type_index;
  if (!has("__ffi_compare__", index) || has("__ffi_eq__", index) || has("__ffi_hash__", index)) return code;
  real.TVMFFIErrorSetRaised(NULL);
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = (int64_t)real.TVMFFIGetTypeInfo(index)->type_key_hash;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
