import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const folder = resolve('src/contract');
const file = join(folder, 'contract.ts');

const copySuffix = '?copy';
const copySuffixPattern = /\?copy$/u;
/** Files whose schemas the browser uses: in the storefront editor and in the file settings. */
const needsSchemas = /\/contract\/(?:storefront\/content-fields|files\/spaces)\.ts$|\?copy$/u;

/**
 * Prints the endpoints as nested objects whose leaves are method and path. Runs in a process of its own, so that a rebuild
 * reads changed files.
 */
const printEndpoints = `
const { contract } = await import(${JSON.stringify(pathToFileURL(file).href)});
const addressOf = ({ method, path }) => method + ' ' + path;
const list = (part) => part['~orpc'] ? addressOf(part['~orpc'].route) : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, list(value)]));
console.log(JSON.stringify(list(contract)));
`;

/** Converts each leaf to the properties of a procedure that oRPC's link reads. */
const procedureReader = `
const read = (part) => {
	if (typeof part !== 'string') return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, read(value)]));
	const [method, path] = part.split(' ');
	return { '~orpc': { route: { method, path }, meta: {}, errorMap: {} } };
};`;

/**
 * Keeps the schemas of the contract out of the browser's scripts, because only the server validates with them. The
 * contract becomes its endpoints' methods and paths, which are all that the client of the API reads. In the other files
 * of the contract, each constant that a call creates is marked as free of side effects, so that the bundler drops it
 * unless it is used. Measured: about 25 KB less (Brotli) for the first visit of a screen, with `zod/mini` in the browser.
 */
export function contractPlugin(): Plugin {
	return {
		name: 'folio:contract',
		enforce: 'pre',
		/** Gives these files copies (`?copy`) of what they import, so that other screens do not load the schemas. */
		async resolveId(source, importer) {
			if (importer === undefined || !needsSchemas.test(importer)) return null;
			const resolved = await this.resolve(source, importer.replace(copySuffixPattern, ''), { skipSelf: true });
			if (resolved === null) return null;
			return { id: `${resolved.id.replace(copySuffixPattern, '')}${copySuffix}`, moduleSideEffects: false };
		},
		load(id) {
			if (copySuffixPattern.test(id)) return readFileSync(id.replace(copySuffixPattern, ''), 'utf8');
			if (resolve(id) !== file) return null;
			// Files of which only the server uses something are not in the bundle, so that `npm run dev` would not watch them.
			for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
				if (name.endsWith('.ts')) this.addWatchFile(join(folder, name));
			const args = ['--no-warnings', '--input-type=module', '--eval', printEndpoints];
			const endpoints = execFileSync(process.execPath, args, { encoding: 'utf8' });
			return `${procedureReader}\nexport const contract = read(${endpoints.trim()});`;
		},
		transform(code, id) {
			if (!resolve(id).startsWith(folder) || resolve(id) === file || copySuffixPattern.test(id)) return null;
			let marked = code;
			for (const { start, end } of initializersToMark(this.parse(code, { lang: 'ts' })).toReversed())
				marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`;
			return { code: marked, map: null, moduleSideEffects: false };
		},
	};
}

/** Returns the initial values of a module's constants that are calls or object literals, in the order of the text. */
function initializersToMark(program: ReturnType<Rolldown.PluginContext['parse']>) {
	return program.body
		.map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
		.flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
		.flatMap(({ init }) => (init !== null && needsPureMark(init) ? [init] : []));
}

function needsPureMark({ type, expression }: { type: string; expression?: unknown }): boolean {
	if (type === 'TSAsExpression')
		return (
			(expression as { type: string }).type !== 'ObjectExpression' &&
			needsPureMark(expression as Parameters<typeof needsPureMark>[0])
		);
	return type === 'CallExpression' || type === 'ObjectExpression';
}
