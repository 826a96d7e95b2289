#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static int deleted;
static void count(DLManagedTensorVersioned* self) { (void)self, ++deleted; }

int main(void) {
  static int64_t shape[1] = {2}, strides[1] = {1};
  static float data[2];
  static DLManagedTensorVersioned managed; /* of a version whose other fields nobody knows */
  managed.version.major = 99;
  managed.deleter = count;
  managed.dl_tensor = (DLTensor){data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0};
  TVMFFIObjectHandle out = NULL;
  int code = TVMFFITensorFromDLPackVersioned(&managed, 0, 0, &out);
  printf("a tensor of DLPack 99 is %s\n", code ? "refused" : "taken");
  return code == 0;
}
