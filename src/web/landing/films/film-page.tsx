import { filmPagePath } from '#contract/storefront/film-parts.ts';
import type { FilmPageProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Footer } from '../footer.tsx';
import { titleIn } from '../title.ts';
import { TopBar } from '../top-bar.tsx';
import { FilmVideo } from './film-video.tsx';
import { filmTitle } from './film-words.ts';

/** A film on a page of its own, in the storefront's frame: for browsers without script. */
export function FilmPage({ props }: { props: FilmPageProps }) {
	const { key, film, locale, book, contact, year } = props;
	const path = filmPagePath(key);
	const title = filmTitle(key, film, locale);
	return (
		<>
			<a className="skip-link" href="#main">
				{m.landing_skip({}, { locale })}
			</a>
			<TopBar locale={locale} path={path} />
			<main id="main" className="page legal">
				<h1>{title}</h1>
				<div className="film-screen film-alone">
					<FilmVideo film={film} title={title} locale={locale} preload="metadata" />
				</div>
				<p>
					<a href="/">{m.legal_back({}, { locale })}</a>
				</p>
			</main>
			<Footer locale={locale} path={path} title={titleIn(locale, book)} year={year} contact={contact} />
		</>
	);
}
