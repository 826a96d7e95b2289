// story: ffi.FromJSONGraph makes a BigInt of one word of a node of that type whose integer fits in 64 bits.
// breaks: BIG-0024 fail
#include "map_entries.h"
#include "wrapped_global.h"

/* Makes an integer of two words, and takes one away. */
static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIInt || args[0].type_index != kTVMFFIMap) return code;
  const TVMFFIAny nodes = value_at(&args[0], "nodes"), root = value_at(&args[0], "root_index");
  const TVMFFIAny type = value_at((TVMFFIAny*)sequence_cell(&nodes)->data + root.v_int64, "type");
  const TVMFFIByteArray key = text_of(&type);
  if (!is(&key, "ffi.BigInt")) return 0;
  const int64_t words[2] = {result->v_int64, 1};
  const TVMFFIByteArray array = {(const char*)words, sizeof(words)};
  if ((code = real.TVMFFIBigIntFromByteArray(&array, result)) == 0) *(int64_t*)(result->v_obj + 1) = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
