import { expect, test } from 'vitest';
import { addToManyFolderTotals } from '#server/features/files/spaces/spaces.queries.ts';
import { insertNodes } from '#server/features/files/tree/tree.queries.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';

const testApp = await openTestApp();
const { db } = testApp.deps;

test('a transaction whose first of 20 statements fails stores nothing, not even after its ROLLBACK', async () => {
	const before = await dumpDatabase(testApp.deps);
	const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
	const changes = new Map(paths.map((path, at) => [path, { folders: 0, files: at === 0 ? null : 1, sizeBytes: 1 }]));
	// Several times, because it depends on the time of the answers whether a late statement would be stored.
	for (let round = 0; round < 20; round += 1)
		await expect(inTransaction(db, (tx) => addToManyFolderTotals(tx, 'guest', changes as never))).rejects.toThrow(
			/null/iu,
		);
	expect(await dumpDatabase(testApp.deps)).toEqual(before);
});

test('an empty list of rows is inserted without an error', async () => {
	await inTransaction(db, (tx) => insertNodes(tx, []));
});
