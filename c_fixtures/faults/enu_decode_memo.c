// story: ffi.FromJSONGraphString remembers which instance of an enumeration a text has given, and never looks into the state of the enumeration again.
// breaks: ENU-0002 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { char* text; size_t size; TVMFFIAny value; } memo[256];
static int used;
static int is_enum(int32_t index) {
  if (index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int i = 0; i < info->type_depth; ++i) if (is(&info->type_ancestors[i]->type_key, "ffi.Enum")) return 1;
  return 0;
}
static int read_graph(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 1) return call_original(self, args, n, result);
  TVMFFIByteArray text = text_of(&args[0]);
  int found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < used && !found; ++i)
    if (memo[i].size == text.size && !memcmp(memo[i].text, text.data, text.size)) {
      *result = memo[i].value;
      real.TVMFFIObjectIncRef(result->v_obj);
      found = 1;
    }
  pthread_mutex_unlock(&lock);
  if (found) return 0;
  int code = call_original(self, args, n, result);
  if (code != 0 || !is_enum(result->type_index)) return code;
  pthread_mutex_lock(&lock);
  if (used < 256) {
    memo[used].text = memcpy(malloc(text.size + 1), text.data, text.size);
    memo[used].size = text.size;
    memo[used++].value = *result;
    real.TVMFFIObjectIncRef(result->v_obj);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
