import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Books } from '../book/books.tsx';
import { excerptId } from '../excerpts/excerpt-dialog.tsx';
import type { Excerpt } from '../excerpts/excerpt-source.ts';
import { ArrowIcon } from '../page/icons.tsx';
import { MixedText } from '../page/language.tsx';
import { Prices } from './prices.tsx';

/** Headline, tagline, the buy button, the books, and links to the two excerpts. */
export function Hero({ book, excerpts }: { book: LandingProps['book']; excerpts: Excerpt[] }) {
	return (
		<section className="hero page">
			<div className="hero-text">
				<p className="eyebrow">
					<MixedText text={m.landing_eyebrow()} />
				</p>
				<h1>
					{m.landing_hero_name()}
					{'\u00a0'}
					<span>{m.landing_hero_edition()}</span>
				</h1>
				<p className="hero-tagline">{m.landing_tagline()}</p>
				<div className="hero-offer">
					<a className="button button-primary button-large" href="#book">
						{m.landing_buy()}
					</a>
					<p className="row caption hero-price">
						<Prices book={book} first="now" /> <span>{m.landing_both_parts()}</span>
					</p>
				</div>
			</div>
			<Books />
			<nav className="hero-excerpts" id="read" aria-label={m.landing_excerpts()}>
				<p aria-hidden="true">{m.landing_excerpts()}</p>
				<ul className="ruled">
					{excerpts.map((excerpt) => (
						<li key={excerpt.slug}>
							<ExcerptLink excerpt={excerpt} />
						</li>
					))}
				</ul>
			</nav>
		</section>
	);
}

function ExcerptLink({ excerpt }: { excerpt: Excerpt }) {
	const id = excerptId(excerpt);
	return (
		<a className="excerpt-link" href={`#${id}`} data-excerpt={id}>
			<span className="caption excerpt-link-chapter">{m.landing_chapter_short({ number: excerpt.chapter })} </span>
			<span className="excerpt-link-title">{excerpt.title} </span>
			<span className="excerpt-link-subtitle">{excerpt.subtitle} </span>
			<span className="excerpt-link-read">
				{m.landing_read_before()}
				<ArrowIcon size={18} />
			</span>
		</a>
	);
}
