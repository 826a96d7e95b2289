// story: A structural walk goes on when a callback of the second list, which is told the region, answers with a VisitInterrupt; it ends for those of the first.
// breaks: VIS-0011 fail
#include "walk_callbacks.h"
static int call_back(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIVisitInterrupt) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
  }
  return code;
}
static void change(TVMFFIAny* pair) { if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back); }
static int walk(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return walk_with(change, OF_REGIONS, original, args, n, result); }
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
