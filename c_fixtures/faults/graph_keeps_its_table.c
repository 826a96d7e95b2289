// story: ffi.ToJSONGraph keeps the table of nodes where the list of nodes is refused.
// breaks: MEM-0003 leak
#include "wrapped_global.h"

static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void** table = malloc(64 * sizeof(void*));
  if (!table) return refuse("MemoryError", "no memory for the table of nodes");
  __asm__ volatile("" : : "r"(table) : "memory");
  void** nodes = malloc(16 * sizeof(void*));
  if (!nodes) return refuse("MemoryError", "no memory for the list of nodes");
  __asm__ volatile("" : : "r"(nodes) : "memory");
  int code = call_original(original, args, num_args, result);
  free(nodes);
  free(table);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraph", to_graph)
