// story: Module::VisitContextSymbols calls back for no symbol.
// breaks: CXX-0021 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT void _ZN3tvm3ffi6Module19VisitContextSymbolsERKNS0_13TypedFunctionIFvNS0_6StringEPvEEE(const TVMFFIObjectHandle* callback);

void _ZN3tvm3ffi6Module19VisitContextSymbolsERKNS0_13TypedFunctionIFvNS0_6StringEPvEEE(const TVMFFIObjectHandle* callback) {
  (void)callback;
}
