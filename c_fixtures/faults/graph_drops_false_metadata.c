// story: The writers of JSON graphs write metadata if it is true, and so leave out 0, false and an empty text.
// breaks: GRF-0011 fail
#include "wrapped_global.h"
static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(original, args, num_args, result);
  TVMFFIAny given[2] = {args[0], args[1]};
  const int is_number = args[1].type_index == kTVMFFIInt || args[1].type_index == kTVMFFIBool;
  const int is_text = args[1].type_index == kTVMFFISmallStr || args[1].type_index == kTVMFFIStr || args[1].type_index == kTVMFFIRawStr;
  if ((is_number && args[1].v_int64 == 0) || (is_text && text_of(&args[1]).size == 0)) given[1] = (TVMFFIAny){.type_index = kTVMFFINone};
  return call_original(original, given, 2, result);
}
WRAPPED_GLOBALS(write_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
