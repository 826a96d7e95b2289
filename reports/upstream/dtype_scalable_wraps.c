#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Tells how a text is read; answers 0 if it is refused. */
static int is_read(const char* text) {
  TVMFFIByteArray name = {text, strlen(text)};
  DLDataType dtype;
  if (TVMFFIDataTypeFromString(&name, &dtype) != 0) return printf("%s is refused\n", text), 0;
  printf("%s is read with %d in the field lanes\n", text, (int16_t)dtype.lanes);
  return 1;
}

int main(void) {
  /* No lanes at all, and more than a signed number of 16 bits holds. */
  int nothing = is_read("int32xvscale"), too_many = is_read("int32xvscalex40000");
  return nothing || too_many;
}
