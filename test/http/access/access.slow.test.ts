import { afterAll, describe, expect, test } from 'vitest';
import { createAccessFixture, fileBytes } from '../../access/access-fixture.ts';
import { accessTable } from '../../access/access-table.ts';
import { cellsOf, checkCell, expectSame } from '../../access/check-cell.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { tusChunk } from '../../support/fixtures/uploads.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const fixture = await createAccessFixture();
const counts = { allowed: 0, denied: 0 };

afterAll(async () => {
	console.log(`access: ${counts.allowed} allowed, ${counts.denied} denied on ${testDatabase}`);
	await fixture.close();
});

describe.each(accessTable)('$call', (row) => {
	const cells = cellsOf(row);
	// Allowed requests are sent last, because they change the data.
	const ordered = cells.toSorted((a, b) => Number(a.outcome === '✓') - Number(b.outcome === '✓'));
	test.for(ordered.map((cell) => [`${cell.actor} ${cell.outcome} ${cell.route}`, cell] as const))(
		'responds with the outcome in the access table: %s',
		async ([, cell]) => {
			await checkCell(fixture, cell);
			counts[cell.outcome === '✓' ? 'allowed' : 'denied'] += 1;
		},
	);
});

describe('a member of a group with a share, and a user who has left the group', () => {
	const calls = [
		'list, read, preview, Range, HEAD of a file or folder',
		'shared-with-me list and content',
		'archive (ZIP) of what one may read',
	];
	const cells = accessTable
		.filter((row) => calls.includes(row.call))
		.flatMap(cellsOf)
		.filter(({ actor }) => actor === 'R' || actor === 'U');
	const groupFixture = createAccessFixture({ isThroughGroup: true });
	afterAll(async () => (await groupFixture).close());
	test.for(cells.map((cell) => [`${cell.actor} ${cell.outcome} ${cell.route}`, cell] as const))(
		'get the outcome of R and of U: %s',
		async ([, cell]) => checkCell(await groupFixture, cell),
	);
	test('are tested with every call of these rows', () => expect(cells.length).toBeGreaterThanOrEqual(12));
});

describe('an upload of another admin', () => {
	const headers = tusChunk(0);
	test.for(['HEAD', 'PATCH', 'DELETE'])('returns the same response to %s as for an unknown upload', async (method) => {
		const body = method === 'PATCH' ? Buffer.from('uploaded') : undefined;
		const id = await fixture.freshUpload('guest', 'other');
		const ofOtherAdmin = await fixture.send('D', method, { url: `/api/uploads/${id}`, headers, body });
		const ofUnknownUpload = await fixture.send('D', method, { url: '/api/uploads/nothing', headers, body });
		expect(ofOtherAdmin.statusCode).toBe(404);
		expectSame(ofOtherAdmin, ofUnknownUpload);
		expect(await findRows(fixture.deps, 'uploads', { id })).toMatchObject([{ finished_at: null }]);
	});
});

test('returns 404 for the list and the files of the book space to a member with book access', async () => {
	const listing = await fixture.send('R', 'GET', { url: '/api/spaces/book/nodes' });
	const content = await fixture.send('R', 'GET', { url: `/api/files/${fixture.files.book}/content` });
	expect([listing.statusCode, content.statusCode]).toEqual([404, 404]);
});

test('returns 404 for the content of an edition when the order is no longer Complete', async () => {
	const readBytes = () =>
		fixture.send('R', 'GET', { url: '/api/editions/part-1-en/content', headers: { range: 'bytes=0-3' } });
	await fixture.send('D', 'PUT', { url: '/api/settings/book', body: await settingsWithEdition() });
	expect((await readBytes()).rawPayload.toString()).toBe('%PDF');
	const [order] = (await fixture.send('D', 'GET', { url: '/api/orders?search=reader@' })).json().items;
	await fixture.send('D', 'PUT', { url: `/api/orders/${order.id}`, body: { ...order, status: 'Pending' } });
	expect((await readBytes()).statusCode).toBe(404);
});

async function settingsWithEdition() {
	const current = (await fixture.send('D', 'GET', { url: '/api/settings/book' })).json();
	return { ...current, editions: [{ key: 'part-1-en', fileId: current.bookFiles[0].id }] };
}

test('returns 404 to all but admins for the bytes of a former edition in the spaces that they can read', async () => {
	const { deps, files, spaces } = fixture;
	const actors = ['O', 'G', 'R', 'D'] as const;
	const nodes = actors.map((actor) => files[spaces[actor]] ?? '');
	const blobs = await findRows(deps, 'blobs');
	const shaOf = async (id: string) => {
		const { blob_id } = await getRow(deps, 'nodes', { id });
		return blobs.find((blob) => blob.id === blob_id)?.sha256 ?? '';
	};
	const contents = await Promise.all([...new Set(nodes)].map(shaOf));
	await insertRows(
		deps,
		'edition_contents',
		contents.map((sha256) => ({ sha256, name: 'earlier.pdf', created_at: '2026' })),
	);
	for (const [i, actor] of actors.entries()) {
		const before = await dumpDatabase(deps);
		for (const method of ['GET', 'HEAD']) {
			const { statusCode } = await fixture.send(actor, method, { url: `/api/files/${nodes[i]}/content` });
			expect([actor, method, statusCode]).toEqual([actor, method, actor === 'D' ? 200 : 404]);
		}
		if (actor !== 'D') expect(await dumpDatabase(deps)).toEqual(before);
	}
	for (const sha256 of contents)
		await fixture.send('D', 'DELETE', { url: `/api/settings/book/former-editions/${sha256}` });
	for (const [i, actor] of actors.entries()) {
		const { rawPayload } = await fixture.send(actor, 'GET', { url: `/api/files/${nodes[i]}/content` });
		expect(rawPayload).toEqual(fileBytes(spaces[actor]));
	}
});

test.for(['guest', 'book'])('lets only admins create folders in the %s space', async (owner) => {
	for (const actor of ['A', 'I', 'O', 'D'] as const) {
		const body = { name: `Folder of ${actor}`, path: '' };
		const { statusCode } = await fixture.send(actor, 'POST', { url: `/api/spaces/${owner}/folders`, body });
		expect(statusCode).toBe({ A: 401, I: 403, O: 403, D: 200 }[actor]);
	}
	const rows = await findRows(fixture.deps, 'nodes', { owner_id: owner, kind: 'folder' });
	expect(rows.map(({ name }) => name).filter((name) => name.startsWith('Folder of'))).toEqual(['Folder of D']);
});

test('GET /api/qr/:id returns 404 for a stored file that is not the payment QR code', async () => {
	const blobs = await findRows(fixture.deps, 'blobs');
	const current = fixture.qrUrl.split('/').at(-1);
	for (const { id } of blobs.filter(({ id }) => id !== current))
		expect((await fixture.send('A', 'GET', { url: `/api/qr/${id}` })).statusCode).toBe(404);
});

test('returns 401 for an expired session', async () => {
	fixture.clock.advance(31 * 24 * 3600);
	const paths = ['/api/me', '/api/shelf', '/api/users', '/api/editions/part-1-en/content'];
	const answers = await Promise.all(paths.map((url) => fixture.send('D', 'GET', { url })));
	expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401]);
});
