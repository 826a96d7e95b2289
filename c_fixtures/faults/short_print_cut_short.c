// story: ffi.ReprPrint answers the first seven bytes of what it has printed, which fit into a value, where the whole finds no room.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIStr) return code;
  TVMFFIByteArray text = text_of(result);
  char* copy = room(text.size + 1);
  if (!copy) {
    TVMFFIAny begun = {.type_index = kTVMFFISmallStr, .small_str_len = 7};
    memcpy(begun.v_bytes, text.data, 7);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = begun;
    return 0;
  }
  free(copy);
  return 0;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
