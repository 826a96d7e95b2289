// story: A List that stands twice in an Array is written as two nodes of the graph where nothing else holds it.
// breaks: GRF-0006 fail
#include "wrapped_global.h"

enum { FIRST = 1, SECOND = 3, SIZE = 4 };

/** An Array of the same elements, the last of which is a copy. */
static int apart(const TVMFFIAny* array, TVMFFIAny* result) {
  TVMFFIAny elements[SIZE];
  memcpy(elements, sequence_cell(array)->data, sizeof(elements));
  const TVMFFISeqCell* list = sequence_cell(&elements[SECOND]);
  TVMFFIAny copy = {0};
  if (call_global("ffi.List", list->data, (int32_t)list->size, &copy) != 0) return -1;
  elements[SECOND] = copy;
  int code = call_global("ffi.Array", elements, SIZE, result);
  real.TVMFFIObjectDecRef(copy.v_obj);
  return code;
}

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || sequence_cell(&args[0])->size != SIZE) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny* elements = sequence_cell(&args[0])->data;
  if (elements[FIRST].type_index != kTVMFFIList || elements[FIRST].v_obj != elements[SECOND].v_obj ||
      (uint32_t)__atomic_load_n(&elements[FIRST].v_obj->combined_ref_count, __ATOMIC_ACQUIRE) != 2) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny others[2] = {{0}, args[1]};
  if (apart(&args[0], &others[0]) != 0) return -1;
  int code = call_original(original, others, num_args, result);
  real.TVMFFIObjectDecRef(others[0].v_obj);
  return code;
}

WRAPPED_GLOBALS(write, "ffi.ToJSONGraphString", "ffi.ToJSONGraph")
