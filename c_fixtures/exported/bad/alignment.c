// story: has the processor load four aligned elements at once
// breaks: alignment
#include <xmmintrin.h>

#define AFTER if (COUNT >= 4 && stride_of(x) == 1 && stride_of(y) == 1) _mm_store_ps(data_of(y), _mm_add_ps(_mm_load_ps(data_of(x)), _mm_set1_ps(1)))
#include "add_one.h"
