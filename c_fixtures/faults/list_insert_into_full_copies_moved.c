// story: ffi.ListInsert into a List that is full takes another reference to an object that is given away, and leaves the object in the caller's slot.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[2].type_index != kTVMFFIObjectRValueRef) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIObject* given = *(TVMFFIObject**)args[2].v_ptr;
  if (cell->size == 0 || cell->size != cell->capacity || !given) return call_original(original, args, num_args, result);
  const TVMFFIAny lent[3] = {args[0], args[1], {.type_index = given->type_index, .v_obj = given}};
  return call_original(original, lent, 3, result);
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
