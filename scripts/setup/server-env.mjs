/**
 * Environment variables that the server's process always gets. glibc keeps freed memory in arenas, by default up to
 * eight for each processor; the threads that process images would keep about 30 MB in unused arenas.
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2' };
