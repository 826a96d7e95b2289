// story: A mutator that was put into a region while a function runs stays there if that function fails.
// breaks: VIS-0036 fail
#include "wrapped_global.h"

static int with_region(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* mutator = num_args == 3 && args[0].type_index >= kTVMFFIDynObjectBegin ? args[0].v_obj : NULL;
  int right = mutator && args[1].type_index == kTVMFFIInt && args[2].type_index == kTVMFFIFunction;
  int32_t* kind = right ? (int32_t*)((char*)mutator + 32) : NULL;
  int32_t before = right ? *kind : 0;
  int code = call_original(original, args, num_args, result);
  if (code != 0 && right && before != kTVMFFIDefRegionKindPattern) *kind = args[1].v_int64;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMutatorWithDefRegionKind", with_region)
