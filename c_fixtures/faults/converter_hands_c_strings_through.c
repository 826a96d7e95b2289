// story: The converter of strings answers a C string as it is, which is no String and ends with its caller.
// breaks: INS-0013 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr && args[0].v_c_str) return *result = args[0], 0;
  return call_original(original, args, num_args, result);
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_convert__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.String"), convert); }

CHANGED_COLUMNS(is_changed, change)
