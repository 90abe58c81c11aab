import { expect, test } from 'vitest';
import { readTextFile } from './text-file.ts';

const text = 'username;state\nआशा;गोवा\n';
const blob = (...bytes: number[][]) => new Blob(bytes.map((part) => new Uint8Array(part)));

test.each([
	['UTF-8', blob([...Buffer.from(text)])],
	['UTF-8 with a byte order mark', blob([0xef, 0xbb, 0xbf], [...Buffer.from(text)])],
	['UTF-16 in little-endian order', blob([0xff, 0xfe], [...Buffer.from(text, 'utf16le')])],
	['UTF-16 in big-endian order', blob([0xfe, 0xff], [...Buffer.from(text, 'utf16le').swap16()])],
])('readTextFile reads %s without the byte order mark', async (_encoding, file) =>
	expect(await readTextFile(file)).toBe(text),
);

test.each([
	['text in another encoding', blob([0x61, 0xe9, 0x62])],
	['binary data', blob([0x50, 0x4b, 0, 1])],
])('readTextFile rejects %s', async (_content, file) => {
	await expect(readTextFile(file)).rejects.toThrow(TypeError);
});
