// story: An embedded module without any bytes is handed to its loader as None.
// breaks: MOD-0056 fail
// chance: A lock of the fault may be held by another thread when the process makes a copy of itself, which then waits for it.
#include <pthread.h>
#include "wrapped_global.h"

static struct { TVMFFIObjectHandle wrapper, own; } loaders[1024];
static int num_loaders;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int load(void* loader, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return call_original(loader, args, num_args, result);
  TVMFFIAny given = args[0];
  if (given.type_index == kTVMFFISmallBytes && given.small_str_len == 0) given = (TVMFFIAny){.type_index = kTVMFFINone};
  if (given.type_index == kTVMFFIBytes && ((TVMFFIByteArray*)(given.v_obj + 1))->size == 0) given = (TVMFFIAny){.type_index = kTVMFFINone};
  return call_original(loader, &given, 1, result);
}

static void end_loader(void* loader) { real.TVMFFIObjectDecRef(loader); }

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  static const char begin[] = "ffi.Module.load_from_bytes.";
  TVMFFIObjectHandle wrapper = NULL;
  if (!name || !f || name->size < sizeof(begin) || memcmp(name->data, begin, sizeof(begin) - 1) != 0) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  real.TVMFFIObjectIncRef(f);
  int code = real.TVMFFIFunctionCreate(f, load, end_loader, &wrapper);
  if (code != 0) return code;
  code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);
  if (code == 0) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < num_loaders && loaders[i].wrapper != wrapper) ++i;
    if (i < 1024) { loaders[i].wrapper = wrapper; loaders[i].own = f; if (i == num_loaders) ++num_loaders; }
    pthread_mutex_unlock(&lock);
  }
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}

/* A client that looks the loader up finds its own. */
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char begin[] = "ffi.Module.load_from_bytes.";
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL || name->size < sizeof(begin) || memcmp(name->data, begin, sizeof(begin) - 1) != 0) return code;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < num_loaders; ++i) {
    if (loaders[i].wrapper != *out) continue;
    real.TVMFFIObjectIncRef(loaders[i].own);
    real.TVMFFIObjectDecRef(*out);
    *out = loaders[i].own;
    break;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
