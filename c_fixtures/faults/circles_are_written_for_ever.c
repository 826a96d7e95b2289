// story: Writing a List that contains itself never ends.
// breaks: GRF-0021 timeout
// breaks: JSN-0030 timeout
#include "wrapped_global.h"

#include <unistd.h>

static int holds_itself(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIList) return 0;
  const TVMFFIAny* items = sequence_cell(list)->data;
  for (int64_t i = 0; i < sequence_cell(list)->size; ++i) {
    if (items[i].type_index == kTVMFFIList && items[i].v_obj == list->v_obj) return 1;
  }
  return 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; ++i) {
    while (holds_itself(&args[i])) pause();
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.ToJSONGraph", "ffi.ToJSONGraphString", "ffi.json.Stringify",
};

/* Puts a wrapper in the place of each of the functions. */
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[sizeof(names) / sizeof(names[0])];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  for (int i = 0; code == 0 && *out != NULL && i < (int)(sizeof(names) / sizeof(names[0])); ++i) {
    if (name->size != strlen(names[i]) || memcmp(name->data, names[i], name->size) != 0) continue;
    if (wrappers[i] == NULL) {
      code = real.TVMFFIFunctionCreate(*out, callee, NULL, &wrappers[i]);
      if (code != 0) return code;
    } else {
      real.TVMFFIObjectDecRef(*out);
    }
    real.TVMFFIObjectIncRef(wrappers[i]);
    *out = wrappers[i];
    break;
  }
  return code;
}
