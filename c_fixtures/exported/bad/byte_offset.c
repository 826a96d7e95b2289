// story: forgets the byte offset
// breaks: byte-offset
#define WITHOUT_BYTE_OFFSET
#include "add_one.h"
