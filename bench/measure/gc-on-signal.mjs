/** For `--import` (with `--expose-gc`) into a measured server: makes the server collect all garbage on SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc({ type: 'major', flavor: 'last-resort', execution: 'sync' }));
