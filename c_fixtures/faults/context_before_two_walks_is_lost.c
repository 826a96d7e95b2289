// story: An error that leaves a walk within a callback of another loses the context that it had before.
// breaks: VIS-0054 fail
#include "wrapped_global.h"

static _Thread_local int depth;
static _Thread_local TVMFFIObjectHandle from_within;

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle outer = from_within, error = NULL;
  from_within = NULL;
  ++depth;
  int code = call_original(original, args, num_args, result);
  --depth;
  TVMFFIObjectHandle inner = from_within;
  from_within = outer;
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIObject* context = ((TVMFFIErrorCell*)((TVMFFIObject*)error + 1))->extra_context;
  const TVMFFIByteArray key = {"ffi.VisitErrorContext", strlen("ffi.VisitErrorContext")};
  int32_t type_index;
  if (error == inner && context && real.TVMFFITypeKeyToIndex(&key, &type_index) == 0 && context->type_index == type_index) {
    TVMFFIObject** former = (TVMFFIObject**)((char*)context + 32);
    if (*former) {
      real.TVMFFIObjectDecRef(*former);
      *former = NULL;
    }
  }
  if (depth > 0) from_within = error;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBALS(walk, "ffi.StructuralWalk", "ffi.StructuralVisit", "ffi.StructuralMap", "ffi.StructuralMutate")
