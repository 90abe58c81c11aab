import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { ComparedStatement, StatementKind } from '#contract/orders/statement-import.ts';
import { copyBuild, startServer } from '../../scripts/services/built-server.mjs';
import { demoEnvironment, seedDemo } from '../../scripts/services/demo-data.mjs';
import { capture } from '../../scripts/setup/processes.mjs';
import { makeTemporaryFolder } from '../../scripts/setup/temporary-folder.mjs';
import { type Client, createClient } from '../support/services/server-client.ts';
import { becomesTrue } from './support/report.ts';

/**
 * Checks what `npm run demo` promises: the printed sign-ins work on the built server; the orders page lists the orders,
 * of which only one pair has the same payment; the statement matches some orders; only members with book access can
 * open the book; the demo refuses to overwrite a folder that is not a demo; and `fsck` finds no problem.
 */
const data = join(makeTemporaryFolder('folio-demo-'), 'data');
const { program } = await copyBuild();
const printed = await seedDemo(process.execPath, data);
const password = /password (\S+) for everybody/u.exec(printed)?.[1] ?? '';
const emails = [...printed.matchAll(/^ {2}(\S+@\S+) +(.*)$/gmu)];
check('sign-ins printed', emails.length, 7);
{
	await using server = await startServer(process.execPath, demoEnvironment(data), program);
	for (const [, email = '', what = ''] of emails) {
		const client = createClient(server.url);
		const status = await client.signIn(email, password);
		check(`${email} signs in`, status, what === 'deactivated' ? 403 : 200);
		if (status === 200) await checkShelf(client, email);
		if (what.startsWith('the owner')) await checkStatement(client);
	}
}
const cli = join(program, '..', 'cli.js');
const { code, output } = await capture(process.execPath, [cli, 'fsck'], { env: demoEnvironment(data) });
check(`fsck ends (${output.trim()})`, code, 0);
const refused = await seedDemo(process.execPath, import.meta.dirname).catch(() => 'refused');
check('a folder that is not a demo is', refused, 'refused');

async function checkStatement(owner: Client): Promise<void> {
	const { items } = await owner.get<{ items: Array<Pick<Order, 'name' | 'repeats'>> }>('/api/orders?limit=50');
	const repeating = items.filter(({ repeats }) => repeats.length > 0).map(({ name }) => name);
	check('orders', items.length, 25);
	// The earlier order of the pair may also have a warning.
	const otherNames = repeating.filter((name) => !['Rahul Menon', 'Gaurav Singh'].includes(name));
	check('other orders with a duplicate proof', otherNames.length, 0);
	check('the later order of the pair has a duplicate proof', repeating.includes('Rahul Menon'), true);
	const statement = await readFile(join(data, 'statement.csv'));
	const response = await owner.sendFile('/api/orders-statement', 'statement.csv', statement);
	const { counts } = (await response.json()) as ComparedStatement;
	for (const [kind, count] of Object.entries({ matched: 2, amount: 1, unclear: 1, missing: 2 }))
		check(`payments of the statement, ${kind}`, counts[kind as StatementKind], count);
}

async function checkShelf(client: Client, email: string): Promise<void> {
	const hasBook = !['meera.nair@example.com', 'dev.anand@example.com'].includes(email);
	for (const edition of listEditionKeys(editionDefaults)) {
		if (hasBook) await becomesTrue(() => isReady(client, edition), 60_000, 200);
		const response = await client.request(`/api/editions/${edition}/content`, { headers: { range: 'bytes=0-4' } });
		check(`${email} asks for ${edition}`, response.status, hasBook ? 206 : 404);
		if (hasBook) check(`${edition} begins`, await response.text(), '%PDF-');
	}
	if (email !== 'rohan@folio.example') return;
	const summary = await client.get('/api/orders-summary');
	const expected = { total: 25, pending: 5, complete: 20, totalSales: 12_475, verifiedSales: 9980 };
	check('the summary of the orders', JSON.stringify(summary), JSON.stringify(expected));
}

/** Returns whether a member's watermarked copy is ready. The first request for the shelf starts its creation. */
async function isReady(client: Client, edition: string): Promise<boolean> {
	const { editions } = await client.get<{ editions: ShelfEdition[] }>('/api/shelf');
	return editions.find(({ key }) => key === edition)?.copy.state === 'ready';
}

function check(what: string, actual: unknown, expected: unknown): void {
	console.log(`${actual === expected ? 'ok    ' : 'FAILED'} ${what}: ${actual}`);
	if (actual !== expected) process.exitCode = 1;
}
