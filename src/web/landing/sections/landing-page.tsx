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

/** The content of `<body>`. Rendered on the server; only the checkout block is hydrated in the browser. */
export function LandingPage({ props, texts }: { props: LandingProps; texts: CheckoutTexts }) {
	const { locale, book, films: videos } = props;
	return (
		<>
			<PageFrame props={props} path="/">
				<Hero book={book} excerpts={excerpts[locale]} />
				<Benefits film={videos.benefits} />
				<CheckoutSection {...props} title={localizedTitle(book)} texts={texts} />
				<HowToGet price={texts.price} video={videos['how-to-get']} />
			</PageFrame>
			{excerpts[locale].map((excerpt) => (
				<ExcerptDialog key={excerpt.slug} excerpt={excerpt} all={excerpts[locale]} />
			))}
		</>
	);
}
