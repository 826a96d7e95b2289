// story: What a C hook records for a variable by the function of the mutator that it is given is forgotten.
// breaks: VIS-0055 fail
#include "stand_in_engine.h"

static TVMFFIAny mutate(TVMFFIObjectHandle copy, TVMFFIAny value) {
  return engine_functions(behind(copy))[0](behind(copy), value);
}

static TVMFFIAny mutate_in_place(TVMFFIObjectHandle copy, TVMFFIAny value) {
  return engine_functions(behind(copy))[1](behind(copy), value);
}

static TVMFFIAny replacement(TVMFFIObjectHandle copy, TVMFFIAny variable) {
  return engine_functions(behind(copy))[2](behind(copy), variable);
}

static TVMFFIAny replace(TVMFFIObjectHandle copy, TVMFFIAny variable) {
  (void)copy, (void)variable;
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  const engine_function functions[4] = {mutate, mutate_in_place, replacement, replace};
  memcpy(stand_in_functions, functions, sizeof(functions));
  if (is(name, "__s_mutate__")) return register_stand_in(type_index, name, value);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
