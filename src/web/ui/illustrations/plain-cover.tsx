interface PlainCoverProps {
	/** Language of the edition, not of the page: BCP 47. */
	language: string;
	title: string;
	author: string;
	/** '' if the book has one part. */
	partLabel: string;
	/** '' if the book has one language. */
	languageLabel: string;
	/** Exchanges the two colours, to tell the second cover from the first. */
	isInverted?: boolean;
}

/** A typographic cover in two colours: `--cover-ground` and `--cover-ink`. Its texts wrap, and shrink if they are long. */
export function PlainCover({ language, title, author, partLabel, languageLabel, isInverted = false }: PlainCoverProps) {
	return (
		<div className="plain-cover" lang={language} dir="auto" data-inverted={isInverted || undefined} aria-hidden="true">
			<div className="plain-cover-labels">
				<span>{partLabel}</span>
				<span>{languageLabel}</span>
			</div>
			<p className="plain-cover-title" data-size={titleSize(title)}>
				{title}
			</p>
			<p className="plain-cover-author">{author}</p>
		</div>
	);
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Returns the size in which the title fits on the cover, whatever its script. */
function titleSize(title: string): 'large' | 'medium' | 'small' | 'tiny' {
	const lengthOf = (text: string) => [...segmenter.segment(text)].length;
	const longestWord = Math.max(...title.split(/\s+/u).map(lengthOf));
	const length = lengthOf(title);
	if (longestWord <= 9 && length <= 26) return 'large';
	if (longestWord <= 13 && length <= 48) return 'medium';
	return longestWord <= 19 && length <= 90 ? 'small' : 'tiny';
}
