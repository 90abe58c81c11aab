import { describe, expect, test } from 'vitest';
import {
	ancestorPathsOf,
	defaultListQuery,
	folderPathOf,
	isFiltered,
	listQuerySearchParams,
	parseListQuery,
} from './file-list-query.ts';

describe('the list query in the URL', () => {
	test('has default values instead of invalid values', () => {
		const typed = { path: '17/18', q: 'a b', type: 'pdf', sort: 'size', order: 'desc', view: 'grid' };
		expect(parseListQuery(typed)).toEqual(typed);
		expect(parseListQuery({ path: 5, q: null, type: 'everything', sort: 'id', order: 1, view: 'x' })).toEqual(
			defaultListQuery,
		);
	});

	test('uses the remembered view if the URL contains no view', () => {
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

	test('has a path that consists of the realPaths of the folders from the outermost to the shown folder', () => {
		expect(folderPathOf({ path: '', realPath: '17' })).toBe('17');
		expect(folderPathOf({ path: '17', realPath: '18' })).toBe('17/18');
		expect(ancestorPathsOf('17/18/19')).toEqual(['17', '17/18', '17/18/19']);
		expect(ancestorPathsOf('')).toEqual([]);
	});
});
