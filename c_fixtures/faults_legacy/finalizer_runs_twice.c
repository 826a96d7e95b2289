// story: A finalizer runs twice.
// breaks: LEG-0022 fail
// breaks: LEG-0023 fail
#include "fault.h"

struct wrapped {
  TVMFrontendCPackedFunc func;
  void* resource;
  TVMPackedCFuncFinalizer fin;
};

static int call(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  struct wrapped* wrapped = resource;
  return wrapped->func(args, codes, count, ret, wrapped->resource);
}

static void end(void* resource) {
  struct wrapped* wrapped = resource;
  if (wrapped->fin) wrapped->fin(wrapped->resource), wrapped->fin(wrapped->resource);
  free(wrapped);
}

int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin, TVMFunctionHandle* out) {
  struct wrapped* wrapped = malloc(sizeof(*wrapped));
  if (!func) return real.TVMFuncCreateFromCFunc(func, resource_handle, fin, out);
  wrapped->func = func, wrapped->resource = resource_handle, wrapped->fin = fin;
  return real.TVMFuncCreateFromCFunc(call, wrapped, end, out);
}
