import { join } from 'node:path';
import { startServer } from '../services/built-server.mjs';
import { demoEnvironment } from '../services/demo-data.mjs';
import { makeTemporaryFolder } from '../setup/temporary-folder.mjs';

/**
 * Writes Node's compile cache into a built `dist`, by a start of its server on an empty data folder: a server writes the
 * code that it compiled when it ends. Loads the storefront once, so that its renderer is cached too. A build without a
 * cache serves as well, but starts later, so a failure is only reported.
 */
export async function writeCompileCache(node, dist) {
	try {
		const env = { ...demoEnvironment(makeTemporaryFolder('folio-compile-cache-')), LOG_LEVEL: 'warn' };
		const server = await startServer(node, env, join(dist, 'server', 'main.js'));
		// Not `await using`: the system's Node, which may be version 20, loads this file before the pinned Node runs it.
		await fetch(server.url).finally(() => server.stop());
	} catch (error) {
		console.error(`The compile cache was not written: ${error.message}`);
	}
}
