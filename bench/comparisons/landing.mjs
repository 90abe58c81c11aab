/**
 * Compares the landing page of the built product, with its security headers, with a minimal node:http server that sends
 * the same bytes from memory. Checks that every answer of both has the same length.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../../scripts/services/built-server.mjs';
import { root } from '../../scripts/setup/processes.mjs';
import { exchange } from '../../test/support/services/server-client.ts';
import { runHttpLoad, serveSeeded, stopAll } from '../measure/seed-and-load.mjs';

const path = '/';
const encoding = 'br';
const connections = 10;
/** Headers that Node adds to every answer by itself. */
const headersOfNode = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

export async function prepareLanding(bench) {
	const { node, folder, form } = bench;
	const seconds = { full: 4, short: 2, once: 0.2 }[form];
	// Each request is logged, as by default.
	const { server: folio } = await serveSeeded(bench, 'landing', ['seed-small.ts', 'large-file', 1], {
		LOG_LEVEL: 'info',
	});
	const page = await requestPage(folio.url);
	const file = join(folder, 'landing.json');
	await writeFile(file, JSON.stringify({ path, headers: page.headers, body: page.body.toString('base64') }));
	const baseline = await startServer(
		node,
		{ BYTES_FILE: file },
		join(root, 'bench', 'baselines', 'static-bytes-server.mjs'),
	);
	const servers = { folio, baseline };
	const baselinePage = await requestPage(baseline.url);
	const isSame =
		baselinePage.body.equals(page.body) &&
		baselinePage.headers['content-encoding'] === page.headers['content-encoding'];
	if (!isSame || page.headers['content-encoding'] !== encoding)
		throw new Error('The two servers give different answers.');
	const bodyBytes = page.body.length;
	return {
		contestants: ['folio', 'baseline'],
		rows: [
			['landing page, requests per second', 'perSecond', 0],
			['landing page, p50, ms', 'p50Ms', 2],
			['landing page, p99, ms', 'p99Ms', 2],
		],
		note: `${connections} connections for ${seconds} s; the same ${bodyBytes} bytes (${encoding}) and headers from both.`,
		async measure(name) {
			const task = { url: servers[name].url, path, headers: { 'accept-encoding': encoding }, connections, bodyBytes };
			if (form !== 'once') await runHttpLoad(node, { ...task, seconds: 1 });
			const { perSecond, p50Ms, p99Ms } = await runHttpLoad(node, { ...task, seconds });
			return { perSecond, p50Ms, p99Ms };
		},
		close: () => stopAll(servers),
	};
}

async function requestPage(url) {
	const { status, headers, bytes } = await exchange(url + path, { headers: { 'accept-encoding': encoding } });
	if (status !== 200) throw new Error(`${url} answers ${status}.`);
	const own = Object.entries(headers).filter(([name]) => !headersOfNode.includes(name));
	return { headers: Object.fromEntries(own), body: bytes };
}
