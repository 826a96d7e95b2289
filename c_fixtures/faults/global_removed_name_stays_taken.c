// story: A name that was removed cannot be registered again.
// breaks: GLB-0032 fail
#include "wrapped_global.h"

static uint64_t removed[64];
static int removed_names;

static uint64_t hash(const char* text, size_t size) {
  uint64_t sum = 14695981039346656037u;
  while (size-- > 0) sum = (sum ^ (unsigned char)*text++) * 1099511628211u;
  return sum;
}

static int remember(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIStr && removed_names < 64) {
    TVMFFIByteArray* name = (TVMFFIByteArray*)(args[0].v_obj + 1);
    removed[removed_names++] = hash(name->data, name->size);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remember)

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  uint64_t own = name ? hash(name->data, name->size) : 0;
  for (int i = 0; name && i < removed_names; i++) {
    if (removed[i] != own) continue;
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the name is taken");
    return -1;
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
