import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

test('words and options are told apart', () => {
	expect(readArguments(['dir', '--to', 'postgres://a/b', '--files=s3://c?endpoint=http://d'])).toEqual({
		words: ['dir'],
		options: { to: 'postgres://a/b', files: 's3://c?endpoint=http://d' },
	});
	expect(readArguments([])).toEqual({ words: [], options: {} });
});

test('an option without a value is named', () => {
	expect(() => readArguments(['--to', 'sqlite:x', '--files'])).toThrow('--files needs a value.');
});
