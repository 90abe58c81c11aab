import { describe, expect, test, vi } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import { countEntries } from './entry-counts.ts';
import { ListingRows } from './listing-rows.ts';
import { nothingSelected, selectAll, selectTo, toggle, without } from './selection.ts';

function nodeOf(kind: Node['kind'], number: number, name = `${kind} ${number}`): Node {
	return {
		id: `${kind}-${number}`,
		kind,
		name,
		path: '',
		realPath: kind === 'folder' ? String(number) : null,
		size: 1,
		uploadedAt: '2026-11-14T11:02:00.000Z',
		itemCount: 0,
		folders: null,
		url: null,
		preview: null,
		thumb: null,
	};
}

/** A folder of so many files after two folders, in pages of ten; the cursor is where a page begins. */
function pagesOf(count: number, label = 'file') {
	const all = [nodeOf('folder', 1), nodeOf('folder', 2)];
	for (let at = 0; at < count; at += 1) all.push(nodeOf('file', at, `${label} ${at}`));
	return (cursor: string) => {
		const from = Number(cursor);
		const to = from + 10;
		return Promise.resolve({ items: all.slice(from, to), nextCursor: to < all.length ? String(to) : null });
	};
}

describe('the rows of a listing', () => {
	test('come page by page, as far as they are wanted', async () => {
		const fetch = vi.fn(pagesOf(95));
		const rows = new ListingRows(await fetch('0'), fetch);
		expect([rows.folders.length, rows.files.length, rows.hasMore]).toEqual([2, 8, true]);
		rows.want(35);
		await vi.waitFor(() => expect(rows.files.length).toBe(38));
		expect(fetch.mock.calls.map(([cursor]) => cursor)).toEqual(['0', '10', '20', '30']);
		await rows.loadAll();
		expect([rows.files.length, rows.hasMore]).toEqual([95, false]);
		expect(rows.files.map(({ id }) => id)).toEqual(Array.from({ length: 95 }, (_, at) => `file-${at}`));
	});

	test('of a changed folder take the place of the old ones when they reach as far', async () => {
		const fetch = vi.fn(pagesOf(50));
		const rows = new ListingRows(await fetch('0'), (cursor) => fetch(cursor));
		rows.want(30);
		await vi.waitFor(() => expect(rows.files.length).toBe(28));
		const changed = pagesOf(60, 'other');
		fetch.mockImplementation(changed);
		const seen: number[] = [];
		rows.subscribe(() => seen.push(rows.files.length));
		rows.renew(await changed('0'));
		await vi.waitFor(() => expect(rows.files[0]?.name).toBe('other 0'));
		expect(seen).toEqual([28]);
		expect(rows.files.every(({ name }) => name.startsWith('other'))).toBe(true);
	});

	test('that fail say so, and the next try goes on', async () => {
		const fetch = vi.fn(pagesOf(30));
		const rows = new ListingRows(await fetch('0'), (cursor) => fetch(cursor));
		fetch.mockRejectedValueOnce(new Error('line'));
		rows.want(100);
		await vi.waitFor(() => expect(rows.failure).toBeInstanceOf(Error));
		rows.want(100);
		expect(fetch).toHaveBeenCalledTimes(2);
		rows.retry();
		await vi.waitFor(() => expect(rows.files.length).toBe(30));
		expect(rows.failure).toBeUndefined();
	});

	test("are counted by the server's totals at once, or by what is loaded and some more", () => {
		const loaded = { folders: [nodeOf('folder', 1)], files: [nodeOf('file', 1)], hasMore: true };
		expect(countEntries(loaded, { folders: 3, files: 99_997 })).toMatchObject({
			folders: 3,
			files: 99_997,
			isExact: true,
		});
		expect(countEntries(loaded, undefined)).toMatchObject({ folders: 1, files: 25, isExact: false });
		expect(countEntries({ ...loaded, hasMore: false }, { folders: 3, files: 9 })).toMatchObject({
			folders: 1,
			files: 1,
		});
	});
});

describe('the selection', () => {
	const nodes = [nodeOf('folder', 1), nodeOf('file', 1), nodeOf('file', 2), nodeOf('file', 3)];
	const nodeAt = (index: number) => nodes[index];
	const ids = ({ chosen }: { chosen: ReadonlyMap<string, Node> }) => [...chosen.keys()];

	test('takes one more and one less', () => {
		const two = toggle(toggle(nothingSelected, 0, nodeAt), 2, nodeAt);
		expect(ids(two)).toEqual(['folder-1', 'file-2']);
		expect(ids(toggle(two, 0, nodeAt))).toEqual(['file-2']);
		expect(ids(toggle(two, 9, nodeAt))).toEqual(['folder-1', 'file-2']);
	});

	test('reaches from where it began to the last press, in both directions', () => {
		const begun = toggle(nothingSelected, 2, nodeAt);
		expect(ids(selectTo(begun, 3, nodeAt))).toEqual(['file-2', 'file-3']);
		expect(ids(selectTo(selectTo(begun, 3, nodeAt), 0, nodeAt))).toEqual(['folder-1', 'file-1', 'file-2']);
	});

	test('holds everything, and forgets what is gone', () => {
		const all = selectAll(nodes);
		expect(ids(without(all, ['file-1', 'elsewhere']))).toEqual(['folder-1', 'file-2', 'file-3']);
		expect(without(all, ids(all))).toEqual(nothingSelected);
	});
});
