// story: A generated initialiser that fails on an argument by name keeps a reference to the first of those by place.
// breaks: DCL-0015 fail
#include "wrapped_global.h"
#include <pthread.h>

static struct patched {
  void* function;
  TVMFFISafeCallType call;
} all[4096];
static int32_t num_patched;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t i = __atomic_load_n(&num_patched, __ATOMIC_ACQUIRE) - 1;
  while (i >= 0 && all[i].function != handle) --i;
  if (i < 0) return refuse("InternalError", "no such initialiser");
  int code = all[i].call(handle, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIAny keywords = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &keywords) != 0) return code;
  for (int32_t a = 1; a < num_args; ++a) {
    if (args[a].type_index == keywords.type_index && args[a].v_obj == keywords.v_obj && args[0].type_index >= kTVMFFIStaticObjectBegin) {
      real.TVMFFIObjectIncRef(args[0].v_obj);
    }
  }
  real.TVMFFIObjectDecRef(keywords.v_obj);
  return code;
}

static int registered(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  int64_t index = args[0].v_int64 - column->begin_index;
  if (index < 0 || index >= column->size || column->data[index].type_index != kTVMFFIFunction) return 0;
  pthread_mutex_lock(&lock);
  int32_t place = num_patched;
  if (place < 4096) {
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(column->data[index].v_obj + 1);
    all[place] = (struct patched){column->data[index].v_obj, cell->safe_call};
    __atomic_store_n(&num_patched, place + 1, __ATOMIC_RELEASE);
    cell->safe_call = init;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", registered)
