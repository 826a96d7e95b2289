// story: A function that is registered with a description is registered without its metadata.
// breaks: GLB-0014 fail
#include "fault.h"

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  if (method_info == NULL) return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  TVMFFIMethodInfo bare = *method_info;
  bare.metadata = (TVMFFIByteArray){NULL, 0};
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(&bare, allow_override);
}
