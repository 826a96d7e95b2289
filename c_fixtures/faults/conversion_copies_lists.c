// story: The conversion to a List makes a new List of every sequence, of a List too.
// breaks: INS-0012 fail
#include "patched_entry.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  return call_global("ffi.List", sequence_cell(args)->data, sequence_cell(args)->size, result);
}

PATCHED_ENTRY("__ffi_convert__", "ffi.List", convert)
