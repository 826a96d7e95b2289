#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int main(void) {
  TVMFFIByteArray text = {"a string and no tensor", 22};
  TVMFFIAny value = {0};
  if (TVMFFIStringFromByteArray(&text, &value) != 0) return 2;
  DLManagedTensor* exported = NULL;
  int code = TVMFFITensorToDLPack(value.v_obj, &exported);
  printf("a String is %s\n", code ? "refused" : "exported as a tensor");
  return code == 0;
}
