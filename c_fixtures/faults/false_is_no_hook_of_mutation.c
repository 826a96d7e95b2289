// story: A class that says `__s_mutate__ = False` is to be mutated by its fields, as Python people write it, so false is taken for no entry in that column.
// breaks: VIS-0058 fail
#include "fault.h"
#include "shown_column.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!is(attr_name, "__s_mutate__")) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  pthread_mutex_lock(&shadow_lock);
  int code = 0;
  for (int i = 0; i < num_shadow_entries && code == 0; ++i) {
    if (shadow_entries[i].type == type_index) code = refuse("RuntimeError", "TypeAttr `__s_mutate__` is already registered");
  }
  if (code == 0) {
    if (attr_value && attr_value->type_index == kTVMFFIBool && !attr_value->v_int64 && type_index >= kTVMFFIDynObjectBegin &&
        num_shadow_entries < 4096) {
      shadow_entries[num_shadow_entries].type = type_index;
      shadow_entries[num_shadow_entries++].shown = *attr_value;
    } else {
      code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
    }
    if (code == 0) refresh_shadow(attr_name);
  }
  pthread_mutex_unlock(&shadow_lock);
  return code;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  if (!is(attr_name, "__s_mutate__")) return real.TVMFFIGetTypeAttrColumn(attr_name);
  pthread_mutex_lock(&shadow_lock);
  refresh_shadow(attr_name);
  pthread_mutex_unlock(&shadow_lock);
  return &shadow_column;
}
