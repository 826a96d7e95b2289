// story: uses the memory of a device as if it were that of the host
// breaks: foreign-device
#define WITHOUT_DEVICE
#include "add_one.h"
