import type { LandingProps } from '#contract/storefront/landing.ts';
import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { CheckoutSection } from '../checkout/checkout-section.tsx';
import type { CheckoutTexts } from '../checkout/checkout-texts.ts';
import { ExcerptDialog } from '../excerpts/excerpt-dialog.tsx';
import { loadExcerpts } from '../excerpts/excerpt-source.ts';
import { PageFrame } from '../page/page-frame.tsx';
import { VideoFigure } from '../videos/video-figure.tsx';
import { Hero } from './hero.tsx';
import { BookPoster, PaymentPoster } from './posters.tsx';

const excerpts = { en: loadExcerpts('en'), hi: loadExcerpts('hi') };

/** The content of `<body>`. Only the checkout form is hydrated in the browser. */
export function LandingPage({ props, texts }: { props: LandingProps; texts: CheckoutTexts }) {
	const { locale, book, films: videos } = props;
	return (
		<>
			<PageFrame props={props} path="/">
				<Hero book={book} excerpts={excerpts[locale]} />
				<Benefits video={videos.benefits} />
				<CheckoutSection props={props} texts={texts} />
				<HowToGet price={texts.price} video={videos['how-to-get']} />
			</PageFrame>
			{excerpts[locale].map((excerpt) => (
				<ExcerptDialog key={excerpt.slug} excerpt={excerpt} all={excerpts[locale]} />
			))}
		</>
	);
}

function Benefits({ video }: { video: LandingVideo }) {
	return (
		<section className="benefits band laid-out-later" id="gain" aria-labelledby="gain-title">
			<div className="page columns benefits-columns">
				<div className="benefits-lead">
					<h2 id="gain-title">{m.landing_gain_title()}</h2>
					<p>{m.landing_gain_lead()}</p>
					<VideoFigure name="benefits" video={video}>
						<BookPoster />
					</VideoFigure>
				</div>
				<ol className="numbered benefits-list">
					{([1, 2, 3, 4, 5] as const).map((number) => (
						<li key={number}>
							<h3 className="title">{m[`landing_gain_${number}_title`]()}</h3>
							<p>{m[`landing_gain_${number}_text`]()}</p>
						</li>
					))}
				</ol>
			</div>
		</section>
	);
}

function HowToGet({ price, video }: { price: string; video: LandingVideo }) {
	return (
		<section className="laid-out-later" aria-labelledby="how-title">
			<div className="page columns how-columns">
				<div>
					<h2 id="how-title">{m.landing_how_title()}</h2>
					<ol className="numbered ruled how-list">
						{([1, 2, 3, 4] as const).map((number) => (
							<li key={number}>
								<h3>{m[`landing_how_${number}_title`]({ price })}</h3>
								<p>{m[`landing_how_${number}_text`]()}</p>
							</li>
						))}
					</ol>
				</div>
				<VideoFigure name="how-to-get" video={video}>
					<PaymentPoster price={price} />
				</VideoFigure>
			</div>
		</section>
	);
}
