// story: The hook that changes objects in place is called for those that others hold, too.
// breaks: VIS-0045 fail
#include "fault.h"

/* The hook of the type that was last given one. */
static struct { int32_t type_index; TVMFFIAny hook; } last;

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_maybe_inplace_mutate__")) {
    int code = real.TVMFFITypeRegisterAttr(type_index, name, value);
    last.type_index = type_index;
    last.hook = *value; /* The type keeps it. */
    return code;
  }
  if (is(name, "__s_mutate__") && last.type_index == type_index && type_index != 0) {
    return real.TVMFFITypeRegisterAttr(type_index, name, &last.hook);
  }
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
