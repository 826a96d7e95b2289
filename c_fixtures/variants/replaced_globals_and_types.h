/*
 * Variants that register types and attributes as well when they install their functions: whoever asks for one of either comes after that.
 */
#ifndef TVM_FFI_REPLACED_GLOBALS_AND_TYPES_H_
#define TVM_FFI_REPLACED_GLOBALS_AND_TYPES_H_

#include "replaced_globals.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  pthread_once(&once, install);
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow,
                                        parent_type_index);
}
int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_once(&once, install);
  return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  pthread_once(&once, install);
  return real.TVMFFIGetTypeInfo(type_index);
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  pthread_once(&once, install);
  return real.TVMFFIGetTypeAttrColumn(attr_name);
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  pthread_once(&once, install);
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

#endif
