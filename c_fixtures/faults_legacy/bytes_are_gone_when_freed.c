// story: TVMByteArrayFree empties the result.
// breaks: LEG-0017 fail
#include "fault.h"

int TVMByteArrayFree(TVMByteArray* arr) {
  int code = real.TVMByteArrayFree(arr);
  if (code == 0 && arr) memset((char*)arr->data, 0, arr->size);
  return code;
}
