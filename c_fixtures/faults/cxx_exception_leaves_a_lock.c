// story: ModuleObj::ImplementsFunction calls the module's method under a lock, which an exception leaves locked.
// breaks: CXX-0018 timeout
#include <pthread.h>
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT bool _ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb(void* module, const TVMFFIAny* name, bool query_imports);

bool _ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb(void* module, const TVMFFIAny* name, bool query_imports) {
  typedef bool function(void* module, const TVMFFIAny* name, bool query_imports);
  function* original = (function*)real_cxx("_ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb");
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool answer = original(module, name, query_imports);
  pthread_mutex_unlock(&lock);
  return answer;
}
