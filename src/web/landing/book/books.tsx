import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { CoverOne, CoverTwo } from './cover.tsx';

/** Both parts as 3D books: part 1 in the page's language in front, part 2 in the other language behind it. */
export function Books() {
	const locale = getLocale();
	const otherLocale = locale === 'en' ? 'hi' : 'en';
	return (
		<div className="books" role="img" aria-label={m.landing_books_alt()}>
			<div className="books-stage" aria-hidden="true">
				<Gradients />
				<div className="book-shadow book-shadow-rear" />
				<div className="book book-rear">
					<div className="book-back" />
					<div className="book-pages" />
					<div className="book-front">
						<CoverTwo edition={otherLocale} />
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
						<CoverOne edition={locale} />
					</div>
				</div>
			</div>
		</div>
	);
}

function Gradients() {
	return (
		<svg width="0" height="0" aria-hidden="true" focusable="false">
			<defs>
				<linearGradient id="hinge">
					<stop offset="0" stopColor="#fff" stopOpacity=".14" />
					<stop offset=".3" stopColor="#000" stopOpacity=".04" />
					<stop offset=".55" stopColor="#000" stopOpacity=".2" />
					<stop offset=".72" stopColor="#fff" stopOpacity=".2" />
					<stop offset="1" stopColor="#fff" stopOpacity="0" />
				</linearGradient>
				<linearGradient id="fore-edge">
					<stop offset="0" stopColor="#fff" stopOpacity="0" />
					<stop offset=".4" stopColor="#000" stopOpacity=".1" />
					<stop offset="1" stopColor="#fff" stopOpacity=".12" />
				</linearGradient>
			</defs>
		</svg>
	);
}
