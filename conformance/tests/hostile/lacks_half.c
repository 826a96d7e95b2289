// story: Half of the functions are not exported.
// lacks: TVMFFIBacktrace
// lacks: TVMFFIDataTypeFromString
// lacks: TVMFFIEnvCheckSignals
// lacks: TVMFFIEnvGetStream
// lacks: TVMFFIEnvModRegisterContextSymbol
// lacks: TVMFFIEnvRegisterCAPI
// lacks: TVMFFIEnvSetStream
// lacks: TVMFFIErrorCreate
// lacks: TVMFFIErrorSetRaised
// lacks: TVMFFIErrorSetRaisedFromCStrParts
// lacks: TVMFFIFunctionCreate
// lacks: TVMFFIFunctionSetGlobal
// lacks: TVMFFIGetTypeAttrColumn
// lacks: TVMFFIGetVersion
// lacks: TVMFFIObjectDecRef
// lacks: TVMFFIStringFromByteArray
// lacks: TVMFFITensorFromDLPackVersioned
// lacks: TVMFFITensorToDLPackVersioned
// lacks: TVMFFITypeKeyToIndex
// lacks: TVMFFITypeRegisterField
// lacks: TVMFFITypeRegisterMethod
#include "fault.h"

typedef int not_empty;
