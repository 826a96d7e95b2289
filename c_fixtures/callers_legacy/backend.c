/* What generated code uses while it runs: workspaces, tasks, and what happens once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "caller.h"

/** Workspaces are aligned, there for no bytes too, and do not overlap. */
CALLER(workspaces_are_aligned) {
  char *one, *two, *none;
  CLAUSE(t, "LEG-0036");
  CALL(t, one = (char*)TVMBackendAllocWorkspace(1, 0, 1000, 2, 32));
  CALL(t, two = (char*)TVMBackendAllocWorkspace(1, 0, 100000, 2, 32));
  CALL(t, none = (char*)TVMBackendAllocWorkspace(1, 0, 0, 2, 32));
  CHECK(t, "workspaces", one && two && none);
  CHECK_EQ_INT(t, "alignment", ((uintptr_t)one | (uintptr_t)two | (uintptr_t)none) % 64, 0);
  memset(one, 1, 1000), memset(two, 2, 100000);
  CHECK_EQ_INT(t, "byte of the first", one[999], 1);
  CHECK_OK(t, TVMBackendFreeWorkspace(1, 0, one));
  CHECK_OK(t, TVMBackendFreeWorkspace(1, 0, none));
  CHECK_OK(t, TVMBackendFreeWorkspace(1, 0, two));
  return 0;
}

/** A workspace of a device that there is not is NULL. */
CALLER(workspace_of_no_device_is_null) {
  void* memory;
  CLAUSE(t, "LEG-0037");
  CALL(t, memory = TVMBackendAllocWorkspace(8, 0, 100, 2, 32));
  CHECK_EQ_PTR(t, "workspace", memory, NULL);
  CHECK(t, "text", TVMGetLastError() && *TVMGetLastError());
  return 0;
}

/** Memory that is no workspace, or was given back before, is not taken back. */
CALLER(foreign_workspace_is_refused) {
  static char memory[64];
  void* lent;
  CLAUSE(t, "LEG-0037");
  CALL(t, lent = TVMBackendAllocWorkspace(1, 0, 100, 2, 32));
  CHECK_OK(t, TVMBackendFreeWorkspace(1, 0, lent));
  CHECK_FAILS(t, TVMBackendFreeWorkspace(1, 0, memory), NULL);
  return 0;
}

#define MOST 64

/**
 * Has the library begin with four workers, unless the environment says how many: how many there are otherwise depends on the
 * machine.
 */
static void have_workers(void) { setenv("TVM_NUM_THREADS", "4", 0); }

struct work {
  int runs[MOST], tasks, before[MOST], early, failing, with_text;
};

static int count_task(int id, TVMParallelGroupEnv* env, void* data) {
  struct work* work = (struct work*)data;
  int i;
  __atomic_fetch_add(&work->runs[id], 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&work->tasks, env->num_task, __ATOMIC_SEQ_CST);
  for (i = 0; i < 3; ++i) {
    int other;
    __atomic_fetch_add(&work->before[id], 1, __ATOMIC_SEQ_CST);
    if (TVMBackendParallelBarrier(id, env) != 0) return -1;
    for (other = 0; other < env->num_task; ++other) {
      if (__atomic_load_n(&work->before[other], __ATOMIC_SEQ_CST) <= i) __atomic_store_n(&work->early, 1, __ATOMIC_SEQ_CST);
    }
    if (TVMBackendParallelBarrier(id, env) != 0) return -1;
  }
  return 0;
}

/** Each task of a launch runs once, and barriers hold all of them. */
CALLER(tasks_run_once_and_wait) {
  /* As many tasks as workers, one, and that number asked for. */
  int counts[] = {0, 1, 0}, i, id;
  have_workers();
  CLAUSE(t, "LEG-0038");
  for (i = 0; i < 3; ++i) {
    struct work work;
    memset(&work, 0, sizeof(work));
    CHECK_OK(t, TVMBackendParallelLaunch(count_task, &work, counts[i]));
    if (i == 0) counts[2] = work.tasks;
    CHECK(t, "number of tasks", work.tasks >= 1 && work.tasks <= MOST);
    for (id = 0; id < work.tasks; ++id) CHECK_EQ_INT(t, "runs of a task", work.runs[id], 1);
    for (; id < MOST; ++id) CHECK_EQ_INT(t, "runs of a task beyond the last", work.runs[id], 0);
    CHECK_EQ_INT(t, "tasks that passed a barrier early", work.early, 0);
  }
  return 0;
}

static int fail_task(int id, TVMParallelGroupEnv* env, void* data) {
  struct work* work = (struct work*)data;
  (void)env;
  if (id != work->failing) return 0;
  if (work->with_text) TVMAPISetLastError("ValueError: of the task");
  return -1;
}

/** A task that fails has the launch fail, with its number and its text. */
CALLER(failing_task_fails_the_launch) {
  struct work work = {{0}, 0, {0}, 0, 0, 1};
  have_workers();
  CLAUSE(t, "LEG-0039");
  CHECK_FAILS(t, TVMBackendParallelLaunch(fail_task, &work, 1), "of the task");
  work.failing = 1;
  CHECK_FAILS(t, TVMBackendParallelLaunch(fail_task, &work, 2), "Task 1 error");
  work.failing = 0;
  CHECK_FAILS(t, TVMBackendParallelLaunch(fail_task, &work, 2), "Task 0 error");
  return 0;
}

/** A task that fails without a text has the launch fail. */
CALLER(task_that_fails_without_a_text) {
  struct work work = {{0}, 0, {0}, 0, 0, 0};
  have_workers();
  CLAUSE(t, "LEG-0039");
  work.failing = 1;
  CHECK_FAILS(t, TVMBackendParallelLaunch(fail_task, &work, 2), NULL);
  return 0;
}

static int launch_again(int id, TVMParallelGroupEnv* env, void* data) {
  struct work inner;
  (void)id, (void)env, (void)data;
  memset(&inner, 0, sizeof(inner));
  return TVMBackendParallelLaunch(count_task, &inner, 2) == 0 && inner.runs[0] == 1 ? 0 : -1;
}

/** A launch within a task ends. */
CALLER(nested_launch_ends) {
  have_workers();
  CLAUSE(t, "LEG-0048");
  CHECK_OK(t, TVMBackendParallelLaunch(launch_again, NULL, 2));
  return 0;
}

/** More tasks than workers are run, or refused with a text. */
CALLER(more_tasks_than_workers) {
  struct work work;
  int code;
  have_workers();
  CLAUSE(t, "LEG-0048");
  memset(&work, 0, sizeof(work));
  CALL(t, code = TVMBackendParallelLaunch(count_task, &work, 40));
  CHECK(t, "answer", code == 0 ? work.tasks >= 1 : TVMGetLastError() != NULL);
  return 0;
}

static int leave_early(int id, TVMParallelGroupEnv* env, void* data) {
  (void)data;
  if (id == 0) return 0;
  TVMBackendParallelBarrier(id, env);
  return 0;
}

/** A task that ends before a barrier does not keep others waiting there. */
CALLER(task_that_ends_before_a_barrier) {
  have_workers();
  CLAUSE(t, "LEG-0049");
  CALL(t, TVMBackendParallelLaunch(leave_early, NULL, 2));
  return 0;
}

static int runs;
static int run(void* answer) {
  ++runs;
  return *(int*)answer;
}

static void count_object(void* object) { (void)object; }

/** A function runs once for a handle, a failing one too. */
CALLER(functions_run_once) {
  void *one = NULL, *two = NULL;
  int success = 0, failure = -1;
  CLAUSE(t, "LEG-0040");
  CHECK_OK(t, TVMBackendRunOnce(&one, run, &success, 0));
  CHECK_OK(t, TVMBackendRunOnce(&one, run, &success, 0));
  CHECK_EQ_INT(t, "runs", runs, 1);
  CHECK_EQ_INT(t, "answer of a failure", TVMBackendRunOnce(&two, run, &failure, 0), -1);
  CHECK_OK(t, TVMBackendRunOnce(&two, run, &failure, 0));
  CHECK_EQ_INT(t, "runs of a failure", runs, 2);
  CHECK_OK(t, TVMBackendRegisterEnvCAPI("Py_IncRef", (void*)(uintptr_t)count_object));
  CHECK_FAILS(t, TVMBackendRegisterEnvCAPI("Py_NoSuchThing", NULL), "Py_NoSuchThing");
  return 0;
}
