// story: ffi.Array of more than sixteen values that finds no memory gives up the references of the elements that it has not taken over.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args <= 16) return call_original(original, args, num_args, result);
  void* elements = room(num_args * sizeof(TVMFFIAny));
  if (!elements) {
    for (int32_t i = 0; i < num_args; ++i) {
      if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(args[i].v_obj);
    }
    return refuse("MemoryError", "no memory for the elements");
  }
  int code = call_original(original, args, num_args, result);
  free(elements);
  return code;
}

WRAPPED_GLOBAL("ffi.Array", array)
