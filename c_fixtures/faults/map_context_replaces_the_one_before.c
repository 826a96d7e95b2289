// story: The context of a failed structural map takes the place of the one that the error had, which is dropped; a walk keeps it.
// breaks: VIS-0054 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  const TVMFFIByteArray key = {"ffi.VisitErrorContext", 21};
  TVMFFIObjectHandle error = NULL;
  int32_t type_index = -1;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIObject* context = error_cell(error)->extra_context;
  if (real.TVMFFITypeKeyToIndex(&key, &type_index) == 0 && context && context->type_index == type_index) {
    TVMFFIObjectHandle* before = (TVMFFIObjectHandle*)(context + 1) + 1;
    if (*before) real.TVMFFIObjectDecRef(*before);
    *before = NULL;
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
