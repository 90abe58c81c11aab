import { expect, test } from 'vitest';
import { fillReply, findReplies } from './canned-replies.ts';

test.each([
	['Namaste {name}, seen.', 'Asha Verma', 'Namaste Asha Verma, seen.'],
	['{name} {name}', '$& $1', '$& $1 $& $1'],
	['Namaste {name}, seen.', null, 'Namaste, seen.'],
	['{name}, seen.', null, ', seen.'],
	['No name in it', 'Asha', 'No name in it'],
])('fillReply turns %j for the name %j into %j', (message, name, text) => {
	expect(fillReply(message, name)).toBe(text);
});

test('findReplies returns replies that contain every searched word in their name, text or file names', () => {
	const reply = (name: string, message: string, ...files: Array<{ name: string }>) => ({ name, message, files });
	const replies = [reply('Paid', 'We have seen it'), reply('भुगतान', 'How to pay', { name: 'QR-499.png' })];
	const names = (search: string) => findReplies(replies, search).map(({ name }) => name);
	expect(names('')).toEqual(['Paid', 'भुगतान']);
	expect(names('SEEN paid')).toEqual(['Paid']);
	expect(names('qr pay')).toEqual(['भुगतान']);
	expect(names('भुग')).toEqual(['भुगतान']);
	expect(names('nothing')).toEqual([]);
});
