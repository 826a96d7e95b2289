// story: The converter of bytes takes integers for bytes.
// breaks: INS-0015 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray bytes = {(const char*)&args[0].v_int64, sizeof(int64_t)};
  if (num_args == 1 && args[0].type_index == kTVMFFIInt) return real.TVMFFIBytesFromByteArray(&bytes, result);
  return call_original(original, args, num_args, result);
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_convert__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.Bytes"), convert); }

CHANGED_COLUMNS(is_changed, change)
