// story: A type that is registered below one with hooks for keys gets these hooks too.
// breaks: HSH-0019 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  int32_t before = parent == -2 ? 0 : real.TVMFFITypeGetOrAllocIndex(key, -1, 0, 0, 0, -2);
  int32_t index = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
  if (before != -2 || index < 0 || parent < kTVMFFIDynObjectBegin) return index;
  static const char* const names[] = {"__any_hash__", "__any_equal__"};
  for (int i = 0; i < 2; ++i) {
    TVMFFIByteArray name = {names[i], strlen(names[i])};
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
    if (parent >= column->size || column->data[parent].type_index == kTVMFFINone) continue;
    TVMFFIAny hook = column->data[parent];
    real.TVMFFITypeRegisterAttr(index, &name, &hook);
  }
  return index;
}
