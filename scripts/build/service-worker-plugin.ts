import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const source = 'src/web/app/service-worker/worker.ts';
/** At the root, so that the worker's scope covers all screens. Without a hash: browsers check this URL for updates. */
const fileName = 'offline.js';
/** Screens that open offline: the screens on the way to the reader, and the screen after logging out. */
const screens = [
	'src/web/app/shell/protected-layout.tsx',
	'src/web/app/shell/workspace-layout.tsx',
	'src/web/app/routes/member/dashboard-screen.tsx',
	'src/web/app/routes/member/reader-screens.tsx',
	'src/web/app/routes/public/login-screen.tsx',
];

interface ManifestEntry {
	file: string;
	css?: string[];
	assets?: string[];
	imports?: string[];
	dynamicImports?: string[];
}
type Manifest = Record<string, ManifestEntry>;

/**
 * Builds the service worker beside the browser's files: one classic script with the list of the files that reading
 * offline needs (`import.meta.env.SHELL_FILES`). A change of the list or of the worker changes the script's bytes, so
 * browsers notice a deploy.
 */
export function serviceWorkerPlugin(): Plugin {
	return {
		name: 'folio:offline-worker',
		apply: 'build',
		async writeBundle({ dir }) {
			if (dir === undefined) throw new Error('Vite did not pass an output folder.');
			const manifest = JSON.parse(await readFile(join(dir, '.vite', 'manifest.json'), 'utf8')) as Manifest;
			const worker = (await readdir(join(dir, 'assets'))).find((name) => /^pdf\.worker-\w+\.mjs$/u.test(name));
			if (worker === undefined) throw new Error("pdf.js's worker was not built.");
			const assets = [...listFiles(manifest), `assets/${worker}`].map((file) => `/${file}`).toSorted();
			const pdf = (await readdir(join(dir, 'pdfjs'), { recursive: true, withFileTypes: true }))
				.filter((entry) => entry.isFile() && !entry.name.startsWith('LICENSE'))
				.map((entry) => join(entry.parentPath, entry.name))
				.toSorted();
			const pdfHash = createHash('sha256');
			for (const file of pdf) pdfHash.update(file.slice(dir.length)).update(await readFile(file));
			const files = {
				assets,
				pdf: pdf.map((file) => file.slice(dir.length)),
				pdfHash: pdfHash.digest('hex').slice(0, 12),
				hash: createHash('sha256').update(assets.join()).digest('hex').slice(0, 12),
			};
			await writeFile(join(dir, fileName), await bundle(files));
		},
	};
}

/** Folders of modules that offline screens import dynamically but do not need: other screens, and the upload panel. */
const loadedOnlyOnline = ['src/web/app/routes/', 'src/web/app/shell/', 'src/web/features/files/uploads/'];

/** Lists the files of the offline screens, with all imports except dynamic ones from {@link loadedOnlyOnline}. */
function listFiles(manifest: Manifest): Set<string> {
	for (const folder of loadedOnlyOnline)
		if (!Object.keys(manifest).some((key) => key.startsWith(folder)))
			throw new Error(`Nothing was built of ${folder}.`);
	const files = new Set<string>();
	const seen = new Set<string>();
	const add = (key: string) => {
		if (seen.has(key)) return;
		seen.add(key);
		const entry = manifest[key];
		if (entry === undefined) throw new Error(`${key} was not built.`);
		for (const file of [entry.file, ...(entry.css ?? []), ...(entry.assets ?? [])]) files.add(file);
		for (const each of entry.imports ?? []) add(each);
		for (const each of entry.dynamicImports ?? [])
			if (!loadedOnlyOnline.some((folder) => each.startsWith(folder))) add(each);
	};
	for (const key of ['src/web/app/main.tsx', ...screens]) add(key);
	return files;
}

async function bundle(files: object): Promise<string> {
	const built = await build({
		configFile: false,
		logLevel: 'error',
		publicDir: false,
		define: { 'import.meta.env.SHELL_FILES': JSON.stringify(files) },
		build: {
			write: false,
			target: 'es2022',
			rolldownOptions: { input: source, output: { format: 'iife', codeSplitting: false } },
		},
	});
	const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
	const [chunk, ...others] = outputs;
	if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('The worker is not one file.');
	return chunk.code;
}
