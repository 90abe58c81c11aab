import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { attachmentsPath } from '#contract/chat/chat.ts';
import { defaultFilesSettings } from '#contract/files/spaces.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { diskWithSpaceForFiles, fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { createHttpClient, type HttpClient, multipart } from '../../support/app/http-client.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listStoredKeys } from '../../support/app/stored-objects.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';
import { newClientId, readChat, sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp();
const mebibyte = 1024 * 1024;

let fileCount = 0;
const join = () => joinAs(testApp);

/** Returns a file with unique bytes, because files with equal bytes would share a stored object. */
function fileOf(sizeBytes: number): { name: string; bytes: Buffer } {
	fileCount += 1;
	return { name: `file ${fileCount}.bin`, bytes: Buffer.alloc(sizeBytes, fileCount) };
}

const sendFileOf = (client: HttpClient, userId: string, sizeBytes: number, clientId?: string) =>
	sendChatFile(client, userId, fileOf(sizeBytes), clientId);

/** Returns the size of the database. The search index is optimized first, because its size varies. */
async function databaseBytes(): Promise<number> {
	const { kind, db } = testApp.deps.connection;
	if (kind === 'sqlite') await sql`insert into messages_search(messages_search) values ('optimize')`.execute(db);
	const query =
		kind === 'sqlite'
			? sql<{ bytes: number }>`select (page_count - freelist_count) * page_size as bytes
					from pragma_page_count, pragma_freelist_count, pragma_page_size`
			: sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
	return Number((await query.execute(db)).rows[0]?.bytes);
}

const useOf = async (userId: string) => {
	const { items } = (await admin.call('GET', '/api/chat-storage?limit=100')).json();
	return items.find((item: { userId: string }) => item.userId === userId);
};

async function saveSettings(change: object): Promise<void> {
	const saved = (await admin.call('GET', '/api/settings/files')).json();
	const answer = await admin.call('PUT', '/api/settings/files', { ...saved, ...change });
	expect(answer.statusCode).toBe(200);
}

describe('chat limits of a member', () => {
	test('allow 60 messages a minute, and refuse the next message with CHAT_MINUTE_LIMIT until a minute has passed', async () => {
		const { id, client, email } = await join();
		for (let sent = 0; sent < 60; sent += 1)
			expect((await sendText(client, id, `message ${sent}`)).statusCode).toBe(200);
		const refused = await sendText(client, id, 'one more');
		expect([refused.statusCode, refused.json().code, refused.json().message]).toEqual([
			429,
			'CHAT_MINUTE_LIMIT',
			'You can send 60 messages a minute. This one will be sent by itself within the next minute.',
		]);
		expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
		const body = { clientId: newClientId(), message: 'एक और' };
		const cookie = `${client.cookie()}; lang=hi`;
		expect((await client.call('POST', `/api/chats/${id}/messages`, body, { cookie })).json().message).toBe(
			'एक मिनट में 60 संदेश भेजे जा सकते हैं। यह संदेश अगले एक मिनट में अपने आप चला जाएगा।',
		);
		// The limit is counted across processes.
		const there = createHttpClient((await openSecondProcess(testApp)).app);
		await there.signIn(email, testPassword);
		expect((await sendText(there, id, 'second process')).statusCode).toBe(429);
		testApp.clock.advance(61);
		expect((await sendText(client, id, 'one more')).statusCode).toBe(200);
	});

	test.each([
		['60 of 100 messages', 60, 100, (client: HttpClient, id: string) => sendText(client, id, 'at once')],
		['5 of 15 files', 5, 15, (client: HttpClient, id: string) => sendFileOf(client, id, 100_000)],
	])('accept %s that are sent at the same time', async (_what, accepted, sent, send) => {
		const { id, client, email } = await join();
		const answers = await Promise.all(Array.from({ length: sent }, () => send(client, id)));
		const statuses = [...Array(accepted).fill(200), ...Array(sent - accepted).fill(429)];
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual(statuses);
		expect((await readChat(client, id, '?limit=500')).items).toHaveLength(accepted);
		const { fileCount } = await useOf(id);
		expect(await listStoredKeys(testApp.deps, `messages/${email}/`)).toHaveLength(fileCount);
	});

	test('count each repetition of a message, and when the minute is full, a repetition still returns the message', async () => {
		const { id, client } = await join();
		const clientId = newClientId();
		const send = () => sendText(client, id, 'again and again', clientId);
		for (let tried = 0; tried < 60; tried += 1) expect((await send()).statusCode).toBe(200);
		expect((await sendText(client, id, 'another')).statusCode).toBe(429);
		const before = await dumpDatabase(testApp.deps.connection);
		expect((await readChat(client, id)).items).toEqual([(await send()).json()]);
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
	});

	test('allow 5 files in 24 hours without book access, and store nothing of a refused file', async () => {
		const { id, client } = await join();
		for (let sent = 0; sent < 5; sent += 1) expect((await sendFileOf(client, id, 1000)).statusCode).toBe(200);
		const before = await dumpDatabase(testApp.deps.connection);
		const refused = await sendFileOf(client, id, 1000);
		expect([refused.statusCode, refused.json().code]).toEqual([429, 'CHAT_DAY_LIMIT_UNPAID']);
		expect(refused.json().message).toMatch(
			/^Until your payment is confirmed, you can send 5 files and 25\.00 MB a day in the chat\. You can send more after .+ (am|pm)\.$/u,
		);
		expect(await dumpDatabase(testApp.deps.connection)).toEqual(before);
		testApp.clock.advance(24 * 3600 + 1);
		expect((await sendFileOf(client, id, 1000)).statusCode).toBe(200);
	});

	test('allow 25 MB of files and texts in 24 hours without book access', async () => {
		const { id, client } = await join();
		expect((await sendFileOf(client, id, 24 * mebibyte)).statusCode).toBe(200);
		expect((await sendFileOf(client, id, 2 * mebibyte)).statusCode).toBe(429);
		expect((await sendFileOf(client, id, mebibyte - 1024)).statusCode).toBe(200);
		expect((await sendText(client, id, 'the last kilobyte')).statusCode).toBe(200);
		const refused = await sendText(client, id, 'one more');
		expect([refused.statusCode, refused.json().code]).toEqual([429, 'CHAT_DAY_LIMIT_UNPAID']);
	});

	test.each([
		['a character that becomes 18 characters in the search key', () => '\ufdfa'],
		['random Chinese characters', () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000))],
		['random Devanagari letters', () => String.fromCharCode(0x0905 + Math.floor(Math.random() * 53))],
	])('count at least as many bytes as long texts of %s use in the database', async (_what, nextCharacter) => {
		const { id, client } = await join();
		await sendText(client, id, 'the first message');
		const before = await databaseBytes();
		const countedBefore = (await useOf(id)).lastDay.usedBytes;
		let sentBytes = 0;
		for (let sent = 0; sent < 5; sent += 1) {
			const text = Array.from({ length: 10_000 }, nextCharacter).join('');
			sentBytes += Buffer.byteLength(text);
			expect((await sendText(client, id, text)).statusCode).toBe(200);
		}
		const grown = (await databaseBytes()) - before;
		expect(grown).toBeLessThanOrEqual((await useOf(id)).lastDay.usedBytes - countedBefore);
		// Only with SQLite, the database grows by more bytes than were sent. PostgreSQL compresses long texts.
		if (testApp.deps.connection.kind === 'sqlite') expect(grown).toBeGreaterThan(sentBytes);
	});

	test.each(['a Complete order', 'book access granted by an admin'])(
		'allow 20 files in 24 hours with %s',
		async (access) => {
			const { id, client, email } = await join();
			if (access === 'a Complete order') await makeOrder(testApp.deps, { userId: id, email, status: 'Complete' });
			else expect((await admin.call('PUT', `/api/users/${id}/book-grant`, { isGranted: true })).statusCode).toBe(200);
			for (let sent = 0; sent < 20; sent += 1) expect((await sendFileOf(client, id, 1000)).statusCode).toBe(200);
			const refused = await sendFileOf(client, id, 1000);
			expect([refused.statusCode, refused.json().code]).toEqual([429, 'CHAT_DAY_LIMIT']);
		},
	);

	test('store and count a file once when it is sent several times with the same client ID', async () => {
		const { id, client } = await join();
		const [file, clientId] = [fileOf(5000), newClientId()];
		const answers = await Promise.all([1, 2, 3].map(() => sendChatFile(client, id, file, clientId)));
		answers.push(await sendChatFile(client, id, file, clientId));
		const { items } = await readChat(client, id);
		expect(items).toHaveLength(1);
		for (const answer of answers) expect(answer.json()).toEqual(items[0]);
		expect((await useOf(id)).lastDay).toMatchObject({ fileCount: 1, usedBytes: 5000 });
	});

	test('do not count a file that could not be stored', async () => {
		const { id, client } = await join();
		await sendText(client, id, 'before');
		const { put } = testApp.deps.storage;
		testApp.deps.storage.put = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
		expect((await sendFileOf(client, id, 5000)).statusCode).toBe(507);
		testApp.deps.storage.put = put;
		expect((await useOf(id)).lastDay.fileCount).toBe(0);
	});

	test('ignore a stored minute that ends a day in the future because the clock was wrong', async () => {
		const { id, client } = await join();
		await Promise.all(Array.from({ length: 60 }, (_, at) => sendText(client, id, `tomorrow ${at}`)));
		await testApp.deps.db
			.updateTable('conversations')
			.set({ minute_resets_at: new Date(testApp.clock.now().getTime() + 86_400_000).toISOString() })
			.where('user_id', '=', id)
			.execute();
		expect((await sendText(client, id, 'today')).statusCode).toBe(200);
	});
});

test('refuses a file whose form has a Content-Length above the daily limit', async () => {
	const { id, client } = await join();
	await sendFileOf(client, id, 24 * mebibyte);
	const form = multipart({}, { field: 'file', ...fileOf(10), type: 'application/octet-stream' });
	const answer = await client.call('POST', `${attachmentsPath(id)}?clientId=${newClientId()}`, form.body, {
		...form.headers,
		'content-length': String(3 * mebibyte),
	});
	expect(answer.statusCode).toBe(429);
});

test('does not limit the messages and files of an admin', async () => {
	const { id } = await join();
	const answers = await Promise.all(Array.from({ length: 70 }, (_, at) => sendText(admin, id, `from support ${at}`)));
	expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
	for (let sent = 0; sent < 6; sent += 1) expect((await sendFileOf(admin, id, 1000)).statusCode).toBe(200);
});

test('uses the limits of the settings, multiplied by RATE_LIMIT_FACTOR', async () => {
	const { id, client, email } = await join();
	await saveSettings({ chatFilesPerDayUnpaid: 1 });
	try {
		expect((await sendFileOf(client, id, 1000)).statusCode).toBe(200);
		expect((await sendFileOf(client, id, 1000)).statusCode).toBe(429);
		const wide = await openSecondProcess(testApp, { RATE_LIMIT_FACTOR: 2 });
		const there = createHttpClient(wide.app);
		await there.signIn(email, testPassword);
		expect((await sendFileOf(there, id, 1000)).statusCode).toBe(200);
		expect((await sendFileOf(there, id, 1000)).statusCode).toBe(429);
	} finally {
		await saveSettings(defaultFilesSettings);
	}
	const bad = { ...(await admin.call('GET', '/api/settings/files')).json(), chatBytesPerDay: 0 };
	expect((await admin.call('PUT', '/api/settings/files', bad)).statusCode).toBe(422);
});

test('refuses a message that would use reserved disk space, and still returns the conversation', async () => {
	if (testApp.deps.connection.kind !== 'sqlite') return;
	const { id, client } = await join();
	await sendText(client, id, 'before');
	fakeDiskSpace(testApp.deps, diskWithSpaceForFiles(-1));
	const refused = await sendText(client, id, 'on a full disk');
	expect([refused.statusCode, refused.json().code]).toEqual([507, 'STORAGE_FULL']);
	expect((await readChat(client, id)).items.map(({ message }) => message)).toEqual(['before']);
	fakeDiskSpace(testApp.deps, largeDisk);
});

test('removes the bytes of a file whose message could not be stored because the database was busy', async () => {
	const { deps } = testApp;
	if (deps.connection.kind !== 'sqlite') return;
	const { id, client } = await join();
	const before = await listStoredKeys(deps);
	const other = new DatabaseSync(`${deps.config.DATA_DIR}/folio.db`);
	other.exec('begin immediate');
	try {
		expect((await sendFileOf(client, id, 1000)).statusCode).toBe(503);
	} finally {
		other.close();
	}
	expect(await listStoredKeys(deps)).toEqual(before);
});

describe('GET /api/chat-storage', () => {
	test('counts the texts and files of both sides, and omits a conversation without remaining messages', async () => {
		const [small, large] = [await join(), await join()];
		await sendText(small.client, small.id, 'हिन्दी');
		await sendFileOf(large.client, large.id, 3 * mebibyte);
		await sendFileOf(admin, large.id, 2 * mebibyte);
		expect(await useOf(small.id)).toMatchObject({
			fileCount: 0,
			usedBytes: 18 + 18 * 10,
			lastDay: { fileCount: 0, usedBytes: 1024 },
		});
		expect(await useOf(large.id)).toEqual({
			userId: large.id,
			email: large.email,
			fileCount: 2,
			usedBytes: 5 * mebibyte,
			lastDay: { fileCount: 1, usedBytes: 3 * mebibyte, filesLimit: 5, bytesLimit: 25 * mebibyte },
		});
		await admin.call('DELETE', `/api/chats/${large.id}/messages`);
		expect(await useOf(large.id)).toBeUndefined();
	});

	test('lists each conversation once across pages, the largest first, and returns the total of all conversations', async () => {
		const seen = await readAllItems<{ userId: string; usedBytes: number }>(admin, '/api/chat-storage?limit=2');
		expect(new Set(seen.map(({ userId }) => userId)).size).toBe(seen.length);
		const sizes = seen.map(({ usedBytes }) => usedBytes);
		expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
		const { totals } = (await admin.call('GET', '/api/chat-storage?limit=1')).json();
		expect(totals.usedBytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
	});
});
