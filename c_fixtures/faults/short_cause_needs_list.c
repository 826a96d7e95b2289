// story: TVMFFIErrorMoveFromRaised lists the causes of an error to see that they form no circle, and hands nothing over, and drops the error, where there is no memory for the list.
// breaks: MEM-0004 fail
#include "fault.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (!*result || !((TVMFFIErrorCell*)((TVMFFIObject*)*result + 1))->cause_chain) return;
  void* causes = room(8 * sizeof(void*));
  if (!causes) {
    real.TVMFFIObjectDecRef(*result);
    *result = NULL;
    return;
  }
  free(causes);
}
