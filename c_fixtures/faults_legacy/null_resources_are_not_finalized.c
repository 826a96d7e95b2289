// story: A finalizer does not run for a resource that is NULL.
// breaks: LEG-0022 fail
#include "fault.h"

int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin, TVMFunctionHandle* out) {
  return real.TVMFuncCreateFromCFunc(func, resource_handle, resource_handle ? fin : NULL, out);
}
