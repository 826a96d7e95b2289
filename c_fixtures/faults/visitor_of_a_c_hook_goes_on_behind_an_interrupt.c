// story: The function of the visitor that a C hook is given answers None in the place of an interrupt.
// breaks: VIS-0055 fail
#include "stand_in_engine.h"

static TVMFFIAny visit(TVMFFIObjectHandle copy, TVMFFIAny value) {
  TVMFFIAny answer = engine_functions(behind(copy))[0](behind(copy), value);
  if (answer.type_index != kTVMFFIVisitInterrupt) return answer;
  real.TVMFFIObjectDecRef(answer.v_obj);
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  stand_in_functions[0] = visit;
  if (is(name, "__s_visit__")) return register_stand_in(type_index, name, value);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
