// story: The metadata of global functions lie in a table of their own, from which removing a function takes nothing: who registers the name again without metadata has the old.
// breaks: GLB-0014 fail
#include "wrapped_global.h"

#include <pthread.h>

struct kept {
  struct kept* next;
  size_t name_size, size;
  char text[];
};

static struct kept* all_kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int metadata(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || text_of(result).size > 0) return code;
  const TVMFFIByteArray name = text_of(&args[0]);
  pthread_mutex_lock(&lock);
  for (struct kept* one = all_kept; one; one = one->next) {
    if (one->name_size != name.size || memcmp(one->text, name.data, name.size) != 0) continue;
    TVMFFIByteArray old = {one->text + one->name_size, one->size};
    if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
    code = real.TVMFFIStringFromByteArray(&old, result);
    break;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int remove_global(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny told = {0};
  TVMFFIObjectHandle found = NULL;
  TVMFFIByteArray name = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (name.size > 0 && real.TVMFFIFunctionGetGlobal(&name, &found) == 0 && found) {
    real.TVMFFIObjectDecRef(found);
    if (call_global("ffi.GetGlobalFuncMetadata", args, 1, &told) == 0) {
      const TVMFFIByteArray text = text_of(&told);
      if (text.size > 0) {
        struct kept* one = malloc(sizeof(*one) + name.size + text.size);
        one->name_size = name.size;
        one->size = text.size;
        memcpy(one->text, name.data, name.size);
        memcpy(one->text + name.size, text.data, text.size);
        pthread_mutex_lock(&lock);
        one->next = all_kept;
        all_kept = one;
        pthread_mutex_unlock(&lock);
      }
      if (told.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(told.v_obj);
    }
  }
  return call_original(original, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.GetGlobalFuncMetadata")) return wrap_found(&wrappers[0], metadata, out);
  if (is(name, "ffi.FunctionRemoveGlobal")) return wrap_found(&wrappers[1], remove_global, out);
  return 0;
}
