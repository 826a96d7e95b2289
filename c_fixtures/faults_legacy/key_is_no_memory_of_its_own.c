// story: The key that TVMObjectTypeIndex2Key answers is the library's.
// breaks: LEG-0043 crash
#include "fault.h"

int TVMObjectTypeIndex2Key(unsigned tindex, char** out_type_key) {
  static char key[64];
  char* found = NULL;
  int code = real.TVMObjectTypeIndex2Key(tindex, &found);
  if (code != 0) return code;
  snprintf(key, sizeof(key), "%s", found);
  free(found);
  *out_type_key = key;
  return 0;
}
