// story: The last reference to an instance of a type that was not built in is not given up when there is no memory for the list of the fields that hold objects.
// breaks: MEM-0004 leak
#include "fault.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object && object->type_index >= kTVMFFIDynObjectBegin &&
      (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    void* fields = room(16 * sizeof(void*));
    if (!fields) return refuse("MemoryError", "no memory for the fields of what ends");
    free(fields);
  }
  return real.TVMFFIObjectDecRef(obj);
}
