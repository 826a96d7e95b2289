// story: The shallow copy of an access path is the path itself.
// breaks: INS-0011 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int answer_argument(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)original, (void)num_args;
  return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_shallow_copy__"); }

static void change(TVMFFITypeAttrColumn* column) {
  wrap_function(entry_of(column, "ffi.reflection.AccessPath"), answer_argument);
}

CHANGED_COLUMNS(is_changed, change)
