import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { classifyDbError } from '#server/platform/database/errors.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';
import { prepareWritingCalls } from '../../support/fixtures/writing-calls.ts';

/** An app on SQLite, also in runs on PostgreSQL, because only SQLite can be given a size. */
const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '100000', DATABASE_URL: '' });
await disableOrderMails(deps);
const { calls, createObjects, getClients, runJobs } = prepareWritingCalls({ testApp, deps, admin, adminId });

const run = (statement: string) => sql.raw(statement).execute(deps.db);
await run('create table filler (bytes blob)');
let refused = 0;

/**
 * Fills the database: it cannot grow, rows of decreasing size have taken all free pages, and `audit` has no more space,
 * so that most calls need a page that they do not get.
 */
async function fill(): Promise<void> {
	const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(deps.db);
	await run(`pragma max_page_count = ${rows[0]?.page_count}`);
	for (let bytes = 2 ** 20; bytes >= 1; bytes /= 4) while (await insert(`into filler values (zeroblob(${bytes}))`));
	const values = "hex(randomblob(8)), '', '', 'filler', '', '', '', ''";
	while (
		await insert(`into audit (id, at, actor_email, action, subject_kind, subject_id, detail, ip) values (${values})`)
	);
}

/** @returns whether there was space */
function insert(statement: string): Promise<boolean> {
	return run(`insert ${statement}`).then(
		() => true,
		(error: unknown) => {
			expect(classifyDbError(error)).toBe('full');
			return false;
		},
	);
}

async function makeSpace(): Promise<void> {
	await run('pragma max_page_count = 1000000');
	await run('delete from filler');
	await run("delete from audit where action = 'filler'");
}

/** Tables that a refused call may change: what it used up of its limits, and the time of the session. */
const changesAnyway = new Set(['filler', 'rate_limits', 'sessions']);

async function readTables() {
	return Object.entries(await dumpDatabase(deps)).filter(([table]) => !changesAnyway.has(table));
}

/** Each step is refused as a whole: the call continues when it is repeated. */
const inSteps = ['create folders', 'save the storefront', 'share with the user'];
// If only its second request were refused, the admin would stay the user.
const { 'view as the user': _twoRequests, ...singleCalls } = calls;

test.each(Object.entries(singleCalls))(
	'a full database refuses the whole call or none of it, and the call succeeds when there is space again: %s',
	async (name, send) => {
		const objects = await createObjects();
		const [client] = getClients();
		await fill();
		const before = await readTables();
		const status = await Promise.resolve(send(objects, client)).then(
			(answer) => answer?.statusCode ?? 200,
			(error: unknown) => {
				expect(classifyDbError(error)).toBe('full');
				return 507;
			},
		);
		const after = await readTables();
		await makeSpace();
		if (status < 400) return;
		refused += 1;
		expect(status).toBe(507);
		if (!inSteps.includes(name)) expect(after).toEqual(before);
		const again = await send(objects, client);
		expect(again?.statusCode ?? 200).toBeLessThan(400);
	},
);

test('many calls were refused, and the data are consistent', async () => {
	expect(refused).toBeGreaterThan(20);
	await runJobs(Number.POSITIVE_INFINITY);
	expect((await checkIntegrity(deps)).problems).toEqual([]);
});
