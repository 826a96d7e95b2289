// story: ffi.ListReplaceSlice takes the old range out first, so a List that is put into itself lacks that range in what is put in.
// breaks: LST-0012 fail
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList || args[3].type_index != kTVMFFIList || args[0].v_obj != args[3].v_obj ||
      args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObjectHandle erase, make;
  real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.ListEraseRange", 18}, &erase);
  real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.List", 8}, &make);
  int code = call_original(erase, args, 3, result);
  if (code == 0) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    TVMFFIAny rest = {0};
    code = real.TVMFFIFunctionCall(make, cell->data, (int32_t)cell->size, &rest);
    if (code == 0) {
      TVMFFIAny again[4] = {args[0], args[1], args[1], rest};
      code = call_original(original, again, 4, result);
      real.TVMFFIObjectDecRef(rest.v_obj);
    }
  }
  real.TVMFFIObjectDecRef(erase);
  real.TVMFFIObjectDecRef(make);
  return code;
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
