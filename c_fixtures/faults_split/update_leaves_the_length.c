// story: update_traceback replaces the text and leaves the length as it was.
// breaks: SPL-0019 fail
// breaks: SPL-0020 fail
#include "updated_traceback.h"

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback) {
  size_t size = cell_of(self)->traceback.size;
  own_update(self, traceback);
  cell_of(self)->traceback.size = size < 8 ? size : 8;
}
