/** Loaded before a server whose memory is measured (`--import`, with `--expose-gc`): SIGUSR2 leaves only what is needed. */
process.on('SIGUSR2', () => globalThis.gc({ type: 'major', flavor: 'last-resort', execution: 'sync' }));
