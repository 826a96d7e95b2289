// story: The kind of region behind the header of the visitor that a C hook is given is a copy: what the hook writes there counts for nothing.
// breaks: VIS-0055 fail
#include "stand_in_engine.h"

static TVMFFIAny visit(TVMFFIObjectHandle copy, TVMFFIAny value) {
  return engine_functions(behind(copy))[0](behind(copy), value);
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  stand_in_functions[0] = visit;
  if (is(name, "__s_visit__")) return register_stand_in(type_index, name, value);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
