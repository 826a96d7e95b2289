// story: The function in __ffi_convert__ of ffi.Array moves the elements out of a List with one reference, though that is the caller's.
// breaks: INS-0014 fail
#include "changed_record.h"
#include "held_value.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList) return code;
  if (__atomic_load_n(&args[0].v_obj->combined_ref_count, __ATOMIC_ACQUIRE) != 0x100000001) return 0;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  while (cell->size > 0) give_up(((TVMFFIAny*)cell->data)[--cell->size]);
  return 0;
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_convert__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.Array"), convert); }

CHANGED_COLUMNS(is_changed, change)
