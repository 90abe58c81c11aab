/**
 * What the server's process is started with, whatever its settings are. glibc keeps freed memory in a pool for each
 * thread and processor; the threads that draw pictures would hold some 30 MB in pools that nobody uses any more.
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2' };
