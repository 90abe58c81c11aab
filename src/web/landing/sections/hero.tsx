import type { LandingProps } from '#contract/storefront/landing.ts';
import type { PageContent } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { formatMoney } from '#shared/numbers.ts';
import { excerptId } from '../excerpts/excerpt-dialog.tsx';
import { ArrowIcon } from '../page/icons.tsx';
import { MixedText } from '../page/language.tsx';
import { Books } from './books.tsx';

export function Hero({ book, content }: Pick<LandingProps, 'book' | 'content'>) {
	const { eyebrow, headline, accent, tagline, callToAction, priceNote } = content.hero;
	return (
		<section className="hero page">
			<div className="hero-text">
				{eyebrow !== '' && (
					<p className="eyebrow">
						<MixedText text={eyebrow} />
					</p>
				)}
				<h1 data-size={headlineSize(headline)}>
					<MixedText text={headline} />
					{accent !== '' && (
						<>
							{'\u00a0'}
							<span className="hero-accent">{accent}</span>
						</>
					)}
				</h1>
				{tagline !== '' && (
					<p className="hero-tagline">
						<MixedText text={tagline} />
					</p>
				)}
				<div className="hero-offer">
					<a className="button button-primary button-large" href="#book">
						{callToAction}
					</a>
					<p className="row caption hero-price">
						<Prices book={book} first="now" />
						{priceNote !== '' && (
							<>
								{' '}
								<span>{priceNote}</span>
							</>
						)}
					</p>
				</div>
			</div>
			<Books content={content} />
			<ExcerptLinks excerpts={content.excerpts} />
		</section>
	);
}

/** Long headlines are set smaller. */
function headlineSize(headline: string): 'long' | 'longest' | undefined {
	const longestWord = Math.max(...headline.split(/\s+/u).map((word) => word.length));
	if (headline.length > 60 || longestWord > 16) return 'longest';
	return headline.length > 32 || longestWord > 10 ? 'long' : undefined;
}

function ExcerptLinks({ excerpts: { heading, items } }: Pick<PageContent, 'excerpts'>) {
	if (items.length === 0) return null;
	return (
		<nav className="hero-excerpts" id="read" aria-label={heading}>
			<p aria-hidden="true">
				<MixedText text={heading} />
			</p>
			<ul className="ruled">
				{items.map((excerpt) => (
					<li key={excerpt.id}>
						<a className="excerpt-link" href={`#${excerptId(excerpt)}`} data-excerpt={excerptId(excerpt)}>
							<span className="caption excerpt-link-chapter">{excerpt.shortLabel} </span>
							<span className="excerpt-link-title">{excerpt.title} </span>
							<span className="excerpt-link-subtitle">{excerpt.lead} </span>
							<span className="excerpt-link-read">
								{m.landing_read_before()}
								<ArrowIcon size={18} />
							</span>
						</a>
					</li>
				))}
			</ul>
		</nav>
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
