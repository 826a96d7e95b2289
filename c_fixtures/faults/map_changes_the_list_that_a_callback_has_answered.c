// story: A map in pre order of a value that is moved in changes the List in place that a callback has put in its place, also when the client still holds that.
// breaks: VIS-0019 fail
#include "walk_callbacks.h"

static __thread TVMFFIObjectHandle answered;

static int remember(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(callback, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIList && !answered) {
    answered = result->v_obj;
    real.TVMFFIObjectIncRef(answered);
  }
  return code;
}

static void watched(TVMFFIAny* pair) { wrap_callback(pair, remember); }

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIObjectRValueRef || args[3].v_int64 != 0)
    return call_original(original, args, num_args, result);
  TVMFFIObjectHandle outer = answered;
  answered = NULL;
  int code = walk_with(watched, OF_VALUES, original, args, num_args, result);
  TVMFFIObject* held = answered;
  answered = outer;
  if (!held) return code;
  if (code == 0 && result->type_index == kTVMFFIList && result->v_obj != held && (uint32_t)held->combined_ref_count > 1) {
    TVMFFIAny theirs = {.type_index = kTVMFFIList};
    theirs.v_obj = held;
    TVMFFISeqCell* cells[2] = {sequence_cell(result), sequence_cell(&theirs)};
    TVMFFISeqCell swapped = *cells[0];
    *cells[0] = *cells[1];
    *cells[1] = swapped;
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = theirs;
    return code;
  }
  real.TVMFFIObjectDecRef(held);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
