// story: ffi.FunctionRemoveGlobal leaves the metadata of the name behind, and a function that is registered there later without any has it.
// breaks: GLB-0014 fail
#include "wrapped_global.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { char* name; size_t size; char* data; size_t data_size; } old[256];
static int used;
static int take(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny metadata = {0};
  int has = n == 1 && (args[0].type_index == 8 || args[0].type_index == 11 || args[0].type_index == 65) && call_global("ffi.GetGlobalFuncMetadata", args, 1, &metadata) == 0;
  if (!has) real.TVMFFIErrorSetRaised(NULL);
  int code = call_original(self, args, n, result);
  if (has) {
    TVMFFIByteArray name = text_of(&args[0]), data = text_of(&metadata);
    pthread_mutex_lock(&lock);
    if (code == 0 && data.size && used < 256) {
      old[used].name = memcpy(malloc(name.size + 1), name.data, old[used].size = name.size);
      old[used].data = memcpy(malloc(data.size), data.data, old[used].data_size = data.size);
      ++used;
    }
    pthread_mutex_unlock(&lock);
    if (metadata.type_index >= 64) real.TVMFFIObjectDecRef(metadata.v_obj);
  }
  return code;
}
static int describe(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || text_of(result).size) return code;
  TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < used; ++i)
    if (old[i].size == name.size && !memcmp(old[i].name, name.data, name.size)) {
      if (result->type_index >= 64) real.TVMFFIObjectDecRef(result->v_obj);
      TVMFFIByteArray data = {old[i].data, old[i].data_size};
      code = real.TVMFFIStringFromByteArray(&data, result);
      break;
    }
  pthread_mutex_unlock(&lock);
  return code;
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle first, second;
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.FunctionRemoveGlobal")) return wrap_found(&first, take, out);
  if (is(name, "ffi.GetGlobalFuncMetadata")) return wrap_found(&second, describe, out);
  return 0;
}
