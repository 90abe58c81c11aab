import type { Locale } from '#contract/core/text.ts';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Books } from '../book/books.tsx';
import { excerptId } from '../excerpts/excerpt-dialog.tsx';
import type { Excerpt } from '../excerpts/excerpt-source.ts';
import { ArrowIcon } from '../page/icons.tsx';
import { MixedText } from '../page/language.tsx';
import { Prices } from './prices.tsx';

interface HeroProps {
	locale: Locale;
	book: LandingProps['book'];
	excerpts: Excerpt[];
}

/** Headline, tagline, the one primary button, the books, and the two chapters to read before buying. */
export function Hero({ locale, book, excerpts }: HeroProps) {
	return (
		<section className="hero page">
			<div className="hero-text">
				<p className="eyebrow">
					<MixedText text={m.landing_eyebrow({}, { locale })} locale={locale} />
				</p>
				<h1>
					{m.landing_hero_name({}, { locale })}
					{'\u00a0'}
					<span>{m.landing_hero_edition({}, { locale })}</span>
				</h1>
				<p className="hero-tagline">{m.landing_tagline({}, { locale })}</p>
				<div className="hero-offer">
					<a className="button button-primary button-large" href="#book">
						{m.landing_buy({}, { locale })}
					</a>
					<p className="row caption hero-price">
						<Prices book={book} locale={locale} first="now" /> <span>{m.landing_both_parts({}, { locale })}</span>
					</p>
				</div>
			</div>
			<Books locale={locale} />
			<nav className="hero-excerpts" id="read" aria-label={m.landing_excerpts({}, { locale })}>
				<p aria-hidden="true">{m.landing_excerpts({}, { locale })}</p>
				<ul className="ruled">
					{excerpts.map((excerpt) => (
						<li key={excerpt.slug}>
							<ExcerptLink excerpt={excerpt} locale={locale} />
						</li>
					))}
				</ul>
			</nav>
		</section>
	);
}

function ExcerptLink({ excerpt, locale }: { excerpt: Excerpt; locale: Locale }) {
	const id = excerptId(excerpt);
	return (
		<a className="excerpt-link" href={`#${id}`} data-excerpt={id}>
			<span className="caption excerpt-link-chapter">
				{m.landing_chapter_short({ number: excerpt.chapter }, { locale })}{' '}
			</span>
			<span className="excerpt-link-title">{excerpt.title} </span>
			<span className="excerpt-link-subtitle">{excerpt.subtitle} </span>
			<span className="excerpt-link-read">
				{m.landing_read_before({}, { locale })}
				<ArrowIcon size={18} />
			</span>
		</a>
	);
}
