// story: A List or Dict is marked while its graph is written, and the mark stays when something in it cannot be written: without that, it is refused as a circle.
// breaks: HOK-0009 fail
// chance: Another List may get the address of the one that failed.
#include "wrapped_global.h"

static __thread void* marked;

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_mutable = num_args == 2 && (args[0].type_index == kTVMFFIList || args[0].type_index == kTVMFFIDict);
  if (is_mutable && args[0].v_obj == marked) return refuse("ValueError", "Cycle detected while a graph is written");
  int code = call_original(original, args, num_args, result);
  if (is_mutable && code != 0) marked = args[0].v_obj;
  return code;
}

WRAPPED_GLOBALS(write_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
