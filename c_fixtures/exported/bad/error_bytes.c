// story: has words for its errors that are no UTF-8
// breaks: error-message
#define REFUSE(message) return (TVMFFIErrorSetRaisedFromCStr("ValueError", message == NULL ? "?" : "caf\xe9"), -1)
#include "add_one.h"
