import { join } from 'node:path';
import { capture, root } from '../../scripts/setup/processes.mjs';

/** A seeding script loads the whole server from its sources: compiled once, each start takes half as long. */
const compileCache = join(root, '.stamp', 'compile-cache');

/** Runs a seeding script on an installation of its own. @returns what its last line said, as JSON */
export async function runSeed(node, script, env, ...args) {
	const { code, output } = await capture(node, [join(root, 'bench', 'seeds', script), ...args], {
		env: { ...env, NODE_COMPILE_CACHE: compileCache },
	});
	if (code !== 0) throw new Error(`The bench's data could not be made.\n${output}`);
	return JSON.parse(output.trim().split('\n').at(-1));
}

/**
 * Both sides of a comparison must keep a commit through a power cut: WAL with synchronous=FULL (2).
 * @param {Record<string, { journal: string, synchronous: number }>} durabilities by side @throws Error
 */
export function requireDurability(durabilities) {
	const isSafe = ({ journal, synchronous }) => journal === 'wal' && synchronous === 2;
	if (!Object.values(durabilities).every(isSafe))
		throw new Error(`Not every side keeps a commit through a power cut: ${JSON.stringify(durabilities)}`);
}

/** Asks a server for one page for some seconds. @throws Error when an answer has another length than `bodyBytes` */
export async function runHttpLoad(node, { url, path, headers, connections, seconds, bodyBytes }) {
	const { hostname: host, port } = new URL(url);
	const task = { host, port: Number(port), path, headers, connections, seconds };
	const { code, output } = await capture(node, [join(root, 'bench', 'measure', 'http-load.mjs'), JSON.stringify(task)]);
	if (code !== 0) throw new Error(`The load failed.\n${output}`);
	const answer = JSON.parse(output);
	const isSame = answer.bodyBytes.length === 1 && answer.bodyBytes[0] === bodyBytes;
	if (!isSame) throw new Error(`Bodies of ${answer.bodyBytes} bytes, not ${bodyBytes}.`);
	return answer;
}
