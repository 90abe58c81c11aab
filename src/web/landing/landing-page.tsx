import type { LandingProps } from '#contract/storefront/landing.ts';
import { Benefits } from './benefits.tsx';
import { ExcerptDialog } from './excerpts/excerpt-dialog.tsx';
import { excerptsIn } from './excerpts/excerpt-source.ts';
import { Hero } from './hero.tsx';
import { HowToGet } from './how-to-get.tsx';
import { PageFrame } from './page-frame.tsx';
import { PurchaseSection } from './purchase/purchase-section.tsx';
import type { PurchaseTexts } from './purchase/purchase-texts.ts';
import { titleIn } from './title.ts';

const excerpts = { en: excerptsIn('en'), hi: excerptsIn('hi') };

/** Everything inside `<body>`. Drawn on the server only; the purchase block alone lives on in the browser. */
export function LandingPage({ props, texts }: { props: LandingProps; texts: PurchaseTexts }) {
	const { locale, book, form, films, payment, isInApp } = props;
	const title = titleIn(locale, book);
	return (
		<>
			<PageFrame props={props} path="/">
				<Hero locale={locale} book={book} excerpts={excerpts[locale]} />
				<Benefits locale={locale} film={films.benefits} />
				<PurchaseSection
					locale={locale}
					title={title}
					book={book}
					form={form}
					payment={payment}
					isInApp={isInApp}
					texts={texts}
				/>
				<HowToGet locale={locale} price={texts.price} film={films['how-to-get']} />
			</PageFrame>
			{excerpts[locale].map((excerpt) => (
				<ExcerptDialog key={excerpt.slug} excerpt={excerpt} all={excerpts[locale]} locale={locale} />
			))}
		</>
	);
}
