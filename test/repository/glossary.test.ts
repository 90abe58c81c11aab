import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const page = await readFile('docs/glossary.md', 'utf8');

/** Returns the forbidden words of the glossary, split at spaces: ['place', 'keeper'] for 'place keeper*'. */
function starredWords(text: string): string[][] {
	const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|')[3] ?? ''] : []));
	return cells.flatMap((cell) => [...cell.matchAll(/([\w -]+)\*/gu)].map(([, word = '']) => partsOf(word.trim())));
}

/** Splits a path, a camel-case name or a column name into lower-case words. */
function partsOf(name: string): string[] {
	return [...name.matchAll(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/gu)].map(([part]) => part.toLowerCase());
}

/** Returns true if the name contains one of the words or its plural. */
function usesWord(name: string, words: string[][]): boolean {
	const parts = partsOf(name);
	return words.some((word) =>
		parts.some((_part, start) => word.every((part, index) => [part, `${part}s`].includes(parts[start + index] ?? ''))),
	);
}

type Source = Record<'path' | 'text', string>;

/** Returns the paths, exported names, tables and columns that contain a forbidden word. */
function findViolations(sources: Source[], words: string[][]): string[] {
	return sources.flatMap(({ path, text }) => {
		const exported = /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type) (\w+)/gmu;
		const patterns = path.endsWith('database/schema.ts') ? [exported, /^\t+([a-z_]+):/gmu] : [exported];
		const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
		const violating = names.filter((name) => usesWord(name, words)).map((name) => `${path}: ${name}`);
		return usesWord(path, words) ? [path, ...violating] : violating;
	});
}

/** The names of recorded migrations and of public files cannot be changed. */
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
	test('has more than 25 forbidden words', () => {
		expect(starredWords(page).length).toBeGreaterThan(25);
	});

	test('forbids no word that a path, exported name, table or column contains', async () => {
		expect(findViolations(await readSources(), starredWords(page))).toEqual([]);
	});

	test('findViolations reports a path, an export, a table and a column with a forbidden word', () => {
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
