import type { ShownFilm } from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';

const languages = { en: m.landing_language_en, hi: m.landing_language_hi };

interface FilmVideoProps {
	film: ShownFilm;
	title: string;
	locale: Locale;
	preload: 'none' | 'metadata';
}

/** A film with the browser's own controls; captions in the page's language are shown unasked. */
export function FilmVideo({ film, title, locale, preload }: FilmVideoProps) {
	return (
		// biome-ignore lint/a11y/useMediaCaption: an owner's film may come without; the settings say what that costs.
		<video className="film-video" src={film.src} aria-label={title} preload={preload} controls playsInline>
			{film.captions.map(({ language, src }) => (
				<track
					key={language}
					kind="captions"
					src={src}
					srcLang={language}
					label={languages[language]({}, { locale })}
					default={language === locale}
				/>
			))}
		</video>
	);
}
