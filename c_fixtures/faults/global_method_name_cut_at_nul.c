// story: TVMFFIFunctionSetGlobalFromMethodInfo takes the name as a C string and registers the function under what stands before a NUL.
// breaks: GLB-0009 fail
// breaks: GLB-0013 fail
#include "fault.h"

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  if (!method_info || !method_info->name.size) return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
  TVMFFIMethodInfo copy = *method_info;
  copy.name.size = strnlen(copy.name.data, copy.name.size);
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(&copy, allow_override);
}
