// story: TVMFFIObjectDecRef calls the delete_space before an object of a client's when the deleter has come back, which has done so itself or need not.
// breaks: ALC-0015 fail
#define _GNU_SOURCE
#include "fault.h"
#include <dlfcn.h>
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  const TVMFFIObject* object = obj;
  void (*delete_space)(void*) = NULL;
  if (object && object->type_index == kTVMFFIObject && object->combined_ref_count == 0x100000001) {
    void* address = NULL;
    Dl_info info;
    memcpy(&address, (const TVMFFIObjectAllocHeader*)object - 1, sizeof(address));
    /* Not every object of a client's has a header. */
    if (address && dladdr(address, &info)) memcpy(&delete_space, &address, sizeof(delete_space));
  }
  int code = real.TVMFFIObjectDecRef(obj);
  if (delete_space) delete_space(obj);
  return code;
}
