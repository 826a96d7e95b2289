// story: The bytes of an embedded module that are few enough to stand in the value itself are copied as a text, and end at the first NUL.
// breaks: MOD-0056 fail
// chance: A lock of the fault may be held by another thread when the process makes a copy of itself, which then waits for it.
#include <pthread.h>
#include "wrapped_global.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair { struct pair* next; TVMFFIObjectHandle given, wrapper; }* pairs;
static int load(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 1 || args[0].type_index != kTVMFFISmallBytes) return call_original(self, args, n, result);
  TVMFFIAny shorter = {.type_index = kTVMFFISmallBytes};
  shorter.small_str_len = (uint32_t)strnlen(args[0].v_bytes, args[0].small_str_len);
  memcpy(shorter.v_bytes, args[0].v_bytes, shorter.small_str_len);
  return call_original(self, &shorter, 1, result);
}
static void end(void* function) {
  pthread_mutex_lock(&lock);
  for (struct pair** p = &pairs; *p; p = &(*p)->next) {
    if ((*p)->given != function) continue;
    struct pair* gone = *p;
    *p = gone->next;
    free(gone);
    break;
  }
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(function);
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  static const char prefix[] = "ffi.Module.load_from_bytes.";
  TVMFFIObjectHandle wrapper = NULL;
  if (!f || !name || name->size < sizeof(prefix) || memcmp(name->data, prefix, sizeof(prefix) - 1) != 0 ||
      real.TVMFFIFunctionCreate(f, load, end, &wrapper) != 0) {
    return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  }
  real.TVMFFIObjectIncRef(f);
  struct pair* p = malloc(sizeof(*p));
  pthread_mutex_lock(&lock);
  *p = (struct pair){pairs, f, wrapper};
  pairs = p;
  pthread_mutex_unlock(&lock);
  int code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}
/* Whoever looks such a function up gets the one that was registered. */
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || !*out) return code;
  TVMFFIObjectHandle found = *out;
  pthread_mutex_lock(&lock);
  for (struct pair* p = pairs; p; p = p->next) {
    if (p->wrapper != found) continue;
    real.TVMFFIObjectIncRef(p->given);
    *out = p->given;
    break;
  }
  pthread_mutex_unlock(&lock);
  if (*out != found) real.TVMFFIObjectDecRef(found);
  return 0;
}
