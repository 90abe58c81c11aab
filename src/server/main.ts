import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import dotenv from 'dotenv';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { buildApp, type WebParts } from './app.ts';
import { ensureInitialAdmin } from './features/accounts/administration/initial-admin.ts';
import { type Config, ConfigError, parseConfig } from './platform/config.ts';
import { preserveNextTickShape } from './platform/event-loop.ts';
import { acquireServerLock } from './platform/locking/process-lock.ts';
import { version } from './platform/version.ts';
import { createDeps, registerServer, releaseLeasesAfterStart, startWorkers } from './start.ts';

const shutdownTimeoutMs = 9000;
/** The same for a server whose launcher has ended: no terminal or npm is left that could stop it. */
const shutdownTimeoutWithoutLauncherMs = 1000;
/**
 * A proxy may be sending something on a connection that is idle here, and may not ask another process what was sent: such
 * a connection goes when the proxy has learnt from a refused one, or from an answer, that this process is leaving.
 */
const idleConnectionsStayMs = 1000;

/** What the storefront's first screen is set in, what is largest there first; see src/web/styles/fonts.css. */
const firstFonts = {
	en: ['fraunces-english', 'inter-english'],
	hi: ['noto-serif-devanagari-hindi', 'mukta-hindi-600', 'mukta-hindi-400', 'fraunces-hindi', 'inter-english'],
};

interface ManifestEntry {
	file: string;
	css?: string[];
	imports?: string[];
}

/** Finds what Vite built, and the landing page's renderer beside this file. */
async function loadWeb(distDir: string): Promise<WebParts> {
	const root = join(distDir, 'web');
	const manifest = JSON.parse(readFileSync(join(root, '.vite/manifest.json'), 'utf8')) as Record<string, ManifestEntry>;
	const assetsOf = (entry: string) => {
		const chunks = collectChunks(manifest, entry);
		return {
			scripts: [`/${chunks[0]?.file}`],
			preloads: chunks.slice(1).map((chunk) => `/${chunk.file}`),
			// What a chunk imports comes before its own rules, as Vite means them to cascade.
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
	const { renderers } = (await import(pathToFileURL(join(distDir, 'server/landing-renderer.js')).href)) as {
		renderers: StorefrontRenderers;
	};
	return {
		builtFilesFolder: root,
		videosFolder: join(root, 'films'),
		shell: assetsOf('src/web/app/main.tsx'),
		landing: { ...assetsOf('src/web/landing/entry.ts'), fonts },
		orderScripts: assetsOf('src/web/landing/order-page/order-page-entry.ts').scripts,
		...renderers,
	};
}

/** An entry's chunk and everything it loads at once. */
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
	await preserveNextTickShape();
	if (existsSync('.env')) dotenv.config({ quiet: true });
	const config: Config = parseConfig(process.env);
	const web = await loadWeb(join(import.meta.dirname, '..'));
	const lock = acquireServerLock(config);
	const deps = await createDeps(config);
	const hold = await registerServer(deps);
	const owner = await ensureInitialAdmin(deps);
	// Before the server listens, which can fail: the password is shown once.
	if (owner?.password) {
		console.log(`\nFirst owner, shown only now:\n  Email     ${owner.email}\n  Password  ${owner.password}\n`);
	}
	const app = await buildApp(deps, web);
	await releaseLeasesAfterStart(deps);
	const stopWorkers = startWorkers(deps);
	const address = await app.listen({ host: config.HOST, port: config.PORT });
	console.log(`Folio ${version} is at ${config.PUBLIC_URL} (listening on ${address})`);

	let isStopping = false;
	const stop = async (withinMs = shutdownTimeoutMs): Promise<void> => {
		// Requests that are still open after this long are cut off. A second call counts too: its deadline may be earlier.
		setTimeout(() => process.exit(0), withinMs).unref();
		if (isStopping) return;
		isStopping = true;
		const closeIdle = app.server.closeIdleConnections.bind(app.server);
		app.server.closeIdleConnections = () => void setTimeout(closeIdle, idleConnectionsStayMs);
		await app.close();
		await stopWorkers();
		await hold?.release().catch((error: unknown) => deps.log.warn({ err: error }, 'process lease not released'));
		await deps.bus.close();
		await deps.storage.close();
		await deps.connection.close();
		lock?.release();
		process.exit(0);
	};
	process.on('SIGTERM', () => void stop());
	process.on('SIGINT', () => void stop());
	stopWithLauncher = () => void stop(shutdownTimeoutWithoutLauncherMs);
}

let stopWithLauncher = (): void => process.exit(0);

/**
 * The launchers (`npm start`, `npm run dev`, `npm run demo`) hold a channel to this process, which the system closes when
 * they end, however they end: see scripts/setup/processes.mjs. A process that was started otherwise has none.
 */
function watchLauncher(): void {
	// The launcher may have gone while the program was being loaded.
	if (process.connected === false) process.exit(0);
	process.once('disconnect', () => stopWithLauncher());
}

const listenErrors: Record<string, string> = {
	EADDRINUSE: 'is used by another program. Stop that program, or set PORT to another number.',
	EACCES: 'may not be used by this user. Set PORT to a number above 1023.',
	EADDRNOTAVAIL: 'cannot be used, because this machine does not have that address. Set HOST to one of its own.',
};

/** Returns what to tell the operator: one sentence for a known cause, otherwise the error itself. */
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
