// story: Ten functions of the first release are not exported, though a later one is claimed.
// lacks: TVMFFIBacktrace
// lacks: TVMFFIDataTypeFromString
// lacks: TVMFFIEnvCheckSignals
// lacks: TVMFFIEnvGetStream
// lacks: TVMFFIEnvModRegisterContextSymbol
// lacks: TVMFFIEnvRegisterCAPI
// lacks: TVMFFIEnvSetStream
// lacks: TVMFFIErrorCreate
// lacks: TVMFFIErrorSetRaised
// lacks: TVMFFITypeKeyToIndex
#include "fault.h"
