// story: A type that is registered below one with the hooks `__any_hash__` and `__any_equal__` inherits them.
// breaks: HSH-0019 fail
#include "fault.h"
static const TVMFFIByteArray hooks[2] = {{"__any_hash__", 12}, {"__any_equal__", 13}};
static unsigned char inherited[65536];
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  int32_t known = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, -2);
  int32_t index = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
  for (int i = 0; known == -2 && parent > kTVMFFIObject && index >= 0 && index < 65536 && i < 2; ++i) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&hooks[i]);
    if (column->size <= parent || column->data[parent].type_index == kTVMFFINone) continue;
    TVMFFIAny hook = column->data[parent];
    if (real.TVMFFITypeRegisterAttr(index, &hooks[i], &hook) == 0) inherited[index] |= 1 << i;
  }
  return index;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  for (int i = 0; i < 2; ++i) {
    if (type_index <= 0 || type_index >= 65536 || !(inherited[type_index] >> i & 1) || !name || !value || !is(name, hooks[i].data)) continue;
    inherited[type_index] &= ~(1 << i);
    return real.TVMFFIAnyViewToOwnedAny(value, (TVMFFIAny*)&real.TVMFFIGetTypeAttrColumn(&hooks[i])->data[type_index]);
  }
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
