// story: The bytes of an embedded module that are an object are handed to its loader as a C string, up to their first NUL.
// breaks: MOD-0056 fail
// chance: A lock of the fault may be held by another thread when the process makes a copy of itself, which then waits for it.
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair { struct pair* next; TVMFFIObjectHandle given, wrapper; }* pairs;

static int load(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny shorter = {0};
  if (num_args != 1 || args[0].type_index != kTVMFFIBytes) return call_original(self, args, num_args, result);
  TVMFFIByteArray bytes = *(const TVMFFIByteArray*)(args[0].v_obj + 1);
  bytes.size = strnlen(bytes.data, bytes.size);
  if (real.TVMFFIBytesFromByteArray(&bytes, &shorter) != 0) return -1;
  int code = call_original(self, &shorter, 1, result);
  if (shorter.type_index == kTVMFFIBytes) real.TVMFFIObjectDecRef(shorter.v_obj);
  return code;
}

static void end(void* function) {
  pthread_mutex_lock(&lock);
  struct pair** place = &pairs;
  while (*place && (*place)->given != function) place = &(*place)->next;
  struct pair* gone = *place;
  if (gone) *place = gone->next;
  pthread_mutex_unlock(&lock);
  free(gone);
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
  struct pair* pair = malloc(sizeof(*pair));
  pthread_mutex_lock(&lock);
  *pair = (struct pair){pairs, f, wrapper};
  pairs = pair;
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
  struct pair* pair = pairs;
  while (pair && pair->wrapper != found) pair = pair->next;
  if (pair) real.TVMFFIObjectIncRef(*out = pair->given);
  pthread_mutex_unlock(&lock);
  if (pair) real.TVMFFIObjectDecRef(found);
  return 0;
}
