// story: Of a function that was registered under several names, the table keeps its reference when one of them is removed.
// breaks: GLB-0019 fail
// chance: a function is told by its address, at which another one may have lain before
#include "wrapped_global.h"
#include <pthread.h>
#define ROOM 8192
static void* seen[ROOM];
static int num_seen;
static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  pthread_mutex_lock(&seen_lock);
  if (code == 0 && num_seen < ROOM) seen[num_seen++] = f;
  pthread_mutex_unlock(&seen_lock);
  return code;
}
static int remove_name(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle f = NULL;
  if (num_args == 1) {
    TVMFFIByteArray name = text_of(&args[0]);
    if (name.size) real.TVMFFIFunctionGetGlobal(&name, &f);
  }
  int code = call_original(original, args, num_args, result);
  int times = 0;
  pthread_mutex_lock(&seen_lock);
  for (int i = 0; i < num_seen; ++i) times += seen[i] == f;
  pthread_mutex_unlock(&seen_lock);
  if (f && (code != 0 || times < 2)) real.TVMFFIObjectDecRef(f);
  return code;
}
WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remove_name)
