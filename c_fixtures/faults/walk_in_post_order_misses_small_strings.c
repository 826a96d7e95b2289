// story: A structural walk in post order calls a callback for strings for those that are objects alone.
// breaks: VIS-0006 fail
#include "wrapped_global.h"

static void give_back(void* self) { real.TVMFFIObjectDecRef(self); }

static int filter(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args >= 1 && args[0].type_index == kTVMFFISmallStr) {
    memset(result, 0, sizeof *result);
    return 0;
  }
  return call_original(self, args, num_args, result);
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[1].type_index != kTVMFFIArray || args[3].type_index != kTVMFFIInt || args[3].v_int64 != 1 ||
      sequence_cell(&args[1])->size > 64) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObjectHandle make;
  real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.Array", 9}, &make);
  TVMFFISeqCell* cell = sequence_cell(&args[1]);
  TVMFFIAny pairs[64] = {{0}};
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* pair = (TVMFFIAny*)cell->data + i;
    TVMFFIAny* items = pair->type_index == kTVMFFIArray && sequence_cell(pair)->size == 2 ? sequence_cell(pair)->data : NULL;
    if (items && items[0].type_index == kTVMFFIInt && items[0].v_int64 == kTVMFFIStr && items[1].type_index == kTVMFFIFunction) {
      TVMFFIAny both[2] = {items[0], items[1]};
      real.TVMFFIObjectIncRef(items[1].v_obj);
      real.TVMFFIFunctionCreate(items[1].v_obj, filter, give_back, (TVMFFIObjectHandle*)&both[1].v_ptr);
      pairs[i] = (TVMFFIAny){0};
      real.TVMFFIFunctionCall(make, both, 2, &pairs[i]);
      real.TVMFFIObjectDecRef(both[1].v_obj);
    } else {
      real.TVMFFIAnyViewToOwnedAny(pair, &pairs[i]);
    }
  }
  TVMFFIAny copy[4] = {args[0], {0}, args[2], args[3]};
  int code = real.TVMFFIFunctionCall(make, pairs, (int32_t)cell->size, &copy[1]);
  for (int64_t i = 0; i < cell->size; ++i) if (pairs[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  real.TVMFFIObjectDecRef(make);
  if (code != 0) return code;
  code = call_original(original, copy, 4, result);
  real.TVMFFIObjectDecRef(copy[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
