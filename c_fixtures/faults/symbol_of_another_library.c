// story: One function is only passed on: its symbol leads into another library.
// breaks: SYM-0004 fail
#include "fault.h"

static __typeof__(&TVMFFITensorCreateUnsafeView) elsewhere(void) { return real.TVMFFITensorCreateUnsafeView; }

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out)
    __attribute__((ifunc("elsewhere")));
