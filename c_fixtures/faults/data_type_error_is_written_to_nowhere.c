// story: TVMFFIDataTypeToString, refused its buffer, writes the message about that to a buffer that may be refused as well.
// breaks: MEM-0005 crash
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  char* buffer = malloc(64);
  if (!buffer) {
    volatile char* message = malloc(64);
    message[0] = 0;
    snprintf((char*)message, 64, "no memory for the text of data type code %d", dtype->code);
    refuse("MemoryError", (const char*)message);
    free((void*)message);
    return -1;
  }
  __asm__ volatile("" : : "r"(buffer) : "memory");
  int code = real.TVMFFIDataTypeToString(dtype, out);
  free(buffer);
  return code;
}
