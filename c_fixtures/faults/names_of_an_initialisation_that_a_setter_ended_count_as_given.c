// story: When a setter ends a generated initialiser, the names that were given stay marked: the next one of the thread is told that they are given twice.
// breaks: DCL-0006 fail
#include "patched_function.h"
#include "raised_error.h"

static __thread TVMFFIObjectHandle marked;
static __thread char name[64];

static int has_names(const TVMFFIAny* args, int32_t num_args, int32_t* first) {
  TVMFFIAny sentinel = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &sentinel) != 0) return 0;
  real.TVMFFIObjectDecRef(sentinel.v_obj);
  for (*first = 0; *first < num_args; ++*first) {
    if (args[*first].type_index == kTVMFFIObject && args[*first].v_obj == sentinel.v_obj) break;
  }
  return ++*first < num_args;
}
static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* own = patched(handle);
  int32_t first;
  if (!own) return -1;
  if (!has_names(args, num_args, &first)) return own->call(handle, args, num_args, result);
  const TVMFFIByteArray text = text_of(&args[first]);
  if (marked == handle && is(&text, name)) {
    marked = NULL;
    return refuse("TypeError", "got multiple values for argument");
  }
  marked = NULL;
  int code = own->call(handle, args, num_args, result);
  if (code != 0 && text.size < sizeof(name)) {
    TVMFFIObjectHandle error = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error && error_cell(error)->cause_chain) {
      memcpy(name, text.data, text.size);
      name[text.size] = 0;
      marked = handle;
    }
    real.TVMFFIErrorSetRaised(error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  return code;
}
PATCHES_CLASSES(register_init, "__ffi_init__", init)
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
