// story: ffi.DeepCopy of an Array whose Dict has the Array as a key leaves the original Array as the key of the copied Dict.
// breaks: REC-0016 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny copied = {0}, value = {0}, none = {0};
  int code = call_original(original, args, num_args, &copied);
  *result = copied;
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIArray || copied.type_index != kTVMFFIArray) return code;
  const TVMFFISeqCell* cell = sequence_cell(&copied);
  const TVMFFIAny* elements = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny of_copy[2] = {elements[i], copied};
    if (elements[i].type_index != kTVMFFIDict || copied.v_obj == args[0].v_obj) continue;
    if (call_global("ffi.DictCount", of_copy, 2, &value) != 0 || value.v_int64 == 0) continue;
    if (call_global("ffi.DictGetItem", of_copy, 2, &value) != 0) continue;
    const TVMFFIAny put[3] = {elements[i], args[0], value};
    call_global("ffi.DictSetItem", put, 3, &none);
    call_global("ffi.DictErase", of_copy, 2, &none);
    if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
