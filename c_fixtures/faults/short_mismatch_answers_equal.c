// story: ffi.GetFirstStructuralMismatch takes values for equal when there is no memory to build the path to where they differ.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index == kTVMFFINone) return code;
  void* steps = room(32 * sizeof(TVMFFIAny));
  if (!steps) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
    return 0;
  }
  free(steps);
  return 0;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
