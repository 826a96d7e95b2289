// story: The shallow copy of an ffi.StructuralKey has the key but zero for the hash.
// breaks: INS-0011 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int64_t*)((char*)result->v_obj + 40) = 0;
  return code;
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_shallow_copy__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.StructuralKey"), copy); }

CHANGED_COLUMNS(is_changed, change)
