import { expect, test } from 'vitest';
import { composeWatermarkLine } from './copy-plan.ts';

const textOf = (of: Parameters<typeof composeWatermarkLine>[0]) => {
	const { name, rest } = composeWatermarkLine(of);
	return name === '' ? rest : `${name} · ${rest}`;
};

test.each([
	[
		{ name: 'Asha Verma', email: 'asha@example.com', code: 'BYE-43Z6-S4' },
		'Asha Verma · as…@example.com · BYE-43Z6-S4',
	],
	[{ name: '  आशा\n वर्मा ', email: 'asha@example.com', code: null }, 'आशा वर्मा · as…@example.com'],
	[{ name: '', email: 'a@example.com', code: 'BYE-43Z6-S4' }, 'a…@example.com · BYE-43Z6-S4'],
	[{ name: 'A · B', email: '"a@b"@example.com', code: null }, 'A B · "a…@example.com'],
])('composeWatermarkLine joins the name, the shortened address and the order code of %j', (of, line) =>
	expect(textOf(of)).toBe(line),
);

test('composeWatermarkLine cuts a long name and address between grapheme clusters', () => {
	const line = textOf({ name: 'क्षि'.repeat(200), email: `as@${'x'.repeat(200)}.example`, code: null });
	const [name = '', address = ''] = line.split(' · ');
	expect(name).toMatch(/^(?:क्षि)+…$/u);
	expect(address).toBe(`as…@${'x'.repeat(39)}…`);
});

test('composeWatermarkLine cuts even a single grapheme cluster of thousands of characters', () => {
	const chain = `${'क्'.repeat(5000)}क`;
	const { name, rest } = composeWatermarkLine({ name: chain, email: `${chain}@${chain}.example`, code: 'BYE-43Z6-S4' });
	expect(name.length).toBeLessThan(400);
	expect(rest.length).toBeLessThan(400);
	expect(rest).toMatch(/ · BYE-43Z6-S4$/u);
});
