// story: Gives back the elements of a tensor to the system that it has handed over.
// breaks: tensor-ended
#include "../client.h"

#include <fcntl.h>
#include <sys/mman.h>

int main(void) {
  struct owned_tensor* made = tensor();
  void* data = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY), 0);
  TVMFFIObjectHandle handle = NULL;
  made->managed.dl_tensor.data = data;
  must(TVMFFITensorFromDLPack(&made->managed, 0, 0, &handle));
  munmap(data, 4096);
  release(handle);
  return 0;
}
