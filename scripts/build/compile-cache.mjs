import { join } from 'node:path';
import { startServer } from '../services/built-server.mjs';
import { demoEnvironment } from '../services/demo-data.mjs';
import { makeTemporaryFolder } from '../setup/temporary-folder.mjs';

/**
 * Writes Node's compile cache into a built `dist`: starts its server on an empty data folder, requests the storefront,
 * so that its renderer is compiled too, and stops the server, which then writes the compiled code. Without a cache the
 * server only starts more slowly, so a failure is only reported.
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
