import { afterAll, expect, test } from 'vitest';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';

/** Tests use the dump to prove that a refusal writes nothing, so it must show every kind of write. */
const { world, deps } = await openTestApp();
const twin = await createSecondProcess(world);
afterAll(() => twin.close());

test('a dump does not show changes that were rolled back', async () => {
	await makeUser(deps, 'nobody@example.com');
	const before = await dumpDatabase(deps);
	const undone = deps.db.transaction().execute(async (tx) => {
		await tx.updateTable('users').set({ name: 'Nobody' }).execute();
		throw new Error('taken back');
	});
	await expect(undone).rejects.toThrow('taken back');
	expect(await dumpDatabase(deps)).toEqual(before);
});

test.for<[string, () => Promise<unknown>]>([
	['a new row', () => makeUser(deps, 'one@example.com')],
	["another process's row", () => makeUser(twin.deps, 'two@example.com')],
	['a changed row', () => deps.db.updateTable('users').set({ name: 'Changed' }).execute()],
	["another process's change", () => twin.deps.db.updateTable('users').set({ name: 'Again' }).execute()],
	['rows deleted at once', () => deps.db.deleteFrom('users').execute()],
])('a dump shows %s', async ([, write]) => {
	const before = await dumpDatabase(deps);
	expect(await dumpDatabase(deps)).toEqual(before);
	await write();
	const after = await dumpDatabase(deps);
	expect(after).not.toEqual(before);
	expect(after).toEqual(await dumpDatabase(twin.deps));
});
