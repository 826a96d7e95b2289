#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int main(void) {
  const char* text = "int18446744073709551624"; /* 2^64 + 8 bits */
  TVMFFIByteArray name = {text, strlen(text)};
  DLDataType dtype;
  if (TVMFFIDataTypeFromString(&name, &dtype) != 0) return puts("it is refused"), 0;
  printf("it is read as %d bits\n", dtype.bits);
  return 1;
}
