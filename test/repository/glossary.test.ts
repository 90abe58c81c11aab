import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const page = await readFile('docs/glossary.md', 'utf8');

/** The starred words of the glossary's last column, each as its parts in lower case: 'place keeper*' is ['place', 'keeper']. */
function starredWords(text: string): string[][] {
	const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|')[3] ?? ''] : []));
	return cells.flatMap((cell) => [...cell.matchAll(/([\w -]+)\*/gu)].map(([, word = '']) => partsOf(word.trim())));
}

/** The words of a path, a name in camel case or a column, in lower case. */
function partsOf(name: string): string[] {
	return [...name.matchAll(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/gu)].map(([part]) => part.toLowerCase());
}

/** Whether a name holds one of the words, in the singular or the plural. */
function usesWord(name: string, words: string[][]): boolean {
	const parts = partsOf(name);
	return words.some((word) =>
		parts.some((_part, start) =>
			word.every((each, at) => parts[start + at] === each || parts[start + at] === `${each}s`),
		),
	);
}

interface Source {
	path: string;
	text: string;
}

/** Paths, exported names, tables and columns that use a word which the glossary replaces. */
function findViolations(sources: Source[], words: string[][]): string[] {
	return sources.flatMap(({ path, text }) => [
		...(usesWord(path, words) ? [path] : []),
		...[...text.matchAll(/^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (\w+)/gmu)]
			.map(([, name = '']) => name)
			.filter((name) => usesWord(name, words))
			.map((name) => `${path}: ${name}`),
		...(path.endsWith('database/schema.ts')
			? [...text.matchAll(/^\t([a-z_]+):/gmu)]
					.map(([, name = '']) => name)
					.filter((name) => usesWord(name, words))
					.map((name) => `${path}: ${name}`)
			: []),
	]);
}

/** Excepts recorded migrations and public files, because other data depends on their names. */
const isExcepted = (path: string) => /\/migrations\/|^src\/web\/public\//u.test(path);

async function readSources(): Promise<Source[]> {
	const { stdout } = await promisify(execFile)('git', ['ls-files', 'src', 'test', 'bench', 'scripts']);
	const paths = stdout
		.trim()
		.split('\n')
		.filter((path) => !isExcepted(path));
	return Promise.all(
		paths.map(async (path) => ({ path, text: /\.(?:tsx?|mjs)$/u.test(path) ? await readFile(path, 'utf8') : '' })),
	);
}

describe('docs/glossary.md', () => {
	test('marks more than 25 words as having no other meaning here', () => {
		expect(starredWords(page).length).toBeGreaterThan(25);
	});

	test('has no starred word that appears in a path, exported name, table or column', async () => {
		expect(findViolations(await readSources(), starredWords(page))).toEqual([]);
	});

	test('is violated by a planted path, export, table and column', () => {
		const planted = [
			{ path: 'src/web/features/orders/orders-desk.tsx', text: '' },
			{ path: 'src/server/a.ts', text: 'export function createPlaceKeeper() {}\nexport type Wishes = string;' },
			{ path: 'src/server/platform/database/schema.ts', text: '\tproof_marks: Table;\n\tupkeep_at: string;' },
		];
		expect(findViolations(planted, starredWords(page))).toEqual([
			'src/web/features/orders/orders-desk.tsx',
			'src/server/a.ts: createPlaceKeeper',
			'src/server/platform/database/schema.ts: proof_marks',
			'src/server/platform/database/schema.ts: upkeep_at',
		]);
	});
});
