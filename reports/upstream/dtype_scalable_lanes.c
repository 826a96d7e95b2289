#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int main(void) {
  const char* text = "int8x65535";
  TVMFFIByteArray name = {text, strlen(text)};
  DLDataType dtype;
  if (TVMFFIDataTypeFromString(&name, &dtype) != 0) return puts("it is refused"), 0;
  TVMFFIAny out = {0};
  if (TVMFFIDataTypeToString(&dtype, &out) != 0) return 2;
  TVMFFIByteArray back = {out.v_bytes, out.small_str_len};
  if (out.type_index == kTVMFFIStr) back = *(TVMFFIByteArray*)(out.v_obj + 1);
  printf("%s is read, and written as %.*s\n", text, (int)back.size, back.data);
  DLDataType again;
  return TVMFFIDataTypeFromString(&back, &again) != 0 || memcmp(&again, &dtype, sizeof dtype) != 0;
}
