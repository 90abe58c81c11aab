import { afterAll, expect, test } from 'vitest';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';

// Other tests compare dumps to detect writes of refused requests. Therefore a dump must show every kind of write.
const { testApp, deps } = await openTestApp();
const secondApp = await createSecondProcess(testApp);
afterAll(() => secondApp.close());

test('a dump is unchanged by a transaction that was rolled back', async () => {
	await makeUser(deps, 'nobody@example.com');
	const before = await dumpDatabase(deps);
	const rolledBack = deps.db.transaction().execute(async (tx) => {
		await tx.updateTable('users').set({ name: 'Nobody' }).execute();
		throw new Error('rolled back');
	});
	await expect(rolledBack).rejects.toThrow('rolled back');
	expect(await dumpDatabase(deps)).toEqual(before);
});

test.for<[string, () => Promise<unknown>]>([
	['a new row', () => makeUser(deps, 'one@example.com')],
	['a row of another process', () => makeUser(secondApp.deps, 'two@example.com')],
	['a changed row', () => deps.db.updateTable('users').set({ name: 'Changed' }).execute()],
	['a change of another process', () => secondApp.deps.db.updateTable('users').set({ name: 'Again' }).execute()],
	['the deletion of all rows of a table', () => deps.db.deleteFrom('users').execute()],
])('a dump shows %s', async ([, write]) => {
	const before = await dumpDatabase(deps);
	expect(await dumpDatabase(deps)).toEqual(before);
	await write();
	const after = await dumpDatabase(deps);
	expect(after).not.toEqual(before);
	expect(after).toEqual(await dumpDatabase(secondApp.deps));
});
