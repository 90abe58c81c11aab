import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const config = resolve('.dependency-cruiser.cjs');
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Cruise {
	modules: Array<{
		source: string;
		couldNotResolve?: boolean;
		dependencies: Array<{ module: string; resolved: string; couldNotResolve: boolean }>;
	}>;
	summary: { violations: Array<{ rule: { name: string }; from: string; to: string }> };
}

const conforming: Record<string, string> = {
	'src/contract/orders/orders.ts': "import * as z from 'zod'; export const order = z;",
	'src/shared/numbers.ts': 'export const digits = 1;',
	'src/shared/chapter-matching.ts': "import { digits } from './numbers.ts'; export const match = digits;",
	'src/server/main.ts':
		"import { orderRoutes } from './features/orders/management/management.routes.ts'; orderRoutes();",
	'src/server/registrations.ts':
		"import { access } from './features/sharing/access/access.service.ts'; export const registerFeatures = () => access;",
	'src/server/platform/database/connection.ts': "import { Kysely } from 'kysely'; export type Db = Kysely;",
	'src/server/platform/clock.ts': "import { hrtime } from 'node:process'; export const now = hrtime;",
	'src/server/features/orders/management/management.routes.ts':
		"import { order } from '#contract/orders/orders.ts'; import { complete } from '../orders.service.ts'; export const orderRoutes = () => complete(order);",
	'src/server/features/orders/orders.service.ts':
		"import { findOrder } from './orders.queries.ts'; import { openAccount } from '../accounts/index.ts'; import { match } from '#shared/chapter-matching.ts'; export const complete = (x: unknown) => [findOrder, openAccount, match, x];",
	'src/server/features/orders/orders.queries.ts': "import { sql } from 'kysely'; export const findOrder = sql;",
	'src/server/features/orders/orders.test.ts': "import { sql } from 'kysely'; sql;",
	'src/server/features/accounts/accounts.service.ts':
		"import { now } from '#server/platform/clock.ts'; export const openAccount = now;",
	'src/server/features/accounts/accounts.queries.ts': 'export const findAccount = 1;',
	'src/server/features/accounts/index.ts': "export { openAccount } from './accounts.service.ts';",
	'src/server/features/files/index.ts': "export { findNode } from './tree/nodes.ts';",
	'src/server/features/files/tree/nodes.ts': 'export const findNode = 1;',
	'src/server/features/sharing/index.ts': "export { access } from './access/access.service.ts';",
	'src/server/features/sharing/access/access.service.ts':
		"import { findNode } from '../../files/index.ts'; export const access = findNode;",
	'src/web/platform/api/client.ts': "import { order } from '#contract/orders/orders.ts'; export const api = order;",
	'src/web/ui/primitives/button.tsx': 'export const Button = () => <button type="button" />;',
	'src/web/features/orders/orders-table.tsx':
		"import { Button } from '../../ui/primitives/button.tsx'; export const OrdersTable = Button;",
	'src/web/features/accounts/user-list.tsx':
		"import { api } from '#web/platform/api/client.ts'; import { match } from '#shared/chapter-matching.ts'; export const UserList = [api, match];",
	'src/web/app/routes/admin/users-screen.tsx':
		"import { OrdersTable } from '../../../features/orders/orders-table.tsx'; import { UserList } from '../../../features/accounts/user-list.tsx'; export const admin = [OrdersTable, UserList];",
};

/** For each rule, a file and its import, which violates the rule. */
const planted = `
contract-imports-nothing | src/contract/orders/planted.ts | import '#shared/chapter-matching.ts';
contract-imports-no-node-modules | src/contract/core/planted.ts | import 'node:path';
shared-imports-nothing | src/shared/planted.ts | import '#contract/orders/orders.ts';
web-never-imports-server | src/web/features/orders/planted.ts | import type { Db } from '#server/platform/database/connection.ts'; export type X = Db;
server-never-imports-web | src/server/planted.ts | export { Button } from '#web/ui/primitives/button.tsx';
server-platform-never-imports-features | src/server/platform/database/planted.ts | import '../../features/files/tree/nodes.ts';
only-the-start-imports-the-server-root | src/server/platform/jobs/planted.ts | import '../../registrations.ts';
landing-never-imports-the-workspace | src/web/landing/page/planted.tsx | import '#web/features/accounts/user-list.tsx';
web-platform-and-ui-never-import-features | src/web/ui/planted.tsx | export const load = () => import('../app/routes/admin/users-screen.tsx');
server-features-meet-in-index | src/server/features/orders/planted.queries.ts | import '../accounts/accounts.queries.ts';
no-cycles-between-server-features | src/server/features/files/tree/planted.ts | import '../../sharing/index.ts';
web-features-meet-in-app | src/web/features/accounts/planted.tsx | import { OrdersTable } from '#web/features/orders/orders-table.tsx'; export const X = OrdersTable;
routes-never-import-queries | src/server/features/orders/planted.routes.ts | import './orders.queries.ts';
kysely-only-in-database-and-queries | src/server/features/orders/planted.service.ts | import type { Kysely } from 'kysely'; export type X = Kysely;
no-cycles | src/web/platform/planted.ts | export { planted } from './planted.ts';
imports-resolve | src/web/planted.ts | import '#web/nowhere.ts';
`
	.trim()
	.split('\n')
	.map((line) => line.split(' | ') as [rule: string, file: string, source: string]);

function targetOf([, file, source]: (typeof planted)[number]): string {
	const specifier = /(?<=')[^']+(?=')/u.exec(source)?.[0] ?? '';
	if (specifier.startsWith('.')) return join(dirname(file), specifier);
	if (specifier === 'kysely') return 'node_modules/kysely/index.js';
	return specifier === '#web/nowhere.ts' ? specifier : specifier.replace('node:', '').replace('#', 'src/');
}

let tree: string;

beforeAll(async () => {
	tree = await mkdtemp(join(tmpdir(), 'folio-imports-'));
	const { imports } = JSON.parse(await readFile('package.json', 'utf8'));
	const dependencies = { kysely: '0.0.0', zod: '0.0.0' };
	await plant('package.json', JSON.stringify({ type: 'module', imports, dependencies }));
	for (const name of ['kysely', 'zod']) {
		await plant(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
		await plant(`node_modules/${name}/index.js`, 'export {};');
	}
	await cp(config, join(tree, '.dependency-cruiser.cjs'));
	for (const [file, source] of Object.entries(conforming)) await plant(file, source);
});

afterAll(async () => {
	await rm(tree, { recursive: true, force: true });
});

async function plant(file: string, source: string): Promise<void> {
	await mkdir(dirname(join(tree, file)), { recursive: true });
	await writeFile(join(tree, file), source);
}

async function cruise(base: string): Promise<Cruise> {
	// If there are violations, the checker exits with their number. Then `run` rejects, and its error has the output.
	const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
	const options = { cwd: base, maxBuffer: 64 * 1024 * 1024 };
	const { stdout } = await run(process.execPath, args, options).catch((error: { stdout: string }) => error);
	return JSON.parse(stdout) as Cruise;
}

function violationsOf({ summary }: Cruise): string[] {
	return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

test('the checker reports nothing for a source tree without violations', async () => {
	expect(violationsOf(await cruise(tree))).toEqual([]);
});

test('the checker reports the violation of each rule, and nothing else', async () => {
	for (const [, file, source] of planted) await plant(file, source);
	const expected = planted.flatMap((row) => {
		const [rule, file, to] = [row[0], row[1], targetOf(row)];
		if (rule !== 'no-cycles-between-server-features') return `${rule}: ${file} -> ${to}`;
		// For a cycle, the checker reports folders instead of files.
		const folders = [file, to].map((path) => path.split('/').slice(0, 4).join('/'));
		return [folders, folders.toReversed()].map(([from, into]) => `${rule}: ${from} -> ${into}`);
	});
	expect(violationsOf(await cruise(tree))).toEqual(expected.sort());
});

test('every rule of the configuration is tested', async () => {
	const { forbidden } = (await import(config)).default as { forbidden: Array<{ name: string; severity: string }> };
	expect(planted.map(([rule]) => rule).sort()).toEqual(forbidden.map(({ name }) => name).sort());
	expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
});

test('the source code follows every rule, and the checker reads all source files', async () => {
	const cruised = await cruise(process.cwd());
	expect(violationsOf(cruised)).toEqual([]);

	const { stdout } = await run('git', ['ls-files', 'src']);
	const files = stdout.split('\n').filter((file) => /\.tsx?$/u.test(file) && existsSync(file));
	const read = new Set(cruised.modules.filter(({ couldNotResolve }) => !couldNotResolve).map(({ source }) => source));
	expect(files.length).toBeGreaterThan(10);
	expect(files.filter((file) => !read.has(file))).toEqual([]);

	const aliased = cruised.modules
		.flatMap(({ dependencies }) => dependencies)
		.filter((dependency) => dependency.module.startsWith('#'));
	expect(aliased.length).toBeGreaterThan(10);
	expect(aliased.filter(({ resolved }) => !resolved.startsWith('src/'))).toEqual([]);
});
