// story: TVMCbArgToReturn does not retain an object.
// breaks: LEG-0028 fail
#include "fault.h"

int TVMCbArgToReturn(TVMValue* value, int* code) {
  int before = *code, answer = real.TVMCbArgToReturn(value, code);
  if (answer == 0 && before == kTVMObjectHandle) real.TVMObjectFree(value->v_handle);
  return answer;
}
