import { join } from 'node:path';
import { capture, root } from '../../scripts/setup/processes.mjs';

/** Compile cache of the seeding scripts, which load the whole server's sources: halves the time of each start. */
const compileCache = join(root, '.stamp', 'compile-cache');

/** Runs a seeding script on the installation that `env` names. @returns its last output line, parsed as JSON */
export async function runSeed(node, script, env, ...args) {
	const { code, output } = await capture(node, [join(root, 'bench', 'seeds', script), ...args], {
		env: { ...env, NODE_COMPILE_CACHE: compileCache },
	});
	if (code !== 0) throw new Error(`The bench's data could not be made.\n${output}`);
	return JSON.parse(output.trim().split('\n').at(-1));
}

/**
 * Checks that on both sides of a comparison a commit survives a power cut: WAL with synchronous=FULL (2).
 * @param {Record<string, { journal: string, synchronous: number }>} durabilities by side @throws Error
 */
export function requireDurability(durabilities) {
	const isSafe = ({ journal, synchronous }) => journal === 'wal' && synchronous === 2;
	if (!Object.values(durabilities).every(isSafe))
		throw new Error(`Not every side keeps a commit through a power cut: ${JSON.stringify(durabilities)}`);
}

/** Requests one page from a server for some seconds. @throws Error when an answer's length is not `bodyBytes` */
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
