/** Loaded by `--import` (with `--expose-gc`) into a server whose memory is measured: SIGUSR2 collects all garbage. */
process.on('SIGUSR2', () => globalThis.gc({ type: 'major', flavor: 'last-resort', execution: 'sync' }));
