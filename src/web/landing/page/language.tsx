import { type Locale, languageNames } from '#contract/core/text.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';

interface LanguageSwitchProps {
	/** Languages of the storefront. */
	languages: readonly Locale[];
	/** '' for the current URL. */
	path?: string;
	fragment?: string;
}

/** The server stores the choice in a cookie. With only one language there is nothing to choose. */
export function LanguageSwitch({ languages, path = '/', fragment }: LanguageSwitchProps) {
	if (languages.length < 2) return null;
	return (
		<nav className="language-switch" aria-label={m.landing_language()}>
			{languages.map((locale) => (
				<a
					key={locale}
					href={`${path}?lang=${locale}${fragment ? `#${fragment}` : ''}`}
					hrefLang={locale}
					lang={locale}
					aria-current={locale === getLocale() ? 'true' : undefined}
				>
					<span className={locale === 'hi' ? 'hindi-name' : undefined}>{languageNames[locale]}</span>
				</a>
			))}
		</nav>
	);
}

const devanagari = /([\u0900-\u097f\u200c\u200d]+)/u;

/** On an English page, `lang` on Hindi words selects the voice of screen readers, and the class selects the font. */
export function MixedText({ text }: { text: string }) {
	if (getLocale() === 'hi') return text;
	let offset = 0;
	return text.split(devanagari).map((part) => {
		const key = offset;
		offset += part.length;
		return devanagari.test(part) ? (
			<span key={key} lang="hi" className="hindi-name">
				{part}
			</span>
		) : (
			part
		);
	});
}
