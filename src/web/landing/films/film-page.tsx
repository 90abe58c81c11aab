import { filmPagePath } from '#contract/storefront/film-parts.ts';
import type { FilmPageProps } from '#contract/storefront/landing.ts';
import { PlainPage } from '../page-frame.tsx';
import { FilmVideo } from './film-video.tsx';
import { filmTitle } from './film-words.ts';

/** A film on a page of its own, in the storefront's frame: for browsers without script. */
export function FilmPage({ props }: { props: FilmPageProps }) {
	const { key, film, locale } = props;
	const title = filmTitle(key, film, locale);
	return (
		<PlainPage props={props} path={filmPagePath(key)} heading={title}>
			<div className="film-screen film-alone">
				<FilmVideo film={film} title={title} locale={locale} preload="metadata" />
			</div>
		</PlainPage>
	);
}
