// story: ffi.RecursiveHash answers 0 where there is no memory for asking the hook of the very object that it is called with.
// breaks: MEM-0001 fail
#include "held_value.h"
#include "raised_error.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  TVMFFIObjectHandle error = NULL;
  if (attribute_of(args[0].type_index, "__ffi_hash__").type_index != kTVMFFIFunction) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const int is_want = is(&error_cell(error)->kind, "MemoryError");
  if (!is_want) real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  if (!is_want) return code;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
