const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A sign of more code points than this is no sign of any script: consonants can be chained without an end. */
const longest = 8;

/** The signs of a text as its reader counts them. */
export function signsOf(text: string): string[] {
	return [...segmenter.segment(text)].flatMap(({ segment }) => {
		const points = [...segment];
		const count = Math.ceil(points.length / longest);
		return Array.from({ length: count }, (_, i) => points.slice(i * longest, (i + 1) * longest).join(''));
	});
}
