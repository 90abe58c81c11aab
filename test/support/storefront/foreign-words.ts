/** Words of the default book and its editions, which no page or mail about another book in one edition contains. */
export const foreignWords = [
	'Build Your Empire',
	'Empire',
	'pyramid',
	'Belief',
	'Mindset',
	'both parts',
	'part 1',
	'two parts',
];

/** Matches an initial password, which may contain the word `pyramid`. */
const initialPassword = /\b[a-z]+-\d\d-[a-z]+-[a-z]+-[a-z]+\b/gu;

/** Finds words in any case, outside initial passwords. @returns the source of each, with the text around it */
export function findWords(words: readonly string[], source: string, body: string): string[] {
	const text = body.replace(initialPassword, '');
	const pattern = new RegExp(words.join('|'), 'giu');
	return [...text.matchAll(pattern)].map(({ 0: word, index }) => {
		const context = text.slice(Math.max(0, index - 60), index + word.length + 60);
		return `'${word}' in ${source}: …${context.replaceAll(/\s+/gu, ' ')}…`;
	});
}
