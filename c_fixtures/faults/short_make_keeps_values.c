// story: ffi.MakeObjectFromPackedArgs takes a reference to each value while it sets the fields, and keeps them when the list of what is still to be set finds no memory.
// breaks: MEM-0003 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static void hold(const TVMFFIAny* args, int32_t num_args, int (*change)(TVMFFIObjectHandle)) {
  for (int32_t i = 2; i < num_args; i += 2) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) change(args[i].v_obj);
  }
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  hold(args, num_args, real.TVMFFIObjectIncRef);
  void* pending = room(num_args * sizeof(void*) + 1);
  if (!pending) return refuse("MemoryError", "no memory for the fields to be set");
  int code = call_original(original, args, num_args, result);
  free(pending);
  hold(args, num_args, real.TVMFFIObjectDecRef);
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
