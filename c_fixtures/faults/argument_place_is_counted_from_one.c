// story: The message about an argument of a wrong type counts the arguments from one.
// breaks: ARG-0003 fail
#include "fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result == NULL) return;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*result + 1);
  char* place = strstr(cell->message.data, "argument #");
  if (place != NULL && place[10] >= '0' && place[10] < '9') ++place[10];
}
