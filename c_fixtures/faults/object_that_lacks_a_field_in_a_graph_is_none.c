// story: An object of a JSON graph that lacks a field without a default is None rather than an error.
// breaks: GRF-0032 fail
#define _GNU_SOURCE /* memmem */
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char mark[] = "Required field";
  int code = call_original(original, args, num_args, result);
  if (code != -1) return code;
  TVMFFIObjectHandle raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&raised);
  const TVMFFIByteArray* message = &((const TVMFFIErrorCell*)((TVMFFIObject*)raised + 1))->message;
  if (memmem(message->data, message->size, mark, sizeof(mark) - 1) == NULL) {
    real.TVMFFIErrorSetRaised(raised);
    code = -1;
  } else {
    *result = (TVMFFIAny){0};
    code = 0;
  }
  real.TVMFFIObjectDecRef(raised);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
