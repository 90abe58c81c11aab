import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';

const locales: readonly Locale[] = ['en', 'hi'];

interface LanguageSwitchProps {
	locale: Locale;
	/** The page that is switched; empty: wherever one is. */
	path?: string;
	/** Where on the page the other language opens. */
	fragment?: string;
}

/** Two links, each in its own language; the server remembers the choice in a cookie. */
export function LanguageSwitch({ locale, path = '/', fragment }: LanguageSwitchProps) {
	return (
		<nav className="language-switch" aria-label={m.landing_language({}, { locale })}>
			{locales.map((other) => (
				<a
					key={other}
					href={`${path}?lang=${other}${fragment ? `#${fragment}` : ''}`}
					hrefLang={other}
					lang={other}
					aria-current={other === locale ? 'true' : undefined}
				>
					<span className={other === 'hi' ? 'hindi-name' : undefined}>
						{other === 'hi' ? m.landing_language_hi({}, { locale }) : m.landing_language_en({}, { locale })}
					</span>
				</a>
			))}
		</nav>
	);
}

const devanagari = /([\u0900-\u097f\u200c\u200d]+)/u;

interface MixedTextProps {
	text: string;
	locale: Locale;
}

/** A sentence whose Hindi words, on an English page, are marked as Hindi: for voices, and for the small cut font. */
export function MixedText({ text, locale }: MixedTextProps) {
	if (locale === 'hi') return text;
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
