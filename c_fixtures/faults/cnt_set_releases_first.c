// story: ffi.ListSetItem gives up the old element before it puts the new one in its place, so the end of the old one still finds it in the List.
// breaks: CNT-0011 crash
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt && args[1].v_int64 >= 0 && args[1].v_int64 < sequence_cell(&args[0])->size) {
    TVMFFIAny old = ((TVMFFIAny*)sequence_cell(&args[0])->data)[args[1].v_int64];
    if (old.type_index >= kTVMFFIStaticObjectBegin) {
      if (__atomic_load_n(&old.v_obj->combined_ref_count, __ATOMIC_ACQUIRE) != 0x100000001u) return call_original(original, args, num_args, result);
      real.TVMFFIObjectDecRef(old.v_obj);
      if (args[1].v_int64 < sequence_cell(&args[0])->size) ((TVMFFIAny*)sequence_cell(&args[0])->data)[args[1].v_int64] = (TVMFFIAny){0};
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.ListSetItem", set)
