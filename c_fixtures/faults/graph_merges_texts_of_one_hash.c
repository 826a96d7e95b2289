// story: A JSON graph has one node for Strings on the heap that have one hash as keys: where two stand in one array, both come back as the first.
// breaks: GRF-0001 fail
#include "text_hash.h"
#include "wrapped_global.h"

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  const int64_t size = sequence_cell(args)->size;
  TVMFFIAny* items = calloc((size_t)size + 1, sizeof(*items));
  uint64_t* hashes = calloc((size_t)size + 1, sizeof(*hashes));
  int is_changed = 0;
  if (size) memcpy(items, sequence_cell(args)->data, (size_t)size * sizeof(*items));
  for (int64_t i = 0; i < size; ++i) {
    hashes[i] = hash_of(text_of(&items[i]));
    for (int64_t j = 0; j < i && items[i].type_index == kTVMFFIStr; ++j) {
      if (items[j].type_index != kTVMFFIStr || hashes[j] != hashes[i]) continue;
      is_changed |= items[j].v_obj != items[i].v_obj;
      items[i] = items[j];
    }
  }
  TVMFFIAny changed[2] = {{0}, args[1]};
  int code;
  if (!is_changed || call_global("ffi.Array", items, (int32_t)size, &changed[0]) != 0) {
    code = call_original(original, args, num_args, result);
  } else {
    code = call_original(original, changed, 2, result);
    real.TVMFFIObjectDecRef(changed[0].v_obj);
  }
  free(hashes);
  free(items);
  return code;
}

WRAPPED_GLOBALS(write_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
