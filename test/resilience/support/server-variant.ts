import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { builtDist } from '../../support/services/built-server.ts';

const repository = resolve(import.meta.dirname, '..', '..', '..');

/** One place in the source of the product that a variant replaces. */
export interface Rewrite {
	/** Path below `src/server`. */
	file: string;
	/** Must match exactly once. */
	find: RegExp;
	replace: string;
}

/**
 * Builds the server with some places rewritten, beside the build of the product, for the time of some work. This shows
 * that a resilience test fails without the protection that it tests, and the product itself needs no hooks for faults.
 * The files for the browser are shared. The work gets the folder to pass to `startBuiltServer`.
 * @throws Error unless each rewrite matched exactly once
 */
export async function withVariant<T>(
	name: string,
	rewrites: Rewrite[],
	work: (dist: string) => Promise<T>,
): Promise<T> {
	const dist = join(repository, '.stamp', 'variants', `${name}-${process.pid}`);
	try {
		await buildVariant(dist, name, rewrites);
		return await work(dist);
	} finally {
		await rm(dist, { recursive: true, force: true });
	}
}

async function buildVariant(dist: string, name: string, rewrites: Rewrite[]): Promise<void> {
	await rm(dist, { recursive: true, force: true });
	await mkdir(dist, { recursive: true });
	const counts = new Map(rewrites.map((rewrite) => [rewrite, 0]));
	await build({
		configFile: join(repository, 'vite.server.config.ts'),
		root: repository,
		logLevel: 'error',
		plugins: [rewriting(counts)],
		build: {
			outDir: join(dist, 'server'),
			sourcemap: false,
			rolldownOptions: { input: { main: 'src/server/main.ts', cli: 'src/cli/cli.ts' } },
		},
	});
	for (const [rewrite, count] of counts) {
		if (count !== 1) throw new Error(`${name}: ${rewrite.find} matched ${count} times in ${rewrite.file}, not once.`);
	}
	await cp(join(builtDist, 'server', 'landing-renderer.js'), join(dist, 'server', 'landing-renderer.js'));
	await cp(join(builtDist, 'server', 'chunks'), join(dist, 'server', 'chunks'), { recursive: true, force: false });
	await symlink(join(builtDist, 'web'), join(dist, 'web'), 'dir');
}

function rewriting(counts: Map<Rewrite, number>): Plugin {
	return {
		name: 'rewriting',
		enforce: 'pre',
		transform(code, id) {
			let changed = code;
			for (const [rewrite, count] of counts) {
				if (!id.replaceAll('\\', '/').endsWith(`/src/server/${rewrite.file}`)) continue;
				const found = [...changed.matchAll(new RegExp(rewrite.find, `${rewrite.find.flags}g`))];
				counts.set(rewrite, count + found.length);
				changed = changed.replace(rewrite.find, rewrite.replace);
			}
			return changed === code ? null : changed;
		},
	};
}
