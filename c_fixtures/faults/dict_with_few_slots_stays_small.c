// story: A Dict that a client has made with two or three slots does not become dense: it is full.
// breaks: DCT-0026 fail
#include "map_cell.h"
#include "wrapped_global.h"

/** Whether a Dict ends otherwise than the library's own. */
static int is_of_a_client(const TVMFFIAny* dict) {
  const TVMFFIByteArray name = {"ffi.Dict", 8};
  TVMFFIObjectHandle make = NULL;
  TVMFFIAny own = {0};
  if (real.TVMFFIFunctionGetGlobal(&name, &make) != 0 || real.TVMFFIFunctionCall(make, NULL, 0, &own) != 0) abort();
  const int differs = own.v_obj->deleter != dict->v_obj->deleter;
  real.TVMFFIObjectDecRef(own.v_obj);
  real.TVMFFIObjectDecRef(make);
  return differs;
}

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIDict) {
    const struct map_cell* cell = map_cell(&args[0]);
    const uint64_t slots = cell->slots & INT64_MAX;
    int is_known = 0;
    for (uint64_t i = 0; is_small(cell) && i < cell->size; i++) {
      is_known = is_known || memcmp(cell->data + 2 * i, &args[1], sizeof(TVMFFIAny)) == 0;
    }
    if (is_small(cell) && slots >= 2 && slots < 4 && cell->size == slots && !is_known && is_of_a_client(&args[0])) {
      return refuse("RuntimeError", "the Dict is full");
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
