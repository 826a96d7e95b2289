// story: makes an error and forgets it
// breaks: leak
#include <tvm/ffi/c_api.h>

static int raise(const char* message) {
  TVMFFIByteArray kind = {"ValueError", 10}, text = {message, 8}, none = {"", 0};
  TVMFFIObjectHandle error;
  if (TVMFFIErrorCreate(&kind, &text, &none, &error) == 0) TVMFFIErrorSetRaised(error);
  return -1;
}

#define REFUSE(message) return raise(message)
#include "add_one.h"
