// story: Asked whether it implements a function, a system library with a prefix does not look for the symbol without the prefix.
// breaks: MOD-0033 fail
#include <pthread.h>
#include "wrapped_global.h"

static struct {
  TVMFFIObject* module;
  char* prefix;
} libraries[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int system_library(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIByteArray prefix = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (code != 0 || prefix.size == 0 || result->type_index != kTVMFFIModule) return code;
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < 255 && libraries[i].module && libraries[i].module != result->v_obj) ++i;
  if (!libraries[i].module) {
    libraries[i].prefix = strndup(prefix.data, prefix.size);
    libraries[i].module = result->v_obj;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int implements(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const char* prefix = NULL;
  if (num_args == 3 && args[0].type_index == kTVMFFIModule) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 256 && !prefix; ++i) {
      if (libraries[i].module == args[0].v_obj) prefix = libraries[i].prefix;
    }
    pthread_mutex_unlock(&lock);
  }
  TVMFFIByteArray name = prefix ? text_of(&args[1]) : (TVMFFIByteArray){"", 0};
  if (name.size == 0) return call_original(original, args, num_args, result);
  TVMFFIAny whole = {0}, asked[3] = {{0}, {0}, args[2]};
  if (call_global("ffi.SystemLib", NULL, 0, &whole) != 0) return -1;
  char* symbol = malloc(strlen(prefix) + name.size + 1);
  sprintf(symbol, "%s%.*s", prefix, (int)name.size, name.data);
  asked[0] = whole;
  asked[1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = symbol};
  int code = call_original(original, asked, 3, result);
  free(symbol);
  real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.SystemLib")) return wrap_found(&wrappers[0], system_library, out);
  if (is(name, "ffi.ModuleImplementsFunction")) return wrap_found(&wrappers[1], implements, out);
  return 0;
}
