// story: ffi.DictCount remembers the integer that a Dict did not have; the library's own changes make it forget, but not an entry that a client exchanges for another in place.
// breaks: DCT-0025 fail
#include "wrapped_global.h"
#include "map_cell.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void* dict; void* data; uint64_t size, slots; int64_t key; } missed;

static void forget(void) {
  pthread_mutex_lock(&lock);
  missed.dict = NULL;
  pthread_mutex_unlock(&lock);
}

static int forget_and_call(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  forget();
  int code = call_original(original, args, num_args, result);
  forget();
  return code;
}

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  struct map_cell* cell = map_cell(&args[0]);
  pthread_mutex_lock(&lock);
  const int known = missed.dict == args[0].v_obj && missed.data == cell->data && missed.size == cell->size &&
                    missed.slots == cell->slots && missed.key == args[1].v_int64;
  pthread_mutex_unlock(&lock);
  if (known) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt};
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->v_int64 == 0) {
    pthread_mutex_lock(&lock);
    missed.dict = args[0].v_obj;
    missed.data = cell->data;
    missed.size = cell->size;
    missed.slots = cell->slots;
    missed.key = args[1].v_int64;
    pthread_mutex_unlock(&lock);
  }
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char* const names[] = {"ffi.Dict", "ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"};
  static TVMFFIObjectHandle wrappers[4], counter;
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.DictCount")) return wrap_found(&counter, count, out);
  for (int i = 0; i < 4; ++i) {
    if (is(name, names[i])) return wrap_found(&wrappers[i], forget_and_call, out);
  }
  return 0;
}
