import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { checkIntegrity, collectGarbage, repairAfterStart } from '#server/features/maintenance/tasks/tasks.service.ts';
import { writeVisits } from '#server/features/storefront/visits/visit-writer.ts';
import { isoAt } from '#server/platform/clock.ts';
import { dayOf } from '#server/platform/format.ts';
import { blobReferences } from '#server/platform/storage/blobs.queries.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listStoredKeys, makeStoredObjectOld, storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { makePicture } from '../../support/documents/images.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const { world, admin } = await openTestApp();

const problems = async () => (await checkIntegrity(world.deps)).problems;
const { storage } = world.deps;
const keyOf = (fileId: string) => storageKeyOfFile(world.deps, fileId);

describe('the integrity check', () => {
	test('finds no problem in a consistent installation, and counts its blobs and bytes', async () => {
		await makeFile(world.deps, { ownerId: 'guest', name: 'sound.txt', bytes: Buffer.from('12345') });
		expect(await checkIntegrity(world.deps)).toMatchObject({ problems: [], blobs: 1, bytes: 5 });
	});

	test('reports stored bytes that are missing', async () => {
		const id = await makeFile(world.deps, { ownerId: 'guest', name: 'removed.txt', bytes: Buffer.from('here') });
		const key = await keyOf(id);
		await storage.remove(key);
		expect(await problems()).toEqual([{ kind: 'bytes-missing', what: key }]);
		await storage.put(key, Buffer.from('here'));
		expect(await problems()).toEqual([]);
	});

	test('reports a single changed byte', async () => {
		const key = await keyOf(
			await makeFile(world.deps, { ownerId: 'guest', name: 'changed.txt', bytes: Buffer.from('right') }),
		);
		await storage.put(key, Buffer.from('rigth'));
		expect(await problems()).toEqual([{ kind: 'bytes-differ', what: key }]);
		await storage.put(key, Buffer.from('right'));
	});

	test('reports an old orphaned object, and garbage collection removes it', async () => {
		await storage.put('files/lost/old.bin', Buffer.from('x'));
		await storage.put('files/lost/new.bin', Buffer.from('x'));
		makeStoredObjectOld(world.deps, 'files/lost/old.bin');
		expect(await problems()).toEqual([{ kind: 'leftover', what: 'files/lost/old.bin' }]);
		await collectGarbage(world.deps);
		expect(await problems()).toEqual([]);
		expect(await listStoredKeys(world.deps, 'files/lost/')).toEqual(['files/lost/new.bin']);
	});

	test('reports inconsistent rows of files and folders', async () => {
		const folder = await makeFolder(world.deps, 'guest', 'parent');
		const inside = await makeFile(world.deps, {
			ownerId: 'guest',
			name: 'inside.txt',
			bytes: Buffer.from('x'),
			folder,
		});
		await world.deps.db.updateTable('nodes').set({ path: '1/2' }).where('id', '=', inside).execute();
		expect(await problems()).toEqual([
			{ kind: 'stray-node', what: `${inside} inside.txt` },
			{ kind: 'wrong-totals', what: 'guest/1/2' },
			{ kind: 'wrong-totals', what: `guest/${folder.path}` },
		]);
		await world.deps.db
			.updateTable('nodes')
			.set({ path: folder.path, size_bytes: 2 })
			.where('id', '=', inside)
			.execute();
		expect(await problems()).toEqual([
			{ kind: 'hollow-file', what: `${inside} inside.txt` },
			{ kind: 'wrong-totals', what: `guest/${folder.path}` },
			{ kind: 'wrong-space', what: 'guest' },
		]);
		await world.deps.db.updateTable('nodes').set({ size_bytes: 1 }).where('id', '=', inside).execute();
		expect(await problems()).toEqual([]);
	});
});

test('garbage collection knows every column that refers to stored bytes', async () => {
	const { rows } = await (testDatabase === 'sqlite'
		? sql<{ name: string }>`select t.name || '.' || f."from" as name from sqlite_schema as t
				join pragma_foreign_key_list(t.name) as f where t.type = 'table' and f."table" = 'blobs' and f.on_delete <> 'CASCADE'`
		: sql<{ name: string }>`select c.conrelid::regclass || '.' || a.attname as name from pg_constraint as c
				join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
				where c.contype = 'f' and c.confrelid = 'blobs'::regclass and c.confdeltype <> 'c'`
	).execute(world.deps.db);
	const known = blobReferences().map((column) => column.join('.'));
	expect(rows.length).toBeGreaterThan(4);
	// A message's file has no foreign key.
	expect(known.filter((name) => name !== 'messages.blob_id').sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('garbage collection removes the bytes of a deleted order after an hour, and no others', async () => {
	const kept = await makeFile(world.deps, { ownerId: 'guest', name: 'kept.txt', bytes: Buffer.from('kept') });
	const form = multipart(
		{ name: 'A', phone: '1', email: 'gone@example.com', upiId: 'x' },
		{ field: 'screenshot', name: 'a.png', type: 'image/png', bytes: await makePicture() },
	);
	await admin.call('POST', '/purchase', form.body, { ...form.headers, accept: 'application/json' });
	const qr = multipart({}, { field: 'file', name: 'q.png', type: 'image/png', bytes: await makePicture() });
	const { qrCodeUrl } = (await admin.call('POST', '/api/settings/qr', qr.body, qr.headers)).json();
	const [order] = (await admin.call('GET', '/api/orders?search=gone@')).json().items;
	await admin.call('DELETE', `/api/orders/${order.id}`);
	const count = async () =>
		(await world.deps.db.selectFrom('blobs').select('id').where('storage_key', 'like', 'screenshots/%').execute())
			.length;
	await collectGarbage(world.deps);
	expect(await count()).toBe(2);
	world.clock.advance(3601);
	await collectGarbage(world.deps);
	expect(await count()).toBe(0);
	expect((await admin.call('GET', `/api/files/${kept}/content`)).body).toBe('kept');
	expect((await admin.call('GET', qrCodeUrl)).statusCode).toBe(200);
	expect(await problems()).toEqual([]);
});

test('the repair at the start does not change consistent rows', async () => {
	const before = await dumpDatabase(world.deps);
	await repairAfterStart(world.deps);
	expect(await dumpDatabase(world.deps)).toEqual(before);
	expect(await problems()).toEqual([]);
});

test('a database dump contains no UPI ID, bank details, mailed password or link in plain text', async () => {
	const secrets = { upiId: 'very.secret@upihandle', account: '998877665544', ifsc: 'SECR0001234' };
	const form = multipart(
		{ name: 'Sealed Buyer', phone: '1', email: 'sealed@example.com', upiId: secrets.upiId },
		{ field: 'screenshot', name: 'a.png', type: 'image/png', bytes: await makePicture() },
	);
	await admin.call('POST', '/purchase', form.body, { ...form.headers, accept: 'application/json' });
	const settings = (await admin.call('GET', '/api/settings/book')).json();
	const bank = {
		name: 'Secret Bank',
		accountNumber: secrets.account,
		ifsc: secrets.ifsc,
		accountHolder: 'Secret Holder',
	};
	await admin.call('PUT', '/api/settings/book', { ...settings, bank, editions: [] });
	const [order] = (await admin.call('GET', '/api/orders?search=sealed@')).json().items;
	await admin.call('PUT', `/api/orders/${order.id}`, { ...order, upiId: `new.${secrets.upiId}` });
	const waiting = JSON.stringify(await dumpDatabase(world.deps));
	const mails = await world.runDueWork();
	const mail = mails.find(({ to }) => to?.[0]?.address === 'sealed@example.com');
	const password = /Password: (\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	const token = /#token=(\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	expect([password.length > 10, token.length]).toEqual([true, 43]);
	for (const secret of [...Object.values(secrets), 'Secret Bank', 'Secret Holder', password, token]) {
		expect(waiting).not.toContain(secret);
		expect(JSON.stringify(await dumpDatabase(world.deps))).not.toContain(secret);
		if (testDatabase === 'sqlite') {
			for (const file of ['folio.db', 'folio.db-wal']) {
				const bytes = await readFile(join(world.deps.config.DATA_DIR, file)).catch(() => Buffer.alloc(0));
				expect(bytes.includes(secret)).toBe(false);
			}
		}
	}
	expect((await admin.call('GET', '/api/orders?search=sealed@')).json().items[0].upiId).toBe(`new.${secrets.upiId}`);
});

test('the integrity check reports counts that do not match the visits', async () => {
	const { deps } = world;
	const visit = { visited_at: isoAt(world.clock), page: '/', referrer: '', kind: 'person', event: 'visit' } as const;
	await writeVisits(deps, [
		{ ...visit, id: 'v1', ip: '192.0.2.1' },
		{ ...visit, id: 'v2', ip: '192.0.2.1' },
		{ ...visit, id: 'v3', ip: '192.0.2.2', event: 'form' },
	]);
	expect(await problems()).toEqual([]);
	const day = dayOf(visit.visited_at, deps.config.TIME_ZONE);
	const wrong = (what: string) => ({ kind: 'wrong-visits', what });
	const row = await deps.db.selectFrom('visits').selectAll().where('id', '=', 'v2').executeTakeFirstOrThrow();
	await deps.db.deleteFrom('visits').where('id', '=', 'v2').execute();
	expect(await problems()).toEqual([wrong('192.0.2.1')]);
	await deps.db
		.insertInto('visits')
		.values([row, { ...row, id: 'v4', ip: '192.0.2.9' }, { ...row, id: 'v5' }])
		.execute();
	expect(await problems()).toEqual([wrong('192.0.2.1'), wrong('192.0.2.9'), wrong('days')]);
	await deps.db.deleteFrom('visits').where('id', 'in', ['v4', 'v5']).execute();
	await deps.db.updateTable('visit_sums').set({ addresses: 7 }).execute();
	await deps.db.updateTable('visit_sources').set({ visits: 1 }).where('kind', '=', 'referrer').execute();
	expect(await problems()).toEqual([wrong(day), wrong('addresses')]);
	await deps.db.updateTable('visit_sums').set({ addresses: 1 }).execute();
	await deps.db.updateTable('visit_sources').set({ visits: 2 }).where('kind', '=', 'referrer').execute();
	// Old visits are deleted, but the sums of their days stay.
	world.clock.advance(1000 * 86_400);
	await collectGarbage(deps);
	expect(await deps.db.selectFrom('visits').select('id').execute()).toEqual([]);
	expect(await problems()).toEqual([]);
});
