#include <stdio.h>
#include <tvm/ffi/c_api.h>

static const float data[4] = {1, 2, 3, 4};
static int64_t shape[1] = {4}, strides[1] = {1};

int main(void) {
  DLManagedTensorVersioned own = {
      .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
      .flags = DLPACK_FLAG_BITMASK_READ_ONLY,
      .dl_tensor = {(void*)data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0},
  };
  TVMFFIObjectHandle tensor = NULL;
  DLManagedTensorVersioned* exported = NULL;
  if (TVMFFITensorFromDLPackVersioned(&own, 0, 0, &tensor) != 0) return 0; /* It may well be refused. */
  if (TVMFFITensorToDLPackVersioned(tensor, &exported) != 0) return 0;
  int read_only = (exported->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  printf("data that may not be written is handed on %s\n", read_only ? "as such" : "as if it might");
  exported->deleter(exported);
  TVMFFIObjectDecRef(tensor);
  return !read_only;
}
