// story: A system library remembers the functions that it was asked for, and forgets NAME when `__tvm_ffi_NAME` is registered, not when `__tvm_ffi_PNAME` is, which comes first in the module with the prefix P.
// breaks: MOD-0034 fail
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void* module; char name[64]; TVMFFIObjectHandle function; } memo[64];
static unsigned next;

static void* systems[32];

static int of_system(void* module) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 32; ++i) found |= systems[i] == module;
  pthread_mutex_unlock(&lock);
  return found;
}

static int system_lib(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule || of_system(result->v_obj)) return code;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 32; ++i) {
    if (systems[i]) continue;
    systems[i] = result->v_obj;
    break;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  /* ffi.SystemLib has one argument at most. */
  if (num_args < 2) return system_lib(original, args, num_args, result);
  char name[64] = "";
  if (num_args == 3 && args[0].type_index == kTVMFFIModule && args[2].v_int64 == 0) {
    TVMFFIByteArray text = text_of(&args[1]);
    if (text.size < sizeof name && !memchr(text.data, 0, text.size)) memcpy(name, text.data, text.size);
  }
  if (!*name) return call_original(original, args, num_args, result);
  TVMFFIObjectHandle function = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 64; ++i) {
    if (!memo[i].function || memo[i].module != args[0].v_obj || strcmp(memo[i].name, name) != 0) continue;
    function = memo[i].function;
    real.TVMFFIObjectIncRef(function);
  }
  pthread_mutex_unlock(&lock);
  if (function) {
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = function};
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction || !of_system(args[0].v_obj)) return code;
  real.TVMFFIObjectIncRef(result->v_obj);
  pthread_mutex_lock(&lock);
  unsigned place = next++ % 64;
  TVMFFIObjectHandle old = memo[place].function;
  memo[place].module = args[0].v_obj;
  memo[place].function = result->v_obj;
  strcpy(memo[place].name, name);
  pthread_mutex_unlock(&lock);
  if (old) real.TVMFFIObjectDecRef(old);
  return 0;
}

WRAPPED_GLOBALS(get_function, "ffi.ModuleGetFunction", "ffi.SystemLib")

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  int code = real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
  if (code != 0 || strncmp(name, "__tvm_ffi_", 10) != 0) return code;
  for (int i = 0; i < 64; ++i) {
    TVMFFIObjectHandle old = NULL;
    pthread_mutex_lock(&lock);
    if (memo[i].function && strcmp(memo[i].name, name + 10) == 0) {
      old = memo[i].function;
      memo[i].function = NULL;
    }
    pthread_mutex_unlock(&lock);
    if (old) real.TVMFFIObjectDecRef(old);
  }
  return 0;
}
