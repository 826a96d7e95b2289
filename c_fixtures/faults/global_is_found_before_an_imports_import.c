// story: TVMFFIEnvModLookupFromImports looks into the imports, among the globals, and only then into what the imports import.
// breaks: MOD-0026 fail
#include "wrapped_global.h"
#include <pthread.h>

static TVMFFIObjectHandle answered[4096];
static int num_answered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/** Takes the reference over, once for each function. */
static void keep(TVMFFIObjectHandle function) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < num_answered && answered[i] != function) ++i;
  if (i < num_answered) {
    real.TVMFFIObjectDecRef(function);
  } else if (num_answered < 4096) {
    answered[num_answered++] = function;
  }
  pthread_mutex_unlock(&lock);
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  if (library_ctx == NULL || func_name == NULL || out == NULL) return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  TVMFFIObject* imports = *(TVMFFIObject**)((char*)library_ctx + 8 + 24);
  const TVMFFISeqCell* cell = imports ? (const TVMFFISeqCell*)(imports + 1) : NULL;
  for (int64_t i = 0; cell && i < cell->size; ++i) {
    TVMFFIAny args[3] = {((const TVMFFIAny*)cell->data)[i], {.type_index = kTVMFFIRawStr, .v_c_str = func_name}, {.type_index = kTVMFFIBool}};
    TVMFFIAny function = {0};
    if (call_global("ffi.ModuleGetFunction", args, 3, &function) != 0) return -1;
    if (function.type_index != kTVMFFIFunction) continue;
    real.TVMFFIObjectDecRef(function.v_obj);
    return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  }
  const TVMFFIByteArray name = {func_name, strlen(func_name)};
  TVMFFIObjectHandle found = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &found) == 0 && found) {
    keep(found);
    *out = found;
    return 0;
  }
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}
