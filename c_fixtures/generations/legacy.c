/*
 * A small runtime of the legacy generation: functions, the table of global ones, and the error text of each thread. What it
 * does not need to be told by, it does not have.
 */
#include <stdlib.h>
#include <string.h>
#include <tvm/runtime/c_runtime_api.h>

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static _Thread_local char* last_error;

TVM_DLL void TVMAPISetLastError(const char* msg) {
  char* copy = strdup(msg);
  free(last_error);
  last_error = copy;
}

TVM_DLL const char* TVMGetLastError(void) { return last_error; }

static int refuse(const char* message) {
  TVMPackedFuncSetLastError(message);
  return -1;
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

typedef struct {
  int references;
  TVMFrontendCPackedFunc callback;
  void* resource;
  TVMPackedCFuncFinalizer finalizer;
} Function;

/** Where a callback leaves its result. */
typedef struct {
  TVMValue value;
  int code;
} Result;

TVM_DLL int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin,
                                   TVMFunctionHandle* out) {
  Function* function = malloc(sizeof(Function));
  if (!function) return refuse("MemoryError: no memory for a function");
  *function = (Function){1, func, resource_handle, fin};
  *out = function;
  return 0;
}

TVM_DLL int TVMFuncFree(TVMFunctionHandle func) {
  Function* function = func;
  if (!function || __atomic_sub_fetch(&function->references, 1, __ATOMIC_ACQ_REL)) return 0;
  if (function->finalizer) function->finalizer(function->resource);
  free(function);
  return 0;
}

TVM_DLL int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val,
                        int* ret_type_code) {
  Function* function = func;
  Result result = {{0}, kTVMNullptr};
  if (function->callback(arg_values, type_codes, num_args, &result, function->resource)) return -1;
  *ret_val = result.value;
  *ret_type_code = result.code;
  return 0;
}

TVM_DLL int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  if (num_ret != 1) return refuse("ValueError: a function answers one value");
  *(Result*)ret = (Result){*value, *type_code};
  return 0;
}

/* ---- Global functions -------------------------------------------------------------------------------------------- */

static struct {
  const char* name;
  Function* function;
} globals[16];
enum { GLOBALS = sizeof globals / sizeof globals[0] };

TVM_DLL int TVMFuncRegisterGlobal(const char* name, TVMFunctionHandle f, int override) {
  for (int i = 0; i < GLOBALS; ++i) {
    if (globals[i].name && strcmp(globals[i].name, name) != 0) continue;
    if (globals[i].name && !override) return refuse("ValueError: the name is taken");
    if (!globals[i].name) globals[i].name = strdup(name);
    __atomic_add_fetch(&((Function*)f)->references, 1, __ATOMIC_RELAXED);
    globals[i].function = f;
    return 0;
  }
  return refuse("MemoryError: no room for another global function");
}

TVM_DLL int TVMFuncGetGlobal(const char* name, TVMFunctionHandle* out) {
  *out = NULL;
  for (int i = 0; i < GLOBALS && globals[i].name; ++i) {
    if (strcmp(globals[i].name, name) != 0) continue;
    __atomic_add_fetch(&globals[i].function->references, 1, __ATOMIC_RELAXED);
    *out = globals[i].function;
  }
  return 0;
}

TVM_DLL int TVMBackendGetFuncFromEnv(void* mod_node, const char* func_name, TVMFunctionHandle* out) {
  (void)mod_node;
  if (TVMFuncGetGlobal(func_name, out) || !*out) return refuse("ValueError: no such function");
  return TVMFuncFree(*out);
}
