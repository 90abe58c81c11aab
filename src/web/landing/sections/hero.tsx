import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { formatMoney } from '#shared/numbers.ts';
import { Books } from '../book/books.tsx';
import { excerptId } from '../excerpts/excerpt-dialog.tsx';
import type { Excerpt } from '../excerpts/excerpt-source.ts';
import { ArrowIcon } from '../page/icons.tsx';
import { MixedText } from '../page/language.tsx';

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

/** Shows the original price, struck through, only if it is higher. */
export function Prices({ book, first }: { book: LandingProps['book']; first: 'now' | 'original' }) {
	const now = (
		<span className="price-now" key="now">
			<span className="unseen">{m.landing_price_now()} </span>
			{formatMoney(book.discountedPrice)}
		</span>
	);
	if (book.originalPrice <= book.discountedPrice) return now;
	const original = (
		<s className="price-original" key="original">
			<span className="unseen">{m.landing_price_original()} </span>
			{formatMoney(book.originalPrice)}
		</s>
	);
	return first === 'now' ? [now, ' ', original] : [original, ' ', now];
}
