// story: has no words for its errors
// breaks: error-message
#define REFUSE(message) return (TVMFFIErrorSetRaisedFromCStr("ValueError", message == NULL ? "?" : ""), -1)
#include "add_one.h"
