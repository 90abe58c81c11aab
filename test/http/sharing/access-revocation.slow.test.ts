import { afterEach, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, secondWithMarginMs } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makeFile, makeFolder, makePdfFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeOrder } from '../../support/fixtures/orders.ts';

const { testApp, deps, admin } = await openTestApp();
const url = await listen(testApp.app);
const owner = 'owner@example.com';
const email = 'reader@example.com';
const ownerId = await makeUser(deps, owner);
const otherMemberId = await makeUser(deps, 'other-member@example.com');
const { id: readerId, client: reader } = await makeSignedInUser(testApp, email);
/** The bytes exceed the socket buffers, so that a download stays open while the client does not read. */
const bytes = Buffer.alloc(40 * 1024 * 1024, 'x');

// Waits until the server has noticed all closed connections, because the next test counts open connections.
afterEach(() => expect.poll(() => deps.live.count()).toBe(0));

type Folder = { id: string; path: string };
const newFile = (name: string, folder?: Folder, body = bytes) => makeFile(deps, { ownerId, name, bytes: body, folder });
const share = (nodeId: string) => admin.call('POST', '/api/shares', { nodeId, email });
const unshare = (nodeId: string) => admin.call('POST', '/api/shares/remove', { nodeId, email });

/** Counts connections at the server, because a client that does not read notices their end too late. */
const expectOpenConnections = (count: number) =>
	expect.poll(() => deps.live.count(), { timeout: secondWithMarginMs }).toBe(count);

test('ends a range request and a ZIP download when the share is removed, and then returns 404', async () => {
	const root = await makeFolder(deps, owner, 'Films');
	const inner = await makeFolder(deps, owner, 'Inner', root.path);
	// A ZIP download has additional buffers, so that its file must be larger.
	const film = await newFile('film.mp4', inner, Buffer.alloc(2 * bytes.length, 'x'));
	await share(root.id);
	const address = `/api/files/${film}/content`;
	const range = await downloadSlowly(url, reader, address, { range: 'bytes=1000000-' });
	const zip = await downloadSlowly(url, reader, `/api/archive?ids=${root.id}`);
	expect([range.status, zip.status]).toEqual([206, 200]);
	await expectOpenConnections(2);
	await unshare(root.id);
	await expectOpenConnections(0);
	expect(await Promise.all([range.finish(), zip.finish()])).toEqual([false, false]);
	expect(range.received()).toBeLessThan(bytes.length - 1_000_000);
	expect((await reader.call('GET', address)).statusCode).toBe(404);
	expect((await reader.call('GET', address, undefined, { range: 'bytes=0-9' })).statusCode).toBe(404);
});

test.each([
	['excluded from the shared folder', (id: string) => unshare(id)],
	['deleted with its folder', (id: string) => admin.call('DELETE', `/api/nodes/${id}`)],
	['moved out of the shared folder', (id: string) => admin.call('POST', '/api/nodes/move', { ids: [id], path: '' })],
])('ends a running download when its file is %s', async (name, act) => {
	const root = await makeFolder(deps, owner, name);
	const inner = await makeFolder(deps, owner, `Inner ${name}`, root.path);
	const file = await newFile('long.bin', inner);
	const sharedFile = await newFile('kept.bin', root);
	await share(root.id);
	const download = await downloadSlowly(url, reader, `/api/files/${file}/content`);
	const other = await downloadSlowly(url, reader, `/api/files/${sharedFile}/content`);
	await expectOpenConnections(2);
	await act(inner.id);
	await expectOpenConnections(1);
	expect(await download.finish()).toBe(false);
	// The file of this download is still shared.
	expect(await other.finish()).toBe(true);
});

/** Shares a node with a new group of the reader and another member. @returns the ID of the group */
async function shareWithNewGroup(nodeId: string, name: string): Promise<string> {
	const { id: groupId } = (await admin.call('POST', '/api/groups', { name })).json();
	await admin.call('POST', '/api/shares/many', { ids: [nodeId], recipients: [{ groupId }] });
	await admin.call('POST', `/api/groups/${groupId}/members`, { userIds: [readerId, otherMemberId] });
	return groupId;
}
const leave = (groupId: string, userId: string) =>
	admin.call('POST', `/api/groups/${groupId}/members/remove`, { userIds: [userId] });
const unshareGroup = (groupId: string, nodeId: string) => admin.call('POST', '/api/shares/remove', { nodeId, groupId });

test.each([
	['has left the group', (id: string) => leave(id, readerId)],
	['is in a deleted group', (id: string) => admin.call('DELETE', `/api/groups/${id}`)],
	['is in a group that no longer has the share', unshareGroup],
	['is excluded from the share of a group', (_groupId: string, nodeId: string) => unshare(nodeId)],
])('ends a running download and a ZIP download of a user who %s', async (name, act) => {
	const root = await makeFolder(deps, owner, name);
	const file = await newFile('long.bin', root, Buffer.alloc(2 * bytes.length, 'x'));
	const groupId = await shareWithNewGroup(root.id, name);
	const download = await downloadSlowly(url, reader, `/api/files/${file}/content`);
	const zip = await downloadSlowly(url, reader, `/api/archive?ids=${root.id}`);
	expect([download.status, zip.status]).toEqual([200, 200]);
	await expectOpenConnections(2);
	await act(groupId, root.id);
	await expectOpenConnections(0);
	expect(await Promise.all([download.finish(), zip.finish()])).toEqual([false, false]);
	expect((await reader.call('GET', `/api/files/${file}/content`)).statusCode).toBe(404);
});

test('keeps a download of a member while another member leaves the group', async () => {
	const file = await newFile('kept for the others.bin');
	const groupId = await shareWithNewGroup(file, 'Others');
	const download = await downloadSlowly(url, reader, `/api/files/${file}/content`);
	await leave(groupId, otherMemberId);
	expect(await download.finish()).toBe(true);
});

/** Opens the event streams of the reader and of a user who has no share. */
async function openStreams(bystanderEmail: string, bystanderIp: string) {
	const { client: bystander } = await makeSignedInUser(testApp, bystanderEmail, 'user', bystanderIp);
	const readerStream = await openEventStream(url, reader.cookie());
	const bystanderStream = await openEventStream(url, bystander.cookie());
	/** Checks that the reader gets an event after `act`, and removes earlier events of the reader. */
	const expectEvent = async (topic: 'shares' | 'dashboard', act: () => Promise<unknown>) => {
		readerStream.events.length = 0;
		await act();
		await readerStream.waitFor(topic);
	};
	const expectNoneForBystander = () => expect(bystanderStream.events.map(({ topic }) => topic)).not.toContain('shares');
	const close = () => {
		readerStream.close();
		bystanderStream.close();
	};
	return { events: readerStream.events, expectEvent, expectNoneForBystander, close };
}

test('publishes the shares of a group to its members: when they join or leave, and on each change', async () => {
	const streams = await openStreams('no-member@example.com', '203.0.113.89');
	const expectEvent = (act: () => Promise<unknown>) => streams.expectEvent('shares', act);
	const { id: groupId } = (await admin.call('POST', '/api/groups', { name: 'Informed' })).json();
	const root = await makeFolder(deps, owner, 'For the informed');
	const members = { userIds: [readerId] };
	await expectEvent(() => admin.call('POST', `/api/groups/${groupId}/members`, members));
	await expectEvent(() => admin.call('POST', '/api/shares/many', { ids: [root.id], recipients: [{ groupId }] }));
	await expectEvent(() => admin.call('POST', `/api/spaces/${owner}/folders`, { path: root.path, name: 'New' }));
	await expectEvent(() => leave(groupId, readerId));
	await expectEvent(() => admin.call('POST', `/api/groups/${groupId}/members`, members));
	await expectEvent(() => admin.call('DELETE', `/api/nodes/${root.id}`));
	streams.expectNoneForBystander();
	await expectEvent(() => admin.call('DELETE', `/api/groups/${groupId}`));
	streams.close();
});

test('limits the ZIP downloads and event streams that a user can have at the same time', async () => {
	const film = await newFile('often.bin');
	await share(film);
	const archives = await Promise.all(
		Array.from({ length: limits.concurrentZipsPerUserMax }, () =>
			downloadSlowly(url, reader, `/api/archive?ids=${film}`),
		),
	);
	const oneMore = () => reader.call('HEAD', `/api/archive?ids=${film}`);
	expect((await oneMore()).statusCode).toBe(429);
	expect(await archives[0]?.finish()).toBe(true);
	await expect.poll(async () => (await oneMore()).statusCode).toBe(200);
	await unshare(film);
	expect(await Promise.all(archives.slice(1).map((archive) => archive.finish()))).toEqual([false, false, false]);

	const open = Array.from({ length: limits.eventStreamsPerUserMax }, () => openEventStream(url, reader.cookie()));
	const streams = await Promise.all(open);
	expect(streams.map(({ response }) => response.statusCode)).toEqual(streams.map(() => 200));
	const refused = await openEventStream(url, reader.cookie());
	expect(refused.response.statusCode).toBe(429);
	for (const stream of streams) stream.close();
	const openAgain = async () => {
		const again = await openEventStream(url, reader.cookie());
		again.close();
		return again.response.statusCode;
	};
	await expect.poll(openAgain).toBe(200);
	await expectOpenConnections(0);
});

test('ends a running download of an edition when the order becomes Pending', async () => {
	const book40 = makePdf({ pages: Array.from({ length: 40 }, () => ({ pictureBytes: 1_000_000 })) });
	const fileId = await makePdfFile(deps, 'book', { bytes: book40 });
	await saveBook(admin, { editions: [{ key: 'part-1-en', fileId }] });
	const { id } = await makeOrder(deps, { userId: readerId, email, status: 'Complete' });
	await testApp.runDueWork();
	const download = await downloadSlowly(url, reader, '/api/editions/part-1-en/content');
	expect((await changeOrder(admin, id, { status: 'Pending' })).statusCode).toBe(200);
	await expectOpenConnections(0);
	expect(await download.finish()).toBe(false);
});

test('publishes shares, removed shares and changes in shared folders only to the recipients', async () => {
	await deps.db.deleteFrom('shares').execute();
	const streams = await openStreams('bystander@example.com', '203.0.113.88');
	const { events, expectEvent } = streams;
	const createFolder = (path: string, name: string) =>
		admin.call('POST', `/api/spaces/${owner}/folders`, { path, name });
	const setButton = (showSharedFolders: boolean) => admin.call('PUT', '/api/settings/dashboard', { showSharedFolders });
	const root = await makeFolder(deps, owner, 'Live');
	const inner = await makeFolder(deps, owner, 'Deep', root.path);
	await expectEvent('shares', () => share(root.id));
	await expectEvent('shares', () => createFolder(inner.path, 'New inside'));
	await expectEvent('shares', () => unshare(inner.id));
	await expectEvent('shares', () => unshare(root.id));
	await expectEvent('dashboard', () => setButton(false));
	expect(await findRows(deps, 'audit', { action: 'dashboard-set' })).toHaveLength(1);
	streams.expectNoneForBystander();
	// Sharing many nodes in one call publishes one event.
	const files = [await newFile('one.bin'), await newFile('two.bin')];
	await expectEvent('dashboard', async () => {
		await admin.call('POST', '/api/shares/many', { ids: files, email });
		await setButton(true);
	});
	expect(events.map(({ topic }) => topic)).toEqual(['shares', 'dashboard']);
	for (const id of files) await expectEvent('shares', () => unshare(id));
	await expectEvent('dashboard', () => setButton(false));
	// The reader has no share in this space now, so that a new folder publishes no event to the reader.
	events.length = 0;
	await createFolder('', 'Private');
	await expectEvent('dashboard', () => setButton(true));
	expect(events.map(({ topic }) => topic)).toEqual(['dashboard']);
	// The reader also gets an event when their only share in this space ends, because the node is deleted.
	const [file, folder] = [await newFile('only.bin'), await makeFolder(deps, owner, 'Only')];
	const inside = await newFile('inside.bin', folder);
	for (const [shared, removed] of Object.entries({ [file]: file, [inside]: folder.id })) {
		await expectEvent('shares', () => share(shared));
		await expectEvent('shares', () => admin.call('DELETE', `/api/nodes/${removed}`));
	}
	streams.expectNoneForBystander();
	streams.close();
});
