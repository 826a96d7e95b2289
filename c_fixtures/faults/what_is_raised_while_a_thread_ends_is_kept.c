// story: At the end of a thread its raised error is released, and what the deleter of that error raises in turn is stored where nobody looks any more.
// breaks: ERR-0021 leak
#include "fault.h"
extern int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* dso);
extern void* __dso_handle;
static _Thread_local int known, ending;
static void end(void* unused) {
  TVMFFIObjectHandle raised = NULL;
  ending = 1;
  real.TVMFFIErrorMoveFromRaised(&raised);
  if (raised) real.TVMFFIObjectDecRef(raised);
}
void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (ending && error) {
    real.TVMFFIObjectIncRef(error);
    return;
  }
  real.TVMFFIErrorSetRaised(error);
  if (!known) __cxa_thread_atexit_impl(end, NULL, &__dso_handle);
  known = 1;
}
