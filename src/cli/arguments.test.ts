import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

test('readArguments separates positional words from options', () => {
	expect(readArguments(['dir', '--to', 'postgres://a/b', '--files=s3://c?endpoint=http://d'])).toEqual({
		words: ['dir'],
		options: { to: 'postgres://a/b', files: 's3://c?endpoint=http://d' },
	});
	expect(readArguments([])).toEqual({ words: [], options: {} });
});

test('readArguments names the option whose value is missing', () => {
	expect(() => readArguments(['--to', 'sqlite:x', '--files'])).toThrow('--files needs a value.');
});
