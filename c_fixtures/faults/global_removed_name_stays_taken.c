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
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) {
    TVMFFIByteArray* name = (TVMFFIByteArray*)(args[0].v_obj + 1);
    int place = __atomic_fetch_add(&removed_names, 1, __ATOMIC_RELAXED);
    if (place < 64) __atomic_store_n(&removed[place], hash(name->data, name->size), __ATOMIC_RELEASE);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remember)

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  uint64_t own = name ? hash(name->data, name->size) : 0;
  for (int i = 0; name && i < 64; i++) {
    if (__atomic_load_n(&removed[i], __ATOMIC_ACQUIRE) == own) return refuse("RuntimeError", "the name is taken");
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
