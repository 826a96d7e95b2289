// story: The content of a String moves to a block of its own when a second reference is taken.
// breaks: STR-0020 fail
#include "fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  if (obj && header->type_index == kTVMFFIStr && (uint32_t)header->combined_ref_count == 1) {
    TVMFFIByteArray* cell = (TVMFFIByteArray*)(header + 1);
    char* copy = malloc(cell->size + 1);
    memcpy(copy, cell->data, cell->size);
    copy[cell->size] = 0;
    cell->data = copy;
  }
  return real.TVMFFIObjectIncRef(obj);
}
