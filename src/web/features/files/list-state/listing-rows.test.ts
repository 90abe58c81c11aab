import { describe, expect, test, vi } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import { countNodes, type ListingRange, ListingRows } from './listing-rows.ts';
import { moveCursor } from './use-listing-keyboard.ts';
import { deselect, emptySelection, selectAll, selectTo, toggleNode } from './use-node-selection.ts';

function createNode(kind: Node['kind'], number: number, name = `${kind} ${number}`): Node {
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

/** A fake folder with two folders and `count` files. A page has ten rows; its cursor is the key of the last one. */
function createFolder(count: number) {
	const all = [createNode('folder', 1), createNode('folder', 2)];
	for (let at = 0; at < count; at += 1) all.push(createNode('file', 2 * at));
	const keyOf = ({ kind, id }: Node) => (kind === 'folder' ? 0 : 1_000_000) + Number(id.split('-')[1]);
	const fetch = vi.fn(({ cursor, until }: ListingRange) => {
		const rest = all
			.sort((a, b) => keyOf(a) - keyOf(b))
			.filter((node) => keyOf(node) > Number(cursor ?? -1) && keyOf(node) <= Number(until ?? Number.POSITIVE_INFINITY));
		const items = rest.slice(0, 10);
		const last = items.at(-1);
		return Promise.resolve({ items, nextCursor: rest.length > 10 && last ? String(keyOf(last)) : null });
	});
	const remove = (id: string) => {
		const at = all.findIndex((node) => node.id === id);
		if (at >= 0) all.splice(at, 1);
	};
	return { all, fetch, remove };
}

async function openWholeListing({ fetch }: ReturnType<typeof createFolder>) {
	const rows = new ListingRows(await fetch({}), fetch);
	await rows.loadAll();
	fetch.mockClear();
	return rows;
}

/** Waits until no new pages are requested. */
async function waitUntilIdle(fetch: ReturnType<typeof createFolder>['fetch']) {
	for (let before = -1; before !== fetch.mock.calls.length; ) {
		before = fetch.mock.calls.length;
		await new Promise((resolve) => setTimeout(resolve, 0));
	}
}

describe('ListingRows', () => {
	const names = (nodes: readonly Node[]) => nodes.map(({ name }) => name);

	test('loads pages until 100 rows beyond the visible rows are loaded', async () => {
		const folder = createFolder(195);
		const rows = new ListingRows(await folder.fetch({}), folder.fetch);
		expect([rows.folders.length, rows.files.length, rows.hasMore]).toEqual([2, 8, true]);
		rows.setVisibleRange('files', 0, 33);
		await waitUntilIdle(folder.fetch);
		expect([rows.files.length, folder.fetch.mock.calls.length]).toEqual([138, 14]);
		await rows.loadAll();
		expect([rows.files.length, rows.hasMore]).toEqual([195, false]);
		expect([...rows.folders, ...rows.files]).toEqual(folder.all);
	});

	test('reloads only the visible rows of a changed folder', async () => {
		const folder = createFolder(600);
		const rows = await openWholeListing(folder);
		rows.setVisibleRange('files', 403, 412);
		for (const id of ['file-810', 'file-40', 'file-890']) folder.remove(id);
		for (const number of [813, 815, 51]) folder.all.push(createNode('file', number));
		rows.refresh(await folder.fetch({}));
		folder.fetch.mockClear();
		await waitUntilIdle(folder.fetch);
		expect(folder.fetch.mock.calls.length).toBeLessThanOrEqual(3);
		expect(names(rows.files).slice(403, 411)).toEqual(
			[806, 808, 812, 813, 814, 815, 816, 818].map((number) => `file ${number}`),
		);

		folder.fetch.mockClear();
		rows.setVisibleRange('files', 15, 30);
		await waitUntilIdle(folder.fetch);
		expect(folder.fetch.mock.calls.length).toBeLessThanOrEqual(3);
		expect(names(rows.files).slice(18, 28)).toEqual(
			[36, 38, 42, 44, 46, 48, 50, 51, 52, 54].map((number) => `file ${number}`),
		);
		await rows.loadAll();
		expect([...rows.folders, ...rows.files]).toEqual(folder.all);
	});

	test.each([
		['more files than fit into a page were added at one position', 31, 0],
		['consecutive files were removed', 0, 25],
		['fewer files than one page are left', 0, 59],
		['no file is left', 0, 60],
	])('has the same rows as the server after this change of the folder: %s', async (_change, added, removed) => {
		const folder = createFolder(60);
		const rows = await openWholeListing(folder);
		for (let at = 0; at < removed; at += 1) folder.remove(`file-${2 * (at + (removed === 25 ? 10 : 0))}`);
		for (let at = 0; at < added; at += 1) folder.all.push(createNode('file', 51 + 2 * at));
		rows.refresh(await folder.fetch({}));
		await waitUntilIdle(folder.fetch);
		rows.setVisibleRange('folders', 0, 2);
		rows.setVisibleRange('files', 0, 200);
		await waitUntilIdle(folder.fetch);
		await folder.fetch({});
		expect([...rows.folders, ...rows.files]).toEqual(folder.all);
		// A file that is added later must be loaded too, also between the removed files.
		folder.all.push(createNode('file', 33));
		rows.refresh(await folder.fetch({}));
		await waitUntilIdle(folder.fetch);
		await folder.fetch({});
		expect([...rows.folders, ...rows.files]).toEqual(folder.all);
	});

	test('reports a failed request and continues loading after a retry', async () => {
		const { fetch } = createFolder(30);
		const rows = new ListingRows(await fetch({}), fetch);
		fetch.mockRejectedValueOnce(new Error('connection lost'));
		rows.setVisibleRange('files', 0, 30);
		await vi.waitFor(() => expect(rows.failure).toBeInstanceOf(Error));
		rows.setVisibleRange('files', 0, 30);
		expect(fetch).toHaveBeenCalledTimes(2);
		rows.retry();
		await vi.waitFor(() => expect(rows.files.length).toBe(30));
		expect(rows.failure).toBeUndefined();
	});

	test("countNodes counts the rows if all are loaded; otherwise it returns the server's totals or an estimate", () => {
		const loaded = { folders: [createNode('folder', 1)], files: [createNode('file', 1)], hasMore: true };
		expect(countNodes(loaded, { folders: 3, files: 99_997 })).toEqual({ folders: 3, files: 99_997, isExact: true });
		expect(countNodes(loaded, undefined)).toEqual({ folders: 1, files: 25, isExact: false });
		const complete = { ...loaded, hasMore: false };
		expect(countNodes(complete, { folders: 3, files: 9 })).toEqual({ folders: 1, files: 1, isExact: true });
	});
});

describe('the selection', () => {
	const nodes = [createNode('folder', 1), createNode('file', 1), createNode('file', 2), createNode('file', 3)];
	const nodeAt = (index: number) => nodes[index];
	const ids = ({ chosen }: { chosen: ReadonlyMap<string, Node> }) => [...chosen.keys()];

	test('extends from the anchor to the last selected node in both directions', () => {
		expect(toggleNode(emptySelection, 2, nodeAt).anchor).toBe(2);
		expect(ids(selectTo(2, 3, nodeAt))).toEqual(['file-2', 'file-3']);
		expect(ids(selectTo(2, 0, nodeAt))).toEqual(['folder-1', 'file-1', 'file-2']);
	});

	test('contains all nodes after selectAll, except nodes that are deselected later', () => {
		const all = selectAll(nodes);
		expect(ids(deselect(all, ['file-1', 'elsewhere']))).toEqual(['folder-1', 'file-2', 'file-3']);
		expect(deselect(all, ids(all))).toEqual(emptySelection);
	});
});

describe('the cursor', () => {
	const layout = { folders: 6, files: 3, columns: 4 };
	test.each([
		[0, 'ArrowRight', 1],
		[5, 'ArrowRight', 5],
		[0, 'ArrowLeft', 0],
		[0, 'ArrowDown', 4],
		[3, 'ArrowDown', 5],
		[5, 'ArrowDown', 6],
		[8, 'ArrowDown', 8],
		[6, 'ArrowUp', 5],
		[5, 'ArrowUp', 1],
		[1, 'ArrowUp', 1],
		[7, 'ArrowRight', undefined],
		[4, 'Home', 0],
		[0, 'End', 8],
		[0, 'x', undefined],
	])('moves from %i by %s to %s', (at, key, expected) => {
		expect(moveCursor(at, key, layout)).toBe(expected);
	});

	test('does not move down from the last row, and has no position in an empty folder', () => {
		expect(moveCursor(1, 'ArrowDown', { folders: 2, files: 0, columns: 4 })).toBe(1);
		expect(moveCursor(0, 'ArrowDown', { folders: 0, files: 0, columns: 4 })).toBeUndefined();
	});
});
