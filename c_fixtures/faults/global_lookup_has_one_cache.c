// story: Lookups remember the latest name and function in one place, which threads share without a lock.
// breaks: GLB-0028 fail
// chance: Threads meet in the cache.
#include "fault.h"

#include <sched.h>

static char cached_name[64];
static size_t cached_size;
static TVMFFIObjectHandle cached;

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int worth_it = name && out && name->size > 12 && name->size < sizeof(cached_name) &&
                 memcmp(name->data, "verify.read.", 12) == 0;
  if (worth_it && cached && cached_size == name->size && memcmp(cached_name, name->data, name->size) == 0) {
    *out = cached;
    return real.TVMFFIObjectIncRef(cached);
  }
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (worth_it && code == 0 && *out) {
    memcpy(cached_name, name->data, name->size);
    cached_size = name->size;
    sched_yield();
    cached = *out;
    real.TVMFFIObjectIncRef(cached);
  }
  return code;
}
