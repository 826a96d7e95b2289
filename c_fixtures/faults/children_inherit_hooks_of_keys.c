// story: A type that is registered below one with hooks for keys has the hooks of its parent, until it is given others.
// breaks: HSH-0019 fail
#include "fault.h"

static const TVMFFIByteArray hooks[2] = {{"__any_hash__", 12}, {"__any_equal__", 13}};
static char inherited[2][1 << 16];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  int known = type_key && real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2) >= 0;
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (known || index < 0 || index >= 1 << 16 || parent_type_index < kTVMFFIDynObjectBegin) return index;
  for (int i = 0; i < 2; ++i) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&hooks[i]);
    if (!column || parent_type_index >= column->size) continue;
    TVMFFIAny hook = column->data[parent_type_index];
    if (hook.type_index == kTVMFFINone || real.TVMFFITypeRegisterAttr(index, &hooks[i], &hook) != 0) continue;
    __atomic_store_n(&inherited[i][index], 1, __ATOMIC_RELEASE);
  }
  return index;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  for (int i = 0; i < 2; ++i) {
    if (!is(attr_name, hooks[i].data) || type_index <= 0 || type_index >= 1 << 16 || !attr_value) continue;
    if (!__atomic_exchange_n(&inherited[i][type_index], 0, __ATOMIC_ACQ_REL)) continue;
    TVMFFIAny* entry = (TVMFFIAny*)&real.TVMFFIGetTypeAttrColumn(attr_name)->data[type_index];
    TVMFFIAny former = *entry;
    if (real.TVMFFIAnyViewToOwnedAny(attr_value, entry) != 0) return -1;
    if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
    return 0;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
