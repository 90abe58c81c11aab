/**
 * `npm run dev`: rebuilds after each save and restarts the server after each build. Works beside
 * `dist` (in `.stamp/dev`), so a server started with `npm start` is not disturbed.
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { compileMessages } from './build/messages.mjs';
import { prepare } from './setup/prepare.mjs';
import { fail, onEnd, root, withChannel } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
const folder = join(root, '.stamp', 'dev');
const { build } = await import('vite');
const pendingWork = new Map();
const built = new Set();
let isEnding = false;
let server = null;

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
	await Promise.all([...watchers.map((watcher) => watcher.close()), stopServer()]);
	process.exit(0);
});

/** The server reads the built pages' list of files at its start, so it restarts after either build. */
async function watchBuild(configFile, name) {
	const options = { outDir: join(folder, name), emptyOutDir: true, minify: false, watch: {} };
	const watcher = await build({ configFile, logLevel: 'silent', build: options });
	watcher.on('event', (event) => {
		if (event.code === 'ERROR') console.error(`${name}: ${event.error.message}`);
		if ('result' in event) event.result?.close();
		if (event.code !== 'END') return;
		console.error(`${name} built`);
		// Waits until this run has built both, so that the server never starts from an earlier run's output.
		if (built.add(name).size === 2) debounce('server', restartServer);
	});
	return watcher;
}

async function restartServer() {
	await stopServer();
	if (isEnding) return;
	server = spawn(node, ['--enable-source-maps', join(folder, 'server', 'main.js')], {
		cwd: root,
		stdio: withChannel,
	});
}

async function stopServer() {
	if (server === null || server.exitCode !== null || server.signalCode !== null) return;
	const ended = new Promise((resolve) => server.once('exit', resolve));
	server.kill('SIGTERM');
	await ended;
}

/** Runs `work` shortly after the last call with the same `kind`; runs of one kind never overlap. */
function debounce(kind, work) {
	const turn = pendingWork.get(kind) ?? { timer: undefined, last: Promise.resolve() };
	clearTimeout(turn.timer);
	turn.timer = setTimeout(() => {
		turn.last = turn.last.then(work);
	}, 200);
	pendingWork.set(kind, turn);
}
