/**
 * Environment variables that the server's process always gets; deploy/Dockerfile and deploy/folio.service set the same.
 *
 * glibc keeps freed memory in arenas, by default up to eight for each processor; the threads that process images would
 * keep about 30 MB in unused arenas.
 *
 * V8's young generation grows to three semi-spaces of 16 MB and does not shrink. With semi-spaces of 8 MB, the server
 * used 172 MB instead of 188 after 10 s of list pages, and the same processor time for each page.
 */
export const serverEnv = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8' };
