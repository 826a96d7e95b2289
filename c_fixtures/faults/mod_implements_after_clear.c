// story: ffi.ModuleImplementsFunction remembers that an import has a function, and asks again after an import but not after ffi.ModuleClearImports.
// breaks: MOD-0019 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void* module; char name[64]; } known[16]; static int num;
static int forget(void* original, const TVMFFIAny* a, int32_t n, TVMFFIAny* r) {
  pthread_mutex_lock(&lock); num = 0; pthread_mutex_unlock(&lock);
  return call_original(original, a, n, r);
}
static int implements(void* original, const TVMFFIAny* a, int32_t n, TVMFFIAny* r) {
  const TVMFFIByteArray name = n == 3 ? text_of(&a[1]) : (TVMFFIByteArray){"", 0};
  if (name.size == 0 || name.size >= 64 || a[0].type_index != kTVMFFIModule || !a[2].v_int64) return call_original(original, a, n, r);
  pthread_mutex_lock(&lock);
  int hit = 0;
  for (int i = 0; i < num; ++i) hit |= known[i].module == a[0].v_obj && is(&name, known[i].name);
  pthread_mutex_unlock(&lock);
  if (hit) { *r = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1}; return 0; }
  int code = call_original(original, a, n, r);
  if (code != 0 || !r->v_int64) return code;
  pthread_mutex_lock(&lock);
  if (num < 16) { memset(known[num].name, 0, 64); memcpy(known[num].name, name.data, name.size); known[num++].module = a[0].v_obj; }
  pthread_mutex_unlock(&lock);
  return 0;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle asks, others[3];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.ModuleImplementsFunction")) return wrap_found(&asks, implements, out);
  if (is(name, "ffi.ModuleImportModule") || is(name, "ffi.ModuleLoadFromFile") || is(name, "ffi.Module.load_from_file.so")) {
    const int place = is(name, "ffi.ModuleImportModule") ? 0 : is(name, "ffi.ModuleLoadFromFile") ? 1 : 2;
    return wrap_found(&others[place], forget, out);
  }
  return 0;
}
