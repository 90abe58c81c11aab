import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/app/cpu-time.ts';
import { emailPattern } from './text.ts';

test.each([
	'asha@example.com',
	"o'neil+book=2@mail.example.co.in",
	'a@x.y',
	'1@163.com',
	'a@xn--bcher-kva.example',
	'a@two-dashes--here.my-shop.com',
	'a@under_score.example.com',
	'a@9.9',
	// Some providers have issued addresses with such local parts.
	'two..dots.@mail.example.jp',
	'-dash-@example.com',
	'émile@exämple.fr',
	'आशा@उदाहरण.भारत',
	'用户@例子.中国',
	'ａｓｈａ@ｅｘａｍｐｌｅ.com',
	`${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.example.com`,
])('emailPattern accepts %s', (text) => {
	expect(emailPattern.test(text)).toBe(true);
});

test.each([
	'a@x..com',
	'a@.x.com',
	'a@x.com.',
	'a@x.com..',
	'a@-x.com',
	'a@x-.com',
	'a@x.-com',
	'a@x.com-',
	'a@x.-',
	'a@-',
	'a@.',
	'a@..',
	'a@localhost',
	'a@b@x.com',
	'@x.com',
	'a@',
	'a b@x.com',
	'a@x.com,b@x.com',
	'a@x.com\nBcc: b@x.com',
	'a\u200b@x.com',
	'a@[127.0.0.1]',
])('emailPattern rejects %j', (text) => {
	expect(emailPattern.test(text)).toBe(false);
});

test('emailPattern checks six very long texts in less than one second of CPU time', () => {
	const before = cpuMs();
	for (const piece of ['-', 'a-', 'a.', 'a', '.', '-a.']) emailPattern.test(`a@${piece.repeat(100_000)}`);
	expect(cpuMs(before)).toBeLessThan(1000);
});
