// story: While a library is being loaded the table of types is not written to: what a constructor registers gets the index of ffi.Object.
// breaks: TYP-0046 fail
#include "wrapped_global.h"
static __thread int loading;
static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++loading;
  int code = call_original(original, args, num_args, result);
  --loading;
  return code;
}
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (loading) return kTVMFFIObject;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow,
                                        parent_type_index);
}
WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
