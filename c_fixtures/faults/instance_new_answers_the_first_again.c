// story: The function in `__ffi_new__` of ffi.Enum makes one instance, and answers that one ever after.
// breaks: INS-0010 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIAny first;
  if (num_args == 0 && first.v_obj) return real.TVMFFIAnyViewToOwnedAny(&first, result);
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 0) real.TVMFFIAnyViewToOwnedAny(result, &first);
  return code;
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_new__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.Enum"), make); }

CHANGED_COLUMNS(is_changed, change)
