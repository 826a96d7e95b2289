// story: A code without a name ends the process instead of the call.
// breaks: DTY-0026 crash
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype != NULL && dtype->code > kDLFloat4_e2m1fn && dtype->code < 129) abort();
  return real.TVMFFIDataTypeToString(dtype, out);
}
