import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import dotenv from 'dotenv';
import type { StorefrontRenderers } from '#contract/storefront/landing.ts';
import { buildApp, type WebParts } from './app.ts';
import { ensureInitialAdmin } from './features/accounts/administration/initial-admin.ts';
import { type Config, ConfigError, parseConfig, version } from './platform/config.ts';
import { acquireServerLock } from './platform/locking/process-lock.ts';
import { releaseMemoryOfStart } from './platform/release-memory.ts';
import { closeDeps, createDeps, registerServer, startWorkers } from './start.ts';

const shutdownTimeoutMs = 9000;
/** Shutdown timeout after the launcher has ended. Short, because Ctrl-C can no longer stop a server that hangs. */
const shutdownTimeoutWithoutLauncherMs = 1000;
/**
 * Delay before idle connections are closed at shutdown. A proxy may be sending a request on an idle connection, and may
 * not repeat it. After the delay the proxy knows from other responses or a refused connection that this process stops.
 */
const idleConnectionsStayMs = 1000;
/** Delay before the workers start, so that the first request does not wait for their queries. */
const workersDelayMs = 100;

/** Fonts of the storefront's first screen, the font of the largest text first; see src/web/styles/fonts.css. */
const firstFonts = {
	en: ['fraunces-english', 'inter-english'],
	hi: ['noto-serif-devanagari-hindi', 'mukta-hindi-600', 'mukta-hindi-400', 'fraunces-hindi', 'inter-english'],
};

interface ManifestEntry {
	file: string;
	css?: string[];
	imports?: string[];
}

/** Reads the list of files that Vite built. */
function loadWeb(distDir: string): WebParts {
	const root = join(distDir, 'web');
	const manifest = JSON.parse(readFileSync(join(root, '.vite/manifest.json'), 'utf8')) as Record<string, ManifestEntry>;
	const assetsOf = (entry: string) => {
		const chunks = collectChunks(manifest, entry);
		return {
			scripts: [`/${chunks[0]?.file}`],
			preloads: chunks.slice(1).map((chunk) => `/${chunk.file}`),
			// Styles of imported chunks come first, so that a chunk's own rules override them.
			styles: [...new Set(chunks.toReversed().flatMap((chunk) => chunk.css ?? []))].map((file) => `/${file}`),
		};
	};
	const fontsOf = (names: string[]) =>
		names.map((name) => {
			const font = Object.entries(manifest).find(([source]) => source.endsWith(`/${name}.woff2`))?.[1];
			if (font === undefined) throw new Error(`The font ${name} was not built.`);
			return `/${font.file}`;
		});
	const fonts = { en: fontsOf(firstFonts.en), hi: fontsOf(firstFonts.hi) };
	return {
		builtFilesFolder: root,
		videosFolder: join(root, 'films'),
		shell: assetsOf('src/web/app/main.tsx'),
		landing: { ...assetsOf('src/web/landing/entry.ts'), fonts },
		orderScripts: assetsOf('src/web/landing/order-page/order-page-entry.ts').scripts,
		...createLazyRenderers(join(distDir, 'server', 'landing-renderer.js')),
	};
}

/** Loads the renderers, which with React need 8 MB of memory, when the first page of the storefront is requested. */
function createLazyRenderers(file: string): StorefrontRenderers {
	const require = createRequire(import.meta.url);
	const load = () => (require(file) as { renderers: StorefrontRenderers }).renderers;
	return {
		renderLanding: (...input) => load().renderLanding(...input),
		renderLegal: (...input) => load().renderLegal(...input),
		renderVideo: (...input) => load().renderVideo(...input),
		renderOrderPage: (...input) => load().renderOrderPage(...input),
	};
}

/** Returns the chunk of an entry and all chunks that it imports statically. */
function collectChunks(
	manifest: Record<string, ManifestEntry>,
	entry: string,
	seen = new Set<string>(),
): ManifestEntry[] {
	const chunk = manifest[entry];
	if (chunk === undefined || seen.has(entry)) return [];
	seen.add(entry);
	return [chunk, ...(chunk.imports ?? []).flatMap((name) => collectChunks(manifest, name, seen))];
}

async function main(): Promise<void> {
	if (existsSync('.env')) dotenv.config({ quiet: true });
	// In a terminal, a line for each request would push away what the operator has to read, such as the first password.
	const config: Config = parseConfig({ LOG_LEVEL: process.stdout.isTTY ? 'warn' : 'info', ...process.env });
	const web = loadWeb(join(import.meta.dirname, '..'));
	const lock = acquireServerLock(config);
	const deps = await createDeps(config);
	const lease = await registerServer(deps);
	const owner = await ensureInitialAdmin(deps);
	// Printed before the server listens, because listening can fail and the password is shown only once.
	if (owner?.password) {
		console.log(`\nFirst owner, shown only now:\n  Email     ${owner.email}\n  Password  ${owner.password}`);
		console.log(`  If it is lost: npm run cli -- reset-password ${owner.email}\n`);
	}
	const app = await buildApp(deps, web);
	const address = await app.listen({ host: config.HOST, port: config.PORT });
	console.log(`Folio ${version} is at ${config.PUBLIC_URL} (listening on ${address})`);
	if (config.startNotice !== null) console.log(config.startNotice);

	const startingWorkers = sleep(workersDelayMs).then(() => startWorkers(deps));
	let isStopping = false;
	const stop = async (withinMs = shutdownTimeoutMs): Promise<void> => {
		// Ends the process at the deadline even if requests are still open. A second call may have an earlier deadline.
		setTimeout(() => process.exit(0), withinMs).unref();
		if (isStopping) return;
		isStopping = true;
		const closeIdle = app.server.closeIdleConnections.bind(app.server);
		app.server.closeIdleConnections = () => void setTimeout(closeIdle, idleConnectionsStayMs);
		await app.close();
		const stopWorkers = await startingWorkers;
		await stopWorkers();
		await lease.release().catch((error: unknown) => deps.log.warn({ err: error }, 'process lease not released'));
		await closeDeps(deps);
		lock?.release();
		process.exit(0);
	};
	process.on('SIGTERM', () => void stop());
	process.on('SIGINT', () => void stop());
	stopWithLauncher = () => void stop(shutdownTimeoutWithoutLauncherMs);
	await startingWorkers;
	await releaseMemoryOfStart();
}

let stopWithLauncher = (): void => process.exit(0);

/**
 * Stops the server when its launcher ends. The launchers (`npm start`, `npm run dev`, `npm run demo`) open an IPC
 * channel to this process (scripts/setup/processes.mjs). The system closes the channel when the launcher ends in any
 * way. Without a launcher there is no channel.
 */
function watchLauncher(): void {
	// The launcher may have ended while the program was being loaded.
	if (process.connected === false) process.exit(0);
	process.once('disconnect', () => stopWithLauncher());
}

const listenErrors: Record<string, string> = {
	EADDRINUSE: 'is used by another program. Stop that program, or set PORT to another number.',
	EACCES: 'may not be used by this user. Set PORT to a number above 1023.',
	EADDRNOTAVAIL: 'cannot be used, because this machine does not have that address. Set HOST to one of its own.',
};

/** Returns what to print when the start fails: the message of a known error, otherwise the error. */
function describeStartError(error: unknown): unknown {
	if (error instanceof ConfigError) return error.message;
	const { code = '', syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
	const problem = syscall === 'listen' ? listenErrors[code] : undefined;
	return problem === undefined ? error : `${address}:${port} ${problem}`;
}

watchLauncher();
main().catch((error: unknown) => {
	console.error(describeStartError(error));
	process.exit(1);
});
