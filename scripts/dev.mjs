/**
 * `npm run dev`: rebuilds after each save and restarts the server after each build. Builds into `.stamp/dev` instead of
 * `dist`, so that a server started with `npm start` is not affected.
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { compileMessages } from './build/messages.mjs';
import { prepare } from './setup/prepare.mjs';
import { endProcess, fail, onEnd, root, withChannel } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
const folder = join(root, '.stamp', 'dev');
const { build } = await import('vite');
const pendingWork = new Map();
const built = new Set();
let isEnding = false;
let server;

await compileMessages(node).catch((error) => fail(error.message));
watch(join(root, 'src', 'messages'), { recursive: true }, (_event, name) => {
	if (!name?.endsWith('.json') || name.startsWith('generated')) return;
	debounce('messages', () => compileMessages(node).catch((error) => console.error(error.message)));
});

const watchers = await Promise.all([
	watchBuild('vite.web.config.ts', 'web'),
	watchBuild('vite.server.config.ts', 'server'),
]);

onEnd(async () => {
	if (isEnding) return;
	isEnding = true;
	await Promise.all([...watchers.map((watcher) => watcher.close()), endProcess(server)]);
	process.exit(0);
});

/** Also restarts the server after a build of the web, because the server reads the list of built files only at start. */
async function watchBuild(configFile, name) {
	const options = { outDir: join(folder, name), emptyOutDir: true, minify: false, watch: {} };
	const watcher = await build({ configFile, logLevel: 'silent', build: options });
	watcher.on('event', (event) => {
		if (event.code === 'ERROR') console.error(`${name}: ${event.error.message}`);
		if ('result' in event) event.result?.close();
		if (event.code !== 'END') return;
		console.error(`${name} built`);
		// Waits until this run has built server and web, so that the server never starts from an earlier run's output.
		if (built.add(name).size === 2) debounce('server', restartServer);
	});
	return watcher;
}

async function restartServer() {
	await endProcess(server);
	if (isEnding) return;
	server = spawn(node, ['--enable-source-maps', join(folder, 'server', 'main.js')], {
		cwd: root,
		stdio: withChannel,
	});
}

/** Runs `work` shortly after the last call with the same `kind`; runs of one kind never overlap. */
function debounce(kind, work) {
	const pending = pendingWork.get(kind) ?? { timer: undefined, last: Promise.resolve() };
	clearTimeout(pending.timer);
	pending.timer = setTimeout(() => {
		pending.last = pending.last.then(work);
	}, 200);
	pendingWork.set(kind, pending);
}
