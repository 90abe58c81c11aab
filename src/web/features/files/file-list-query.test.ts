import { describe, expect, test } from 'vitest';
import type { Node } from '#contract/files/files.ts';
import {
	ancestorPathsOf,
	defaultListQuery,
	folderPathOf,
	isFiltered,
	listQuerySearchParams,
	parseListQuery,
} from './file-list-query.ts';
import { moveCursor } from './list-state/use-listing-keyboard.ts';
import { adjacentFile, downloadUrl, mainActionOf, previewFilesOf } from './preview/preview-file.ts';

describe('the list query in the URL', () => {
	test('is parsed as typed, without invalid values', () => {
		const typed = { path: '17/18', q: 'a b', type: 'pdf', sort: 'size', order: 'desc', view: 'grid' };
		expect(parseListQuery(typed)).toEqual(typed);
		expect(parseListQuery({ path: 5, q: null, type: 'everything', sort: 'id', order: 1, view: 'x' })).toEqual(
			defaultListQuery,
		);
	});

	test('uses the remembered view when the URL names none', () => {
		expect(parseListQuery({}, 'grid').view).toBe('grid');
		expect(parseListQuery({ view: 'list' }, 'grid').view).toBe('list');
	});

	test('contains only values that differ from the defaults', () => {
		expect(listQuerySearchParams(defaultListQuery)).toEqual({});
		const narrow = { path: '17', q: 'x', type: 'audio', order: 'desc' } as const;
		expect(listQuerySearchParams({ ...defaultListQuery, ...narrow })).toEqual(narrow);
		expect(isFiltered({ q: '  ', type: 'all' })).toBe(false);
		expect(isFiltered({ q: '', type: 'pdf' })).toBe(true);
	});

	test('contains the path of a folder below its ancestors', () => {
		expect(folderPathOf({ path: '', realPath: '17' })).toBe('17');
		expect(folderPathOf({ path: '17', realPath: '18' })).toBe('17/18');
		expect(ancestorPathsOf('17/18/19')).toEqual(['17', '17/18', '17/18/19']);
		expect(ancestorPathsOf('')).toEqual([]);
	});
});

describe('preview or download', () => {
	const node = (id: string, preview: Node['preview']): Node => ({
		id,
		kind: 'file',
		name: id,
		path: '',
		realPath: null,
		size: 1,
		uploadedAt: '2026-11-14T11:02:00.000Z',
		itemCount: 0,
		folders: null,
		url: `/api/files/${id}`,
		preview,
		thumb: null,
	});
	const nodes = [node('a', 'pdf'), node('b', null), node('c', 'image')];

	test('files that the server can preview are previewed and all others are downloaded', () => {
		expect(nodes.map(mainActionOf)).toEqual(['preview', 'download', 'preview']);
		expect(mainActionOf({ preview: 'pdf', url: null })).toBe('download');
	});

	test('next and previous go through all files and stop at the ends', () => {
		const files = previewFilesOf(nodes);
		expect(files.map((file) => file.id)).toEqual(['a', 'b', 'c']);
		expect(adjacentFile(files, 'a', 1)?.id).toBe('b');
		expect(adjacentFile(files, 'a', -1)).toBeUndefined();
		expect(adjacentFile(files, 'c', 1)).toBeUndefined();
		expect(adjacentFile(files, 'gone', 1)).toBeUndefined();
	});

	test('only PDFs have a document that the reader opens', () => {
		expect(previewFilesOf(nodes).map(({ documentId }) => documentId)).toEqual(['a', null, null]);
	});

	test('the download URL asks for an attachment', () => {
		expect(downloadUrl('/x')).toBe('/x?download=1');
		expect(downloadUrl('/x?v=2')).toBe('/x?v=2&download=1');
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

	test('stays where nothing is below it, and has no position in an empty folder', () => {
		expect(moveCursor(1, 'ArrowDown', { folders: 2, files: 0, columns: 4 })).toBe(1);
		expect(moveCursor(0, 'ArrowDown', { folders: 0, files: 0, columns: 4 })).toBeUndefined();
	});
});
