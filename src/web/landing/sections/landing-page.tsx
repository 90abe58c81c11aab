import type { LandingProps } from '#contract/storefront/landing.ts';
import { CheckoutSection } from '../checkout/checkout-section.tsx';
import type { CheckoutTexts } from '../checkout/checkout-texts.ts';
import { ExcerptDialog } from '../excerpts/excerpt-dialog.tsx';
import { loadExcerpts } from '../excerpts/excerpt-source.ts';
import { PageFrame } from '../page/page-frame.tsx';
import { localizedTitle } from '../page/site-details.ts';
import { Benefits } from './benefits.tsx';
import { Hero } from './hero.tsx';
import { HowToGet } from './how-to-get.tsx';

const excerpts = { en: loadExcerpts('en'), hi: loadExcerpts('hi') };

/** Everything inside `<body>`. Drawn on the server only; the purchase block alone lives on in the browser. */
export function LandingPage({ props, texts }: { props: LandingProps; texts: CheckoutTexts }) {
	const { locale, book, films: videos } = props;
	return (
		<>
			<PageFrame props={props} path="/">
				<Hero locale={locale} book={book} excerpts={excerpts[locale]} />
				<Benefits locale={locale} film={videos.benefits} />
				<CheckoutSection {...props} title={localizedTitle(locale, book)} texts={texts} />
				<HowToGet locale={locale} price={texts.price} video={videos['how-to-get']} />
			</PageFrame>
			{excerpts[locale].map((excerpt) => (
				<ExcerptDialog key={excerpt.slug} excerpt={excerpt} all={excerpts[locale]} locale={locale} />
			))}
		</>
	);
}
