// story: TVMFFIErrorSetRaisedFromCStrParts copies the NUL with the last part, so where the last part is NULL and is skipped the message has none behind it.
// breaks: ERR-0005 fail
#include "raised_error.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
  if (num_parts < 2 || message_parts == NULL || message_parts[num_parts - 1] != NULL) return;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return;
  TVMFFIByteArray* message = &error_cell(error)->message;
  if (message->size > 0) ((char*)message->data)[message->size] = message->data[message->size - 1];
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
