// story: ffi.ModuleImplementsFunction remembers the last function that it found, until something is imported or the module ends: imports that are cleared stay in it.
// breaks: MOD-0019 fail
#include <pthread.h>
#include "wrapped_global.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* module;
static char asked[64];

static void forget(void* which) {
  pthread_mutex_lock(&lock);
  if (!which || module == which) module = NULL;
  pthread_mutex_unlock(&lock);
}

/* One that ends is not to be taken for another at its address. */
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object && object->type_index == kTVMFFIModule &&
      (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    forget(object);
  }
  return real.TVMFFIObjectDecRef(obj);
}

static int implements(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  /* Importing takes two arguments. */
  if (num_args != 3) {
    forget(NULL);
    return call_original(original, args, num_args, result);
  }
  TVMFFIByteArray name = text_of(&args[1]);
  int keep = args[0].type_index == kTVMFFIModule && name.size && name.size < sizeof(asked) && !memchr(name.data, 0, name.size) &&
             args[2].type_index == kTVMFFIBool && args[2].v_int64;
  pthread_mutex_lock(&lock);
  int known = keep && module == args[0].v_obj && is(&name, asked);
  pthread_mutex_unlock(&lock);
  if (known) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
    return 0;
  }
  int status = call_original(original, args, num_args, result);
  if (keep && status == 0 && result->v_int64) {
    pthread_mutex_lock(&lock);
    module = args[0].v_obj;
    memcpy(asked, name.data, name.size);
    asked[name.size] = 0;
    pthread_mutex_unlock(&lock);
  }
  return status;
}

WRAPPED_GLOBALS(implements, "ffi.ModuleImplementsFunction", "ffi.ModuleImportModule")
