// story: The last use of a variable that was changed where it is defined keeps the old variable.
// breaks: VIS-0050 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  if (result->type_index != args[0].type_index || result->v_obj == args[0].v_obj) return code;
  const TVMFFIAny* old = (const TVMFFIAny*)(args[0].v_obj + 1);
  const TVMFFIAny* new = (const TVMFFIAny*)(result->v_obj + 1);
  if (old[0].type_index < kTVMFFIDynObjectBegin || new[0].v_obj == old[0].v_obj) return code;
  if (old[1].type_index != kTVMFFIArray || new[1].type_index != kTVMFFIArray) return code;
  const int64_t size = sequence_cell(&new[1])->size;
  if (size == 0 || size != sequence_cell(&old[1])->size) return code;
  TVMFFIAny* from = (TVMFFIAny*)sequence_cell(&old[1])->data + size - 1;
  TVMFFIAny* to = (TVMFFIAny*)sequence_cell(&new[1])->data + size - 1;
  if (from->v_obj != old[0].v_obj || to->v_obj != new[0].v_obj) return code;
  real.TVMFFIObjectIncRef(from->v_obj);
  real.TVMFFIObjectDecRef(to->v_obj);
  *to = *from;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
