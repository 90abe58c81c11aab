import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { builtDist } from '../../support/services/built-server.ts';
import { checkControl, printLine } from './report.ts';

const repository = resolve(import.meta.dirname, '..', '..', '..');

export interface Rewrite {
	/** Path below `src/server`. */
	file: string;
	/** Must match exactly once. */
	find: RegExp;
	replace: string;
}

/**
 * Builds a variant of the server with replaced source, runs `work` with it, and deletes it. A variant lacks one
 * protection, so that a resilience test can show that its checks detect the missing protection. The variant uses the
 * product's files for the browser. `work` gets the folder to pass to `startBuiltServer`.
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

/** Runs a control: without the protection, the checks must find a fault for each pattern. @returns a fault otherwise */
export async function runControl(
	name: string,
	rewrites: Rewrite[],
	work: (dist: string) => Promise<string[]>,
	...expected: RegExp[]
): Promise<string[]> {
	const faults = await withVariant(name, rewrites, work);
	printLine(`control ${name}: the checks found ${faults.length} faults, such as: ${faults[0] ?? 'none'}`);
	return expected.flatMap((fault) => checkControl(faults, fault));
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
	for (const name of ['landing-renderer.js', 'hash-worker.js'])
		await cp(join(builtDist, 'server', name), join(dist, 'server', name));
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
				const matches = [...changed.matchAll(new RegExp(rewrite.find, `${rewrite.find.flags}g`))];
				counts.set(rewrite, count + matches.length);
				changed = changed.replace(rewrite.find, rewrite.replace);
			}
			return changed === code ? null : changed;
		},
	};
}
