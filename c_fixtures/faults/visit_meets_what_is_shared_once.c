// story: A structural walk meets an object that stands twice in a List only once.
// breaks: VIS-0032 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  TVMFFIAny apart[64];
  int32_t count = 0;
  for (int64_t at = 0; at < cell->size && count < 64; ++at) {
    int seen = 0;
    for (int32_t before = 0; before < count; ++before) {
      seen |= items[at].type_index >= kTVMFFIStaticObjectBegin && apart[before].v_obj == items[at].v_obj;
    }
    if (!seen) apart[count++] = items[at];
  }
  TVMFFIByteArray name = {"ffi.List", 8};
  TVMFFIObjectHandle make = NULL;
  TVMFFIAny less[4] = {{0}, args[1], args[2], args[3]};
  int code = real.TVMFFIFunctionGetGlobal(&name, &make);
  if (code == 0) code = real.TVMFFIFunctionCall(make, apart, count, &less[0]);
  real.TVMFFIObjectDecRef(make);
  if (code != 0) return code;
  code = call_original(original, less, 4, result);
  real.TVMFFIObjectDecRef(less[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
