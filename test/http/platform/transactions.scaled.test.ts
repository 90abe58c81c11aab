import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#server/platform/database/schema.ts';
import { findSetting, writeSetting } from '#server/platform/database/settings.ts';
import { afterCommit, inTransaction } from '#server/platform/database/transaction.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';

// PostgreSQL ends one of two transactions that wait for each other. SQLite runs one transaction at a time.
const { db } = (await openTestApp()).deps;

test('two transactions that deadlock are both done, each with its events once', async () => {
	const names = ['one', 'other'] as const;
	for (const name of names) await writeSetting(db, name, '0', 0, '');
	const events: string[] = [];
	const attempts = { one: 0, other: 0 };
	let locked = 0;
	const bothLocked = Promise.withResolvers<void>();
	const addToBoth = (first: 'one' | 'other', second: 'one' | 'other') =>
		inTransaction(db, async (tx) => {
			attempts[first] += 1;
			afterCommit(() => events.push(first));
			await addToSetting(tx, first);
			locked += 1;
			if (locked === 2) bothLocked.resolve();
			await bothLocked.promise;
			await addToSetting(tx, second);
			return first;
		});
	expect(await Promise.all([addToBoth('one', 'other'), addToBoth('other', 'one')])).toEqual(names);
	expect(attempts.one + attempts.other).toBe(3);
	expect(events.toSorted()).toEqual(names);
	for (const name of names) expect((await findSetting(db, name))?.value).toBe('2');
});

test.each([
	['40P01', 5],
	['40001', 5],
	['23505', 1],
])(
	'a transaction that fails with %s every time is tried %i times, and then its error is thrown',
	async (code, tries) => {
		let attempts = 0;
		const failing = inTransaction(db, async (tx) => {
			attempts += 1;
			await sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(tx);
		});
		await expect(failing).rejects.toMatchObject({ code });
		expect(attempts).toBe(tries);
	},
);

async function addToSetting(tx: Db, key: string): Promise<void> {
	const value = sql<string>`cast(cast(value as integer) + 1 as text)`;
	await tx.updateTable('settings').set({ value }).where('key', '=', key).execute();
}
