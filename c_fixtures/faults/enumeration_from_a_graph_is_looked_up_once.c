// story: ffi.FromJSONGraph keeps the instance that it found for an index of an integer enumeration, and does not see that the state has another now.
// breaks: ENU-0002 fail
#include <pthread.h>

#include "wrapped_global.h"

static struct {
  int64_t index;
  TVMFFIAny instance;
} known[64];
static int32_t num_known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_int_enum(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  return info->type_depth >= 3 && is(&info->type_ancestors[2]->type_key, "ffi.IntEnum");
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_int_enum(result)) return code;
  const int64_t index = *(int64_t*)(result->v_obj + 1);
  const TVMFFIAny found = *result;
  pthread_mutex_lock(&lock);
  int32_t i = 0;
  while (i < num_known && (known[i].instance.type_index != found.type_index || known[i].index != index)) ++i;
  if (i < num_known) {
    *result = known[i].instance;
    real.TVMFFIObjectIncRef(result->v_obj);
    real.TVMFFIObjectDecRef(found.v_obj);
  } else if (i < 64) {
    known[i].index = index;
    known[i].instance = found;
    real.TVMFFIObjectIncRef(found.v_obj);
    num_known = i + 1;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
