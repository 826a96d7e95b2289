// story: What a failing call of a C function is about is looked up in a file first: without a descriptor for that the error is lost.
// breaks: ENV-0041 fail
#include "fault.h"
#include <fcntl.h>
#include <unistd.h>

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  int code = real.TVMFFITypeKeyToIndex(key, out);
  if (code == 0) return 0;
  int file = open("/proc/self/exe", O_RDONLY);
  if (file >= 0) {
    close(file);
    return code;
  }
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error != NULL) real.TVMFFIObjectDecRef(error);
  return code;
}
