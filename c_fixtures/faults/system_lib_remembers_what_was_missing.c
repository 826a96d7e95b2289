// story: ffi.ModuleGetFunction remembers that the system library had no function of a name, and goes on to say so after its symbol has been registered.
// breaks: MOD-0033 fail
#include <pthread.h>

#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static struct entry { int used; char name[64]; } entries[16];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 3 || args[0].type_index != kTVMFFIModule) return code;
  TVMFFIAny library = {0};
  if (call_global("ffi.SystemLib", NULL, 0, &library) != 0) return -1;
  /* The library keeps this module. */
  real.TVMFFIObjectDecRef(library.v_obj);
  if (args[1].type_index == kTVMFFIObjectRValueRef) return code;
  const char* name = args[1].type_index == kTVMFFIRawStr     ? args[1].v_c_str
                     : args[1].type_index == kTVMFFISmallStr ? args[1].v_bytes
                                                             : ((TVMFFIByteArray*)(args[1].v_obj + 1))->data;
  if (args[0].v_obj != library.v_obj || strlen(name) > 63) return code;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 16; ++i) {
    if (entries[i].used && strcmp(entries[i].name, name) == 0) {
      if (result->type_index == kTVMFFIFunction) real.TVMFFIObjectDecRef(result->v_obj);
      memset(result, 0, sizeof *result);
      break;
    }
    if (result->type_index == kTVMFFINone && !entries[i].used) {
      entries[i].used = 1;
      strcpy(entries[i].name, name);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
