// story: A field of a Shape is set after its end.
// breaks: written-after-end
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle make = global("ffi.Shape");
  TVMFFIAny extent = integer(3), result = none();
  must(TVMFFIFunctionCall(make, &extent, 1, &result));
  TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result.v_obj + 1);
  release(result.v_obj);
  cell->size = 0;
  release(make);
  return 0;
}
