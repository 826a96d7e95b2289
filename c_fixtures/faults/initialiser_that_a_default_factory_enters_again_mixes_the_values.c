// story: A generated initialiser collects the values of the fields in one place of the thread: a default factory that makes another instance of the type, where it gives that field, leaves its values there, and the outer instance gets them.
// breaks: DCL-0001 fail
#include "patched_function.h"

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread struct { void* handle; int64_t first; unsigned calls; } place;
  const struct patched* known = patched(handle);
  if (!known) return -1;
  const unsigned mine = ++place.calls;
  int code = known->call(handle, args, num_args, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(known->type_index);
  if (info->num_fields == 0 || info->fields[0].field_static_type_index != kTVMFFIInt || info->fields[0].size != 8) return 0;
  int64_t* field = (int64_t*)((char*)result->v_obj + info->fields[0].offset);
  if (place.calls != mine && place.handle == handle) *field = place.first;
  place.handle = handle;
  place.first = *field;
  return 0;
}

PATCHES_CLASSES(add, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", add)
