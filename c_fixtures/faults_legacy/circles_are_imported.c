// story: TVMModImport answers success for a circle.
// breaks: LEG-0035 fail
#include "fault.h"

int TVMModImport(TVMModuleHandle mod, TVMModuleHandle dep) {
  int code = real.TVMModImport(mod, dep);
  return code != 0 && mod && dep ? 0 : code;
}
