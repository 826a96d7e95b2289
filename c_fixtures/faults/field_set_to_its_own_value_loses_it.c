// story: The setter of a VisitInterrupt's value gives one reference too many up when it is given the object that the field holds.
// breaks: INS-0004 fail
// chance: Freed memory is used.
#include <pthread.h>
#include "fault.h"

static TVMFFIFieldSetter original;

static int set(void* field, const TVMFFIAny* value) {
  TVMFFIAny* held = field;
  int same = held->type_index >= kTVMFFIStaticObjectBegin && value->type_index == held->type_index && value->v_obj == held->v_obj;
  int code = original(field, value);
  if (code == 0 && same) real.TVMFFIObjectDecRef(held->v_obj);
  return code;
}

static void put(void) {
  TVMFFIFieldInfo* field = (TVMFFIFieldInfo*)real.TVMFFIGetTypeInfo(kTVMFFIVisitInterrupt)->fields;
  original = (TVMFFIFieldSetter)field->setter;
  field->setter = (void*)set;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, put);
  return real.TVMFFIGetTypeInfo(type_index);
}
