// story: A function that is registered as the attribute of a type, and is that of an ancestor already, is not stored, as though types inherited their attributes.
// breaks: RFL-0021 fail
#include "known_type.h"

static int has_entry(const TVMFFITypeAttrColumn* column, int32_t index) {
  return index < column->size && column->data[index].type_index != kTVMFFINone;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  int is_tried = type_index > kTVMFFIObject && name && name->data && value && value->type_index == kTVMFFIFunction;
  const TVMFFITypeAttrColumn* column = is_tried ? real.TVMFFIGetTypeAttrColumn(name) : NULL;
  if (column && is_known_type(type_index) && !has_entry(column, type_index)) {
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
    for (int32_t depth = 0; depth < info->type_depth; ++depth) {
      int32_t ancestor = info->type_ancestors[depth]->type_index;
      if (has_entry(column, ancestor) && column->data[ancestor].type_index == kTVMFFIFunction &&
          column->data[ancestor].v_obj == value->v_obj) {
        return 0;
      }
    }
  }
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
