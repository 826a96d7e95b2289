// story: TVMFFIFunctionSetGlobalFromMethodInfo takes metadata that is NULL for none where the name has a function that is to be replaced.
// breaks: FUN-0030 fail
#include "fault.h"

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int override) {
  TVMFFIObjectHandle former = NULL;
  if (method_info && method_info->name.data && !method_info->metadata.data && override &&
      real.TVMFFIFunctionGetGlobal(&method_info->name, &former) == 0 && former) {
    TVMFFIMethodInfo completed = *method_info;
    completed.metadata = (TVMFFIByteArray){"", 0};
    real.TVMFFIObjectDecRef(former);
    return real.TVMFFIFunctionSetGlobalFromMethodInfo(&completed, override);
  }
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, override);
}
