// story: ffi.StructuralVisitorVisit takes one reference too many to the interrupt that ended the visit.
// breaks: VIS-0025 fail
#include "wrapped_global.h"
static int visit(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIVisitInterrupt) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}
WRAPPED_GLOBALS(visit, "ffi.StructuralVisitorVisit", "ffi.StructuralVisitorDefaultVisit")
