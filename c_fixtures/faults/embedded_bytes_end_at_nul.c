// story: The bytes of an embedded module are handed to its loader as a C string makes them: up to the first NUL.
// breaks: MOD-0056 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct pair { struct pair* next; void *wrapper, *original; };
static struct pair* all;
static const char prefix[] = "ffi.Module.load_from_bytes.";
static int loader(const TVMFFIByteArray* name) {
  return name && name->data && name->size >= sizeof(prefix) - 1 && !memcmp(name->data, prefix, sizeof(prefix) - 1);
}
static int call(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  struct pair* p = self;
  if (n != 1 || (args[0].type_index != kTVMFFIBytes && args[0].type_index != kTVMFFISmallBytes)) {
    return real.TVMFFIFunctionCall(p->original, (TVMFFIAny*)args, n, result);
  }
  TVMFFIByteArray bytes = args[0].type_index == kTVMFFIBytes ? *(TVMFFIByteArray*)(args[0].v_obj + 1)
                                                             : (TVMFFIByteArray){args[0].v_bytes, args[0].small_str_len};
  bytes.size = strnlen(bytes.data, bytes.size);
  TVMFFIAny cut = {0};
  int code = real.TVMFFIBytesFromByteArray(&bytes, &cut);
  if (code != 0) return code;
  code = real.TVMFFIFunctionCall(p->original, &cut, 1, result);
  if (cut.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(cut.v_obj);
  return code;
}
static void end(void* self) {
  struct pair* p = self;
  pthread_mutex_lock(&lock);
  struct pair** q = &all;
  while (*q && *q != p) q = &(*q)->next;
  if (*q) *q = p->next;
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(p->original);
  free(p);
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (!loader(name) || !f) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  struct pair* p = calloc(1, sizeof(*p));
  TVMFFIObjectHandle wrapper;
  int code = real.TVMFFIFunctionCreate(p, call, end, &wrapper);
  if (code != 0) return free(p), code;
  real.TVMFFIObjectIncRef(f);
  p->wrapper = wrapper;
  p->original = f;
  pthread_mutex_lock(&lock);
  p->next = all;
  all = p;
  pthread_mutex_unlock(&lock);
  code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || !*out || !loader(name)) return code;
  TVMFFIObjectHandle found = *out;
  pthread_mutex_lock(&lock);
  struct pair* p = all;
  while (p && p->wrapper != found) p = p->next;
  if (p) real.TVMFFIObjectIncRef(*out = p->original);
  pthread_mutex_unlock(&lock);
  if (p) real.TVMFFIObjectDecRef(found);
  return 0;
}
