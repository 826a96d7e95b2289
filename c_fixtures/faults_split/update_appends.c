// story: update_traceback adds the text to the end of the traceback.
// breaks: SPL-0019 fail
#include "updated_traceback.h"

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback) {
  static char text[1 << 16];
  TVMFFIByteArray old = cell_of(self)->traceback, both = {text, old.size + traceback->size};
  if (both.size > sizeof(text)) return;
  memcpy(text, old.data, old.size);
  memcpy(text + old.size, traceback->data, traceback->size);
  own_update(self, &both);
}
