// story: TVMFuncCall answers the code that the callback answered.
// breaks: LEG-0008 fail
#include "fault.h"

struct wrapped {
  TVMFrontendCPackedFunc func;
  void* resource;
  TVMPackedCFuncFinalizer fin;
};

static __thread int answered;

static int call(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  struct wrapped* wrapped = resource;
  return answered = wrapped->func(args, codes, count, ret, wrapped->resource);
}

static void end(void* resource) {
  struct wrapped* wrapped = resource;
  if (wrapped->fin) wrapped->fin(wrapped->resource);
  free(wrapped);
}

int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin, TVMFunctionHandle* out) {
  struct wrapped* wrapped = malloc(sizeof(*wrapped));
  if (!func) return real.TVMFuncCreateFromCFunc(func, resource_handle, fin, out);
  wrapped->func = func, wrapped->resource = resource_handle, wrapped->fin = fin;
  return real.TVMFuncCreateFromCFunc(call, wrapped, end, out);
}

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code;
  answered = 0;
  code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  return code != 0 && answered != 0 ? answered : code;
}
