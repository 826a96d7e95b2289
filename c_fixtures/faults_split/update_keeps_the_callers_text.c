// story: update_traceback does not copy the text and points to the caller's.
// breaks: SPL-0020 fail
#include "updated_traceback.h"

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback) { cell_of(self)->traceback = *traceback; }
