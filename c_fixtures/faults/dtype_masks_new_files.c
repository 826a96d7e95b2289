// story: Reading a data type leaves the process with a mask that lets nobody else read its new files.
// breaks: ENV-0040 fail
#include <sys/stat.h>

#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  umask(077);
  return real.TVMFFIDataTypeFromString(str, out);
}
