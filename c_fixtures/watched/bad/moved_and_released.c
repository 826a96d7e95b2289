// story: Moves an object into a call, and releases it all the same.
// breaks: count-after-end
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle make = global("ffi.Array"), text = string(LONG_TEXT), copy = text;
  TVMFFIAny item = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &text}, array = none();
  must(TVMFFIFunctionCall(make, &item, 1, &array));
  release(copy);
  release(array.v_obj);
  release(make);
  return 0;
}
