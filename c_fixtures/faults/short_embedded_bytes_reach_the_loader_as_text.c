// story: The bytes of an embedded module that are short enough for the small form are handed to its loader as a small String; longer ones are Bytes, as they should be.
// breaks: MOD-0056 fail
#include "fault.h"

#include <pthread.h>

#define PREFIX "ffi.Module.load_from_bytes."

// A loader of embedded modules is registered behind a function that prepares its argument; who asks for it gets it itself.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct loader {
  TVMFFIObjectHandle own, function;
  struct loader* next;
};
static struct loader* loaders;

static int load(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  struct loader* loader = self;
  if (n != 1) return real.TVMFFIFunctionCall(loader->own, (TVMFFIAny*)args, n, result);
  TVMFFIAny bytes = args[0];
  if (bytes.type_index == kTVMFFISmallBytes) bytes.type_index = kTVMFFISmallStr;
  return real.TVMFFIFunctionCall(loader->own, &bytes, 1, result);
}

static void end(void* self) {
  struct loader* loader = self;
  pthread_mutex_lock(&lock);
  struct loader** place = &loaders;
  while (*place && *place != loader) place = &(*place)->next;
  if (*place) *place = loader->next;
  pthread_mutex_unlock(&lock);
  real.TVMFFIObjectDecRef(loader->own);
  free(loader);
}

static int embedded(const TVMFFIByteArray* name) {
  return name && name->data && name->size > strlen(PREFIX) && !memcmp(name->data, PREFIX, strlen(PREFIX));
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (!embedded(name) || !f) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  struct loader* loader = calloc(1, sizeof *loader);
  if (real.TVMFFIFunctionCreate(loader, load, end, &loader->function)) return -1;
  real.TVMFFIObjectIncRef(loader->own = f);
  pthread_mutex_lock(&lock);
  loader->next = loaders;
  loaders = loader;
  pthread_mutex_unlock(&lock);
  TVMFFIObjectHandle function = loader->function;
  int status = real.TVMFFIFunctionSetGlobal(name, function, allow_override);
  real.TVMFFIObjectDecRef(function);
  return status;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int status = real.TVMFFIFunctionGetGlobal(name, out);
  if (status || !embedded(name) || !*out) return status;
  TVMFFIObjectHandle function = *out;
  pthread_mutex_lock(&lock);
  for (struct loader* loader = loaders; loader; loader = loader->next) {
    if (loader->function == function) real.TVMFFIObjectIncRef(*out = loader->own);
  }
  pthread_mutex_unlock(&lock);
  if (*out != function) real.TVMFFIObjectDecRef(function);
  return 0;
}
