import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { BookCover } from '#web/ui/illustrations/book-cover.tsx';

/** Part 1 in the page's language is in front of part 2 in the other language. */
export function Books() {
	const locale = getLocale();
	const otherLocale = locale === 'en' ? 'hi' : 'en';
	return (
		<div className="books" role="img" aria-label={m.landing_books_alt()}>
			<div className="books-stage" aria-hidden="true">
				<div className="book-shadow book-shadow-rear" />
				<div className="book book-rear">
					<div className="book-back" />
					<div className="book-pages" />
					<div className="book-front">
						<Cover part={2} language={otherLocale} />
					</div>
				</div>
				<div className="book-shadow book-shadow-front" />
				<div className="book book-one">
					<div className="book-back" />
					<div className="book-spine" lang={locale}>
						<span>{m.landing_cover_title()}</span>
						<span>1</span>
					</div>
					<div className="book-front">
						<Cover part={1} language={locale} />
					</div>
				</div>
			</div>
		</div>
	);
}

function Cover({ part, language }: { part: 1 | 2; language: Locale }) {
	const inLanguage = { locale: language };
	return (
		<BookCover
			part={part}
			language={language}
			title={m.landing_cover_title({}, inLanguage)}
			partLabel={part === 1 ? m.landing_cover_part_one({}, inLanguage) : m.landing_cover_part_two({}, inLanguage)}
		/>
	);
}
