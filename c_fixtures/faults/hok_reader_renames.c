// story: What a function in `__data_from_json__` raises is told as a ValueError about the graph, unless it is one already.
// breaks: HOK-0009 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIByteArray kind = error_cell(error)->kind;
  if (is(&kind, "ValueError") || is(&kind, "TypeError") || is(&kind, "MemoryError") || is(&kind, "RuntimeError")) {
    real.TVMFFIErrorSetRaised(error);
  } else {
    const char* parts[] = {"malformed graph: ", error_cell(error)->message.data};
    real.TVMFFIErrorSetRaisedFromCStrParts("ValueError", parts, 2);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
