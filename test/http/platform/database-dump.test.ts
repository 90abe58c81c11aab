import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';

/** Tests use the dump to prove that a refusal writes nothing, so it must show every kind of write. */
let world: TestApp;
let twin: TestApp;

beforeAll(async () => {
	world = await createTestApp();
	twin = await createSecondProcess(world);
});
afterAll(async () => {
	await twin.close();
	await world.close();
});

test('a dump does not show changes that were rolled back', async () => {
	await makeUser(world.deps, 'nobody@example.com');
	const before = await dumpDatabase(world.deps);
	const undone = world.deps.db.transaction().execute(async (tx) => {
		await tx.updateTable('users').set({ name: 'Nobody' }).execute();
		throw new Error('taken back');
	});
	await expect(undone).rejects.toThrow('taken back');
	expect(await dumpDatabase(world.deps)).toEqual(before);
});

test.for<[string, () => Promise<unknown>]>([
	['a new row', () => makeUser(world.deps, 'one@example.com')],
	["another process's row", () => makeUser(twin.deps, 'two@example.com')],
	['a changed row', () => world.deps.db.updateTable('users').set({ name: 'Changed' }).execute()],
	["another process's change", () => twin.deps.db.updateTable('users').set({ name: 'Again' }).execute()],
	['rows deleted at once', () => world.deps.db.deleteFrom('users').execute()],
])('a dump shows %s', async ([, write]) => {
	const before = await dumpDatabase(world.deps);
	expect(await dumpDatabase(world.deps)).toEqual(before);
	await write();
	const after = await dumpDatabase(world.deps);
	expect(after).not.toEqual(before);
	expect(after).toEqual(await dumpDatabase(twin.deps));
});
