// story: No NUL follows the message of an error raised from C strings.
// breaks: ERR-0005 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  real.TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
  ((char*)cell->message.data)[cell->message.size] = '!';
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
