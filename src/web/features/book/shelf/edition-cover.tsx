import type { CSSProperties } from 'react';
import { editionKeyOf, type OfferedEditions } from '#contract/book/editions.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { readSite } from '#web/platform/browser/site.ts';
import { BookCover } from '#web/ui/illustrations/book-cover.tsx';
import { PlainCover } from '#web/ui/illustrations/plain-cover.tsx';
import { editionTitle, languageLabel, partLabel, textLocaleOf } from './edition-labels.ts';

interface EditionCoverProps {
	offered: OfferedEditions;
	title: string;
	edition: Pick<ShelfEdition, 'part' | 'language'>;
}

/** The uploaded cover of an edition, or a drawn one. Hidden from screen readers: the title is beside it. */
export function EditionCover({ offered, title, edition }: EditionCoverProps) {
	const { covers, colors, texts, hasDefaultDrawings } = readSite();
	const picture = covers[editionKeyOf(edition)];
	if (picture !== undefined) return <img className="book-cover book-cover-picture" src={picture} alt="" />;
	const { part, language } = edition;
	const locale = textLocaleOf(language);
	const cover = {
		// Of the parts, every second one has a night cover.
		isNight: offered.parts.findIndex(({ number }) => number === part) % 2 === 1,
		language,
		title: editionTitle(title, edition),
		author: texts[locale].author,
		partLabel: offered.parts.length > 1 ? partLabel(offered, part, locale) : '',
		languageLabel: offered.languages.length > 1 ? languageLabel(offered, language) : '',
	};
	if (hasDefaultDrawings) return <BookCover {...cover} />;
	return (
		<div className="book-cover" style={{ '--cover-ground': colors.ground, '--cover-ink': colors.ink } as CSSProperties}>
			<PlainCover {...cover} isInverted={cover.isNight} />
		</div>
	);
}
