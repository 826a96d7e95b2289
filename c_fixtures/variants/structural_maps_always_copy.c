// story: ffi.StructuralMap and ffi.StructuralMutate never work in place: they hold a reference of their own to the value meanwhile.
// admitted: VIS-0018, VIS-0019, VIS-0045 and VIS-0052 say what a map gives, and when nothing may be changed in place; none says that anything must be.
#include "replaced_globals.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1 || num_args > 4) return call_original(original, args, num_args, result);
  TVMFFIAny own[4], held = {0};
  memcpy(own, args, (size_t)num_args * sizeof(TVMFFIAny));
  if (own[0].type_index == kTVMFFIObjectRValueRef) {
    if (real.TVMFFIAnyViewToOwnedAny(&own[0], &held) != 0) return -1;
    own[0] = held;
  } else if (own[0].type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectIncRef(own[0].v_obj);
    held = own[0];
  }
  int code = call_original(original, own, num_args, result);
  give_up(&held);
  return code;
}

static void install(void) {
  put("ffi.StructuralMap", map);
  put("ffi.StructuralMutate", map);
}
