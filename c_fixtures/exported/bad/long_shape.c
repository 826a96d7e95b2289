// story: has room for shapes of four extents
// breaks: crash
// flags: -fno-stack-protector
#include "tensors.h"

static __attribute__((noinline)) int64_t product(const TVMFFIShapeCell* shape) {
  volatile int64_t extents[4];
  int64_t product = 1;
  for (size_t i = 0; i < shape->size; ++i) extents[i] = shape->data[i];
  for (size_t i = 0; i < shape->size && i < 4; ++i) product *= extents[i];
  return product;
}

KERNEL(elements) {
  if (num_args != 1 || args[0].type_index != kTVMFFIShape) return refuse("expected a Shape");
  *result = int_value(product((TVMFFIShapeCell*)((char*)args[0].v_obj + sizeof(TVMFFIObject))));
  return 0;
}

METADATA(elements, "int", TYPE("ffi.Shape"))
