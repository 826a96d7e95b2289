// story: ffi.MakeObjectFromPackedArgs stores an integer right into a field of 64 bits that is registered without a setter, where all fields are given.
// breaks: INS-0029 fail
#include "known_type.h"

#define MOST 16

static const TVMFFIAny* given(const TVMFFIAny* args, int32_t num_args, const TVMFFIFieldInfo* field) {
  for (int32_t i = 1; i + 1 < num_args; i += 2) {
    const TVMFFIByteArray name = text_of(&args[i]);
    if (name.size == field->name.size && memcmp(name.data, field->name.data, name.size) == 0) return &args[i + 1];
  }
  return NULL;
}

static int is_stored_at_once(const TVMFFIFieldInfo* field) {
  return !field->setter && field->size == 8 && field->field_static_type_index == kTVMFFIInt;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFITypeInfo* info = NULL;
  const TVMFFIAny* values[MOST];
  int without = 0;
  if (num_args >= 3 && args[0].type_index == kTVMFFIInt && is_known_type((int32_t)args[0].v_int64)) {
    info = real.TVMFFIGetTypeInfo((int32_t)args[0].v_int64);
  }
  if (!info || info->type_depth != 1 || !info->metadata || !info->metadata->creator || info->num_fields > MOST ||
      num_args != 1 + 2 * info->num_fields) {
    return call_original(original, args, num_args, result);
  }
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    const int at_once = is_stored_at_once(field);
    values[i] = given(args, num_args, field);
    if (!values[i] || (at_once && values[i]->type_index != kTVMFFIInt) || (!at_once && !field->setter) ||
        (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
      return call_original(original, args, num_args, result);
    }
    without += at_once;
  }
  TVMFFIObjectHandle made = NULL;
  if (!without) return call_original(original, args, num_args, result);
  if (info->metadata->creator(&made) != 0) return -1;
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    char* place = (char*)made + field->offset;
    if (is_stored_at_once(field)) {
      memcpy(place, &values[i]->v_int64, sizeof(int64_t));
    } else if (((TVMFFIFieldSetter)field->setter)(place, values[i]) != 0) {
      real.TVMFFIObjectDecRef(made);
      return -1;
    }
  }
  *result = (TVMFFIAny){.type_index = ((TVMFFIObject*)made)->type_index, .v_obj = made};
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
