// story: The variable of an r-value reference still has its handle after it was taken.
// breaks: LEG-0027 fail
#include "fault.h"

int TVMCbArgToReturn(TVMValue* value, int* code) {
  void** variable = *code == kTVMObjectRValueRefArg ? value->v_handle : NULL;
  void* object = variable ? *variable : NULL;
  int answer = real.TVMCbArgToReturn(value, code);
  if (variable) *variable = object;
  return answer;
}
