// story: Of the callbacks of a walk, visit, map or mutation those for one type come before those for all values or all objects, wherever they stand.
// breaks: VIS-0009 fail
#include "wrapped_global.h"

enum { MOST = 64 };

static int is_general(const TVMFFIAny* entry) {
  int64_t index = ((const TVMFFIAny*)sequence_cell(entry)->data)->v_int64;
  return index == -1 || index == kTVMFFIObject;
}

/** Makes the list with the general ones behind the others; answers whether it is a list of callbacks. */
static int sorted(const TVMFFIAny* list, TVMFFIAny* out) {
  if (list->type_index != kTVMFFIArray || sequence_cell(list)->size > MOST) return 0;
  const TVMFFIAny* entries = sequence_cell(list)->data;
  int32_t size = (int32_t)sequence_cell(list)->size, count = 0;
  TVMFFIAny all[MOST];
  for (int32_t i = 0; i < size; ++i) {
    if (entries[i].type_index != kTVMFFIArray || sequence_cell(&entries[i])->size < 2) return 0;
    if (((const TVMFFIAny*)sequence_cell(&entries[i])->data)->type_index != kTVMFFIInt) return 0;
  }
  for (int general = 0; general < 2; ++general) {
    for (int32_t i = 0; i < size; ++i) {
      if (is_general(&entries[i]) == general) all[count++] = entries[i];
    }
  }
  return call_global("ffi.Array", all, count, out) == 0;
}

static int call(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 && num_args != 4) return call_original(original, args, num_args, result);
  TVMFFIAny changed[4], made[2] = {{0}, {0}};
  memcpy(changed, args, (size_t)num_args * sizeof(TVMFFIAny));
  for (int i = 0; i < (num_args == 2 ? 1 : 2); ++i) {
    if (sorted(&args[i + 1], &made[i])) changed[i + 1] = made[i];
  }
  int code = call_original(original, changed, num_args, result);
  for (int i = 0; i < 2; ++i) {
    if (made[i].type_index == kTVMFFIArray) real.TVMFFIObjectDecRef(made[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBALS(call, "ffi.StructuralWalk", "ffi.StructuralVisit", "ffi.StructuralMap", "ffi.StructuralMutate")
