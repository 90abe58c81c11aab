import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
	checkIntegrity,
	collectGarbage,
	correctDueTimes,
	repairAfterStart,
	scheduleMaintenance,
} from '#server/features/maintenance/tasks/tasks.service.ts';
import { writeVisits } from '#server/features/storefront/visits/visit-writer.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { consumeRateLimit, hasRemainingAllowance, rateLimits } from '#server/platform/auth/rate-limits/rate-limits.ts';
import { isoAt } from '#server/platform/clock.ts';
import { dayOf } from '#server/platform/format.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { blobReferences } from '#server/platform/storage/blobs.queries.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { createHttpClient, postFile } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listStoredKeys, makeStoredObjectOld, storageKeyOfFile } from '../../support/app/stored-objects.ts';
import { listMailsTo } from '../../support/app/test-app.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { readChat, sendText } from '../../support/fixtures/chat.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makeFolder, makeTextFile } from '../../support/fixtures/files.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const { testApp, deps, admin } = await openTestApp();

const problems = async () => (await checkIntegrity(deps)).problems;
const { storage } = deps;

describe('the integrity check', () => {
	test('finds no problem in a consistent installation, and counts blobs and bytes', async () => {
		await makeTextFile(deps, 'guest', 'sound.txt', '12345');
		expect(await checkIntegrity(deps)).toMatchObject({ problems: [], blobs: 1, bytes: 5 });
	});

	test('reports stored bytes that are missing or changed', async () => {
		const key = await storageKeyOfFile(deps, await makeTextFile(deps, 'guest', 'changed.txt', 'right'));
		await storage.remove([key]);
		expect(await problems()).toEqual([{ kind: 'bytes-missing', what: key }]);
		await storage.put(key, Buffer.from('rigth'));
		expect(await problems()).toEqual([{ kind: 'bytes-differ', what: key }]);
		await storage.put(key, Buffer.from('right'));
		expect(await problems()).toEqual([]);
	});

	test('reports an old object that no blob references, and garbage collection deletes it', async () => {
		await storage.put('files/lost/old.bin', Buffer.from('x'));
		await storage.put('files/lost/new.bin', Buffer.from('x'));
		makeStoredObjectOld(deps, 'files/lost/old.bin');
		expect(await problems()).toEqual([{ kind: 'orphaned-object', what: 'files/lost/old.bin' }]);
		await collectGarbage(deps);
		expect(await problems()).toEqual([]);
		expect(await listStoredKeys(deps, 'files/lost/')).toEqual(['files/lost/new.bin']);
	});

	test('reports inconsistent rows of files and folders', async () => {
		const folder = await makeFolder(deps, 'guest', 'parent');
		const inside = await makeTextFile(deps, 'guest', 'inside.txt', 'x', folder);
		const change = (columns: { path?: string; size_bytes: number }) =>
			deps.db.updateTable('nodes').set(columns).where('id', '=', inside).execute();
		await change({ path: '1/2', size_bytes: 1 });
		expect(await problems()).toEqual([
			{ kind: 'node-without-parent', what: `${inside} inside.txt` },
			{ kind: 'wrong-totals', what: 'guest/1/2' },
			{ kind: 'wrong-totals', what: `guest/${folder.path}` },
		]);
		await change({ path: folder.path, size_bytes: 2 });
		expect(await problems()).toEqual([
			{ kind: 'file-without-bytes', what: `${inside} inside.txt` },
			{ kind: 'wrong-totals', what: `guest/${folder.path}` },
			{ kind: 'wrong-space', what: 'guest' },
		]);
		await change({ size_bytes: 1 });
		expect(await problems()).toEqual([]);
	});

	test('reports a share whose user or group does not exist, and a share that differs from its node', async () => {
		const id = await makeTextFile(deps, 'guest', 'shared.txt');
		const node = await getRow(deps, 'nodes', { id });
		const row = {
			node_id: id,
			owner_id: 'guest',
			kind: 'share',
			kind_order: 1,
			shared_by: '',
			created_at: node.created_at,
		} as const;
		await insertRows(deps, 'shares', [
			{ ...row, id: 'lost', recipient_id: 'deleted', recipient_kind: 'group', sort_key: node.sort_key },
			{ ...row, id: 'wrong', recipient_id: 'all-members', recipient_kind: 'group', sort_key: 'other' },
		]);
		expect(await problems()).toEqual([
			{ kind: 'wrong-share', what: 'wrong shared.txt' },
			{ kind: 'lost-recipient', what: 'lost deleted' },
		]);
		await deps.db.deleteFrom('shares').execute();
	});
});

test('blobReferences contains every column with a reference to stored bytes', async () => {
	const { rows } = await (testDatabase === 'sqlite'
		? sql<{ name: string }>`select t.name || '.' || f."from" as name from sqlite_schema as t
				join pragma_foreign_key_list(t.name) as f where t.type = 'table' and f."table" = 'blobs' and f.on_delete <> 'CASCADE'`
		: sql<{ name: string }>`select c.conrelid::regclass || '.' || a.attname as name from pg_constraint as c
				join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
				where c.contype = 'f' and c.confrelid = 'blobs'::regclass and c.confdeltype <> 'c'`
	).execute(deps.db);
	const known = blobReferences().map((column) => column.join('.'));
	expect(rows.length).toBeGreaterThan(4);
	// messages.blob_id has no foreign key.
	expect(known.filter((name) => name !== 'messages.blob_id').sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('garbage collection deletes the bytes of a deleted order after an hour, and no other bytes', async () => {
	const kept = await makeTextFile(deps, 'guest', 'kept.txt', 'kept');
	await sendCheckoutForm(admin, { email: 'gone@example.com' });
	const { qrCodeUrl } = (await postFile(admin, '/api/settings/qr', 'q.png', await makePicture())).json();
	const [order] = (await admin.call('GET', '/api/orders?search=gone@')).json().items;
	await admin.call('DELETE', `/api/orders/${order.id}`);
	const count = async () =>
		(await findRows(deps, 'blobs')).filter(({ storage_key }) => storage_key.startsWith('screenshots/')).length;
	await collectGarbage(deps);
	expect(await count()).toBe(2);
	testApp.clock.advance(3601);
	await collectGarbage(deps);
	expect(await count()).toBe(0);
	expect((await admin.call('GET', `/api/files/${kept}/content`)).body).toBe('kept');
	expect((await admin.call('GET', qrCodeUrl)).statusCode).toBe(200);
	expect(await problems()).toEqual([]);
});

test('the repair at the server start does not change consistent rows', async () => {
	const before = await dumpDatabase(deps);
	await repairAfterStart(deps);
	expect(await dumpDatabase(deps)).toEqual(before);
	expect(await problems()).toEqual([]);
});

test('a database dump contains no UPI ID, payment reference, bank details, mailed password or link in plain text', async () => {
	const secrets = { upiId: 'very.secret@upihandle', utr: '532411870777', account: '998877665544', ifsc: 'SECR0001234' };
	const { upiId, utr } = secrets;
	await sendCheckoutForm(admin, { email: 'sealed@example.com', name: 'Sealed Buyer', upiId, utr });
	const account = { accountNumber: secrets.account, ifsc: secrets.ifsc };
	await saveBook(admin, { bank: { name: 'Secret Bank', ...account, accountHolder: 'Secret Holder' } });
	const [order] = (await admin.call('GET', '/api/orders?search=sealed@')).json().items;
	await admin.call('PUT', `/api/orders/${order.id}`, { ...order, upiId: `new.${secrets.upiId}` });
	const waiting = JSON.stringify(await dumpDatabase(deps));
	const mails = await testApp.runDueWork();
	const mail = mails.find(({ to }) => to?.[0]?.address === 'sealed@example.com');
	const password = /Password: (\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	const token = /#token=(\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';
	expect([password.length > 10, token.length]).toEqual([true, 43]);
	for (const secret of [...Object.values(secrets), 'Secret Bank', 'Secret Holder', password, token]) {
		expect(waiting).not.toContain(secret);
		expect(JSON.stringify(await dumpDatabase(deps))).not.toContain(secret);
		if (testDatabase === 'sqlite') {
			for (const file of ['folio.db', 'folio.db-wal']) {
				const bytes = await readFile(join(deps.config.DATA_DIR, file)).catch(() => Buffer.alloc(0));
				expect(bytes.includes(secret)).toBe(false);
			}
		}
	}
	expect((await admin.call('GET', '/api/orders?search=sealed@')).json().items[0].upiId).toBe(`new.${secrets.upiId}`);
});

test('the integrity check reports visitor counts that do not match the visits', async () => {
	const visit = { visited_at: isoAt(testApp.clock), page: '/', referrer: '', kind: 'person', event: 'visit' } as const;
	await writeVisits(deps, [
		{ ...visit, id: 'v1', ip: '192.0.2.1' },
		{ ...visit, id: 'v2', ip: '192.0.2.1' },
		{ ...visit, id: 'v3', ip: '192.0.2.2', event: 'form' },
	]);
	expect(await problems()).toEqual([]);
	const day = dayOf(visit.visited_at, deps.config.TIME_ZONE);
	const wrong = (what: string) => ({ kind: 'wrong-visits', what });
	const row = await getRow(deps, 'visits', { id: 'v2' });
	await deps.db.deleteFrom('visits').where('id', '=', 'v2').execute();
	expect(await problems()).toEqual([wrong('192.0.2.1')]);
	await insertRows(deps, 'visits', [row, { ...row, id: 'v4', ip: '192.0.2.9' }, { ...row, id: 'v5' }]);
	expect(await problems()).toEqual([wrong('192.0.2.1'), wrong('192.0.2.9'), wrong('days')]);
	await deps.db.deleteFrom('visits').where('id', 'in', ['v4', 'v5']).execute();
	const setCounts = async (addresses: number, visits: number) => {
		await deps.db.updateTable('visit_sums').set({ addresses }).execute();
		await deps.db.updateTable('visit_sources').set({ visits }).where('kind', '=', 'referrer').execute();
	};
	await setCounts(7, 1);
	expect(await problems()).toEqual([wrong(day), wrong('addresses')]);
	await setCounts(1, 2);
	// Garbage collection deletes old visits but keeps the sums of their days.
	testApp.clock.advance(1000 * 86_400);
	await collectGarbage(deps);
	expect(await findRows(deps, 'visits')).toEqual([]);
	expect(await problems()).toEqual([]);
});

describe.each([
	['set back by a day', 24 * 3600],
	['a year ahead for a while', 365 * 24 * 3600],
])('after the clock was %s', (what, aheadSeconds) => {
	test('mails, jobs and rate limits go on within a minute, and sessions and files are kept', async () => {
		const { clock } = testApp;
		const { client: member, id, email: memberEmail } = await joinAs(testApp);
		const file = await makeTextFile(deps, id, 'kept.txt', 'kept');
		const email = `${aheadSeconds}@example.com`;
		const dueMails = async () => (await listMailsTo(testApp, email)).length;
		const countPlannedChatMails = async () =>
			(await findRows(deps, 'conversations')).filter(({ admin_mail_due_at }) => admin_mail_due_at !== null).length;
		const runMaintenance = () => runNextJob(deps, jobHandlers, 'upkeep');
		const hasAllowance = () => hasRemainingAllowance(deps, rateLimits.resetPerAccount, what);

		clock.advance(aheadSeconds);
		await scheduleMaintenance(deps);
		while (await runMaintenance());
		await sendCheckoutForm(createHttpClient(testApp.app), { email });
		const later = createHttpClient(testApp.app);
		await later.signIn(memberEmail, testPassword);
		await sendText(later, id, 'Hello');
		await later.call('POST', `/api/chats/${id}/typing`, {});
		await consumeRateLimit(deps, rateLimits.resetPerAccount, what, 5);
		expect(await hasAllowance()).toBe(false);
		clock.advance(-aheadSeconds);

		expect([await runMaintenance(), await dueMails(), await countPlannedChatMails()]).toEqual([false, 0, 1]);
		await correctDueTimes(deps);
		expect([await runMaintenance(), await dueMails(), await countPlannedChatMails()]).toEqual([true, 1, 0]);
		expect(await hasAllowance()).toBe(true);
		expect((await readChat(member, id)).state.typing).toBe('none');
		expect((await member.call('GET', `/api/files/${file}/content`)).body).toBe('kept');
	});
});
