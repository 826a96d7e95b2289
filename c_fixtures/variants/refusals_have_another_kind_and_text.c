// story: A type key that nobody has is refused with a LookupError, a global name that is taken with a NameError, an attribute that is taken with an AttributeError, each with a text of its own.
// admitted: TYP-0008 'fails with an error raised', GLB-0005 'raises an error, and the name keeps its function', RFL-0026 'an error is raised, and the first value stays': no kind and no text is promised there.
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (type_key && out_tindex && real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2) == -2) return refuse("LookupError", "who is that?");
  return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
}

/** Whether the name has a function, which may be taken away at any time: then the original decides. */
static int is_taken(const TVMFFIByteArray* name) {
  TVMFFIObjectHandle function = NULL;
  if (!name || real.TVMFFIFunctionGetGlobal(name, &function) != 0 || !function) return 0;
  real.TVMFFIObjectDecRef(function);
  return 1;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (f && !allow_override && is_taken(name)) return refuse("NameError", "somebody else has this name");
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index > 0 && attr_name && attr_value && attr_value->type_index != kTVMFFINone) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
    if (column) {
      /* The size first: the entries are at least as new. */
      const int32_t size = __atomic_load_n(&column->size, __ATOMIC_ACQUIRE), index = type_index - column->begin_index;
      const TVMFFIAny* entries = __atomic_load_n(&column->data, __ATOMIC_ACQUIRE);
      if (index >= 0 && index < size && entries[index].type_index != kTVMFFINone) return refuse("AttributeError", "the type has this attribute");
    }
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
