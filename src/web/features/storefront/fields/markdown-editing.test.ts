import { expect, test } from 'vitest';
import { insertBlock, toggleMark, togglePrefix } from './markdown-editing.ts';

/** `|` marks the ends of the selection. */
function parse(marked: string) {
	const start = marked.indexOf('|');
	const end = marked.lastIndexOf('|') - (marked.lastIndexOf('|') === start ? 0 : 1);
	return { text: marked.replaceAll('|', ''), start, end };
}

function format({ text, start, end }: { text: string; start: number; end: number }): string {
	return start === end
		? `${text.slice(0, start)}|${text.slice(start)}`
		: `${text.slice(0, start)}|${text.slice(start, end)}|${text.slice(end)}`;
}

test.each([
	['a |word| here', '**', 'a **|word|** here'],
	['a **|word|** here', '**', 'a |word| here'],
	['a **|word|** here', '*', 'a ***|word|*** here'],
	['a *|word|* here', '*', 'a |word| here'],
	['a | here', '**', 'a **|** here'],
])('toggleMark changes %j with %j to %j', (before, mark, after) => {
	expect(format(toggleMark(parse(before), mark))).toBe(after);
});

test.each([
	['one\ntw|o\nthree', '## ', 'one\n|## two|\nthree'],
	['|one\ntwo|\nthree', '- ', '|- one\n- two|\nthree'],
	['- one\n|- two|', '- ', '- one\n|two|'],
	['|', '- ', '|- |'],
])('togglePrefix changes %j with %j to %j', (before, prefix, after) => {
	expect(format(togglePrefix(parse(before), prefix))).toBe(after);
});

test('insertBlock separates a picture from the text by empty lines', () => {
	expect(format(insertBlock(parse('one|\ntwo'), '![](/a)'))).toBe('one\n\n![](/a)|\n\ntwo');
	expect(format(insertBlock(parse('|'), '![](/a)'))).toBe('![](/a)|');
});
