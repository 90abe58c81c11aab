import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

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

/**
 * Builds the service worker beside the browser's files: one classic script with the list of the files that reading
 * offline needs (`import.meta.env.SHELL_FILES`). A change of the list or of the worker changes the script's bytes, so
 * browsers notice a deploy.
 */
export function serviceWorkerPlugin(): Plugin {
	return {
		name: 'folio:offline-worker',
		apply: 'build',
		async writeBundle({ dir }, outputs) {
			if (dir === undefined) throw new Error('Vite did not pass an output folder.');
			const worker = (await readdir(join(dir, 'assets'))).find((name) => /^pdf\.worker-\w+\.mjs$/u.test(name));
			if (worker === undefined) throw new Error("pdf.js's worker was not built.");
			const assets = [...listFiles(this, outputs), `assets/${worker}`].map((file) => `/${file}`).toSorted();
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
const loadedOnlyOnline = [
	'src/web/app/routes/',
	'src/web/app/shell/',
	'src/web/features/files/uploads/',
	'src/web/features/storefront/editor/',
];

/** Lists the files of the offline screens, with all imports except dynamic ones from {@link loadedOnlyOnline}. */
function listFiles(context: Rolldown.PluginContext, outputs: Rolldown.OutputBundle): Set<string> {
	const chunks = Object.values(outputs).filter((output) => output.type === 'chunk');
	/** The modules of a chunk that are imported dynamically, relative to the working directory. */
	const loadedModulesOf = ({ moduleIds }: Rolldown.OutputChunk) =>
		moduleIds
			.filter((id) => (context.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0)
			.map((id) => relative('.', id).replaceAll('\\', '/'));
	const isOfFolder = (folder: string) => (chunk: Rolldown.OutputChunk) =>
		loadedModulesOf(chunk).some((name) => name.startsWith(folder));
	for (const folder of loadedOnlyOnline)
		if (!chunks.some(isOfFolder(folder))) throw new Error(`Nothing was built of ${folder}.`);
	const files = new Set<string>();
	const add = (chunk: Rolldown.OutputChunk | undefined) => {
		if (chunk === undefined || files.has(chunk.fileName)) return;
		files.add(chunk.fileName);
		for (const file of [...(chunk.viteMetadata?.importedCss ?? []), ...(chunk.viteMetadata?.importedAssets ?? [])])
			files.add(file);
		const find = (file: string) => chunks.find(({ fileName }) => fileName === file);
		for (const each of chunk.imports) add(find(each));
		for (const each of chunk.dynamicImports.map(find))
			if (each !== undefined && !loadedOnlyOnline.some((folder) => isOfFolder(folder)(each))) add(each);
	};
	add(chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith('src/web/app/main.tsx')));
	for (const screen of screens) {
		const chunk = chunks.find((each) => loadedModulesOf(each).includes(screen));
		if (chunk === undefined) throw new Error(`${screen} was not built.`);
		add(chunk);
	}
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
