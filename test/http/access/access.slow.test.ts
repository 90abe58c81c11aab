import { afterAll, describe, expect, test } from 'vitest';
import { createAccessFixture } from '../../access/access-fixture.ts';
import { accessRows, accessTable } from '../../access/access-table.ts';
import { cellsOf, checkCell, expectSame } from '../../access/check-cell.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { tusChunk } from '../../support/fixtures/uploads.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const world = await createAccessFixture();
const tried = { allowed: 0, denied: 0 };
const notBuilt = accessRows.reduce((sum, row) => sum + cellsOf(row).notBuilt, 0);

afterAll(async () => {
	for (const { call, notBuilt: missing = [] } of accessTable)
		if (missing.length > 0) console.log(`not built: ${missing.join(', ')} (${call})`);
	console.log(`access: ${tried.allowed} allowed, ${tried.denied} denied, ${notBuilt} not built on ${testDatabase}`);
	await world.close();
});

describe.each(accessRows)('$call', (row) => {
	const { cells } = cellsOf(row);
	// Denied requests come first, because allowed ones change the data.
	const ordered = cells.toSorted((a, b) => Number(a.outcome === '✓') - Number(b.outcome === '✓'));
	if (cells.length === 0) test('has no route yet', () => expect(row.routes).toEqual([]));
	test.for(ordered.map((cell) => [`${cell.actor} ${cell.outcome} ${cell.route}`, cell] as const))(
		'answers as the access table says: %s',
		async ([, cell]) => {
			await checkCell(world, cell);
			tried[cell.outcome === '✓' ? 'allowed' : 'denied'] += 1;
		},
	);
});

describe("another admin's upload", () => {
	const headers = tusChunk(0);
	test.for(['HEAD', 'PATCH', 'DELETE'])('returns 404 to %s, as for an unknown upload', async (method) => {
		const body = method === 'PATCH' ? Buffer.from('uploaded') : undefined;
		const id = await world.freshUpload('guest', 'other');
		const theirs = await world.send('D', method, { url: `/api/uploads/${id}`, headers, body });
		const nobodys = await world.send('D', method, { url: '/api/uploads/nothing', headers, body });
		expect(theirs.statusCode).toBe(404);
		expectSame(theirs, nobodys);
		expect(await findRows(world.deps, 'uploads', { id })).toMatchObject([{ finished_at: null }]);
	});
});

test('does not let a reader with book access list or download the files of the book space', async () => {
	const listing = await world.send('R', 'GET', { url: '/api/spaces/book/nodes' });
	const content = await world.send('R', 'GET', { url: `/api/files/${world.files.book}/content` });
	expect([listing.statusCode, content.statusCode]).toEqual([404, 404]);
});

test('returns 404 for the bytes of an edition after the order is no longer Complete', async () => {
	const ask = () => world.send('R', 'GET', { url: '/api/editions/part-1-en/content', headers: { range: 'bytes=0-3' } });
	await world.send('D', 'PUT', { url: '/api/settings/book', body: await settingsWithEdition() });
	expect((await ask()).rawPayload.toString()).toBe('%PDF');
	const [order] = (await world.send('D', 'GET', { url: '/api/orders?search=reader@' })).json().items;
	await world.send('D', 'PUT', { url: `/api/orders/${order.id}`, body: { ...order, status: 'Pending' } });
	expect((await ask()).statusCode).toBe(404);
});

async function settingsWithEdition() {
	const current = (await world.send('D', 'GET', { url: '/api/settings/book' })).json();
	return { ...current, editions: [{ key: 'part-1-en', fileId: current.bookFiles[0].id }] };
}

test.for(['guest', 'book'])('lets only admins create folders in the %s space', async (owner) => {
	for (const actor of ['A', 'I', 'O', 'D'] as const) {
		const body = { name: `Folder of ${actor}`, path: '' };
		const { statusCode } = await world.send(actor, 'POST', { url: `/api/spaces/${owner}/folders`, body });
		expect(statusCode).toBe({ A: 401, I: 403, O: 403, D: 200 }[actor]);
	}
	const rows = await findRows(world.deps, 'nodes', { owner_id: owner, kind: 'folder' });
	expect(rows.map(({ name }) => name).filter((name) => name.startsWith('Folder of'))).toEqual(['Folder of D']);
});

test('GET /api/qr/:id returns 404 for every other stored file', async () => {
	const blobs = await findRows(world.deps, 'blobs');
	const current = world.qrUrl.split('/').at(-1);
	for (const { id } of blobs.filter(({ id }) => id !== current))
		expect((await world.send('A', 'GET', { url: `/api/qr/${id}` })).statusCode).toBe(404);
});

test('returns 401 after the session has expired', async () => {
	world.clock.advance(31 * 24 * 3600);
	const asked = ['/api/me', '/api/shelf', '/api/users', '/api/editions/part-1-en/content'];
	const answers = await Promise.all(asked.map((url) => world.send('D', 'GET', { url })));
	expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
});
