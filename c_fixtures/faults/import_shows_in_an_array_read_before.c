// story: ffi.ModuleImportModule appends in place where the array of imports has room, though somebody else holds the array.
// breaks: MOD-0044 fail
#include "wrapped_global.h"

static int import(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIModule || args[1].type_index != kTVMFFIModule) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObject** imports = (TVMFFIObject**)(args[0].v_obj + 1);
  TVMFFIObject* before = *imports;
  int shared = before && (uint32_t)before->combined_ref_count > 1;
  if (before) real.TVMFFIObjectIncRef(before);
  int code = call_original(original, args, num_args, result);
  TVMFFISeqCell* cell = before ? (TVMFFISeqCell*)(before + 1) : NULL;
  if (code == 0 && shared && *imports != before && cell->size < ((TVMFFISeqCell*)(*imports + 1))->size && cell->size < cell->capacity) {
    real.TVMFFIObjectIncRef(args[1].v_obj);
    ((TVMFFIAny*)cell->data)[cell->size++] = args[1];
  }
  if (before) real.TVMFFIObjectDecRef(before);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleImportModule", import)
