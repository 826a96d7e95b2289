/* A library of the same form as `loaded`, whose function has another name. */
#include <stdlib.h>
#include <tvm/ffi/c_api.h>

__attribute__((constructor)) static void initialise(void) {
  for (int round = 0; round < 20; round++) {
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorSetRaisedFromCStr("ValueError", "raised while a library is loaded");
    TVMFFIErrorMoveFromRaised(&error);
    if (error == NULL) abort();
    TVMFFIObjectDecRef(error);
  }
}

__attribute__((visibility("default"), noinline)) int raise_by_another(void) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "raised by a library");
  return -1; /* so that there is something left to do after the call */
}
