import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { withLock } from '../setup/process-lock.mjs';
import { capture, fail, root, secondsSince } from '../setup/processes.mjs';
import { writeCompileCache } from './compile-cache.mjs';
import { compileMessages } from './messages.mjs';
import { hashSources } from './source-hash.mjs';

const work = join(root, '.stamp');
const dist = join(root, 'dist');
const stampFile = join(dist, 'stamp');
const sources = [
	'src',
	'vite.web.config.ts',
	'vite.server.config.ts',
	'scripts/build/native-packages.mjs',
	'scripts/build/compile-cache.mjs',
	'scripts/build/ascii-plugin.mjs',
	'scripts/build/commonjs-plugin.mjs',
	'scripts/build/lazy-messages-plugin.mjs',
	'scripts/build/lazy-packages-plugin.mjs',
	'scripts/build/service-worker-plugin.ts',
	'scripts/build/contract-plugin.ts',
	'scripts/build/messages-plugin.ts',
	'scripts/build/pdfjs-plugin.ts',
	'scripts/build/single-imports-plugin.ts',
	'scripts/build/small-packages-plugin.ts',
	'tsconfig.json',
	'package.json',
	'package-lock.json',
];
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

const textTypes = /\.(?:css|html|js|mjs|json|map|svg|txt|webmanifest|xml|wasm|ftl)$/u;
const smallestWorthCompressing = 256;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Builds the browser's files and the server's program into `dist`, unless they are up to date. The new `dist` is built
 * in another folder and then replaces the old one; a lock prevents simultaneous builds.
 * When the build fails, prints the error and ends the process.
 */
export async function build(node = process.execPath) {
	try {
		await compileMessages(node);
		await withLock(join(work, 'build.lock'), () => buildIfStale(node));
	} catch (error) {
		fail(error instanceof Error ? error.message : String(error));
	}
}

async function buildIfStale(node) {
	const sourceHash = await hashSources(sources, (name) => !/^src\/messages\/generated\/|\.test\.tsx?$/u.test(name));
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash) return;
	console.error('Building …');
	const startedAt = performance.now();
	const fresh = join(work, `dist-${randomUUID()}`);
	try {
		await runVite(node, 'vite.web.config.ts', join(fresh, 'web'));
		await runVite(node, 'vite.server.config.ts', join(fresh, 'server'));
		await compressFolder(join(fresh, 'web'));
		await writeCompileCache(node, fresh);
		await writeFile(join(fresh, 'stamp'), sourceHash);
		await replaceDist(fresh);
	} finally {
		await rm(fresh, { recursive: true, force: true });
	}
	console.error(`Built in ${secondsSince(startedAt)} s.`);
}

async function runVite(node, config, folder) {
	const { code, output } = await capture(node, [
		vite,
		'build',
		'--config',
		config,
		'--outDir',
		folder,
		'--emptyOutDir',
	]);
	if (code !== 0) throw new Error(`vite build --config ${config} failed.\n${output}`);
}

async function replaceDist(fresh) {
	const old = join(work, `old-${randomUUID()}`);
	await mkdir(work, { recursive: true });
	if (existsSync(dist)) await rename(dist, old);
	await rename(fresh, dist);
	await rm(old, { recursive: true, force: true });
}

/** Writes a `.br` and a `.gz` beside every text file of more than 256 bytes, so that requests need no compression. */
async function compressFolder(folder) {
	const entries = await readdir(folder, { recursive: true });
	await Promise.all(entries.filter((name) => textTypes.test(name)).map((name) => compressFile(join(folder, name))));
}

async function compressFile(file) {
	if ((await stat(file)).size <= smallestWorthCompressing) return;
	const content = await readFile(file);
	const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length };
	await Promise.all([
		brotli(content, { params }).then((packed) => writeFile(`${file}.br`, packed)),
		zip(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
	]);
}
