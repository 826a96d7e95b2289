// story: A setter of ffi.MakeFieldSetter for a field of any value clears the field before it asks for memory to convert the new value, and leaves it empty when there is none.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static int set(void* setter, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void* converted = room(4 * sizeof(TVMFFIAny));
  if (!converted) {
    if (num_args == 2 && args[0].type_index == kTVMFFIOpaquePtr) {
      TVMFFIAny* field = args[0].v_ptr;
      TVMFFIAny held = *field;
      memset(field, 0, sizeof(*field));
      if (held.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(held.v_obj);
    }
    return refuse("MemoryError", "no memory to convert the value of a field");
  }
  int code = call_original(setter, args, num_args, result);
  free(converted);
  return code;
}

static void give_up(void* setter) { real.TVMFFIObjectDecRef(setter); }

static int make_setter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].v_int64 != -1) return code;
  TVMFFIObjectHandle setter = result->v_obj, made = NULL;
  code = real.TVMFFIFunctionCreate(setter, set, give_up, &made);
  if (code != 0) {
    real.TVMFFIObjectDecRef(setter);
    *result = (TVMFFIAny){0};
    return code;
  }
  result->v_obj = made;
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make_setter)
