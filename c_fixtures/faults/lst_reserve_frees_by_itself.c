// story: ffi.ListReserve frees the old buffer of a List that a client has made with the C heap's free instead of the List's data_deleter.
// breaks: LST-0030 fail

#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  TVMFFISeqCell* cell = sequence_cell(args);
  void (*deleter)(void*) = cell->data_deleter;
  cell->data_deleter = free;
  int code = call_original(original, args, num_args, result);
  cell->data_deleter = deleter;
  return code;
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
