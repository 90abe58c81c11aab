import type { LandingProps } from '#contract/storefront/landing.ts';
import type { PageContent, TitledText } from '#contract/storefront/page-content.ts';
import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { CheckoutSection } from '../checkout/checkout-section.tsx';
import type { CheckoutTexts } from '../checkout/checkout-texts.ts';
import { ExcerptDialog } from '../excerpts/excerpt-dialog.tsx';
import { MixedText } from '../page/language.tsx';
import { PageFrame } from '../page/page-frame.tsx';
import { VideoFigure } from '../videos/video-figure.tsx';
import { Hero } from './hero.tsx';
import { BookPoster, PaymentPoster, TitlePoster } from './posters.tsx';

/** The content of `<body>`. Only the checkout form is hydrated in the browser. */
export function LandingPage({ props, texts }: { props: LandingProps; texts: CheckoutTexts }) {
	const { content, book, films: videos } = props;
	const excerpts = content.excerpts.items;
	return (
		<>
			<PageFrame props={props} path="/">
				<Hero book={book} content={content} />
				{content.benefits.items.length > 0 && <Benefits content={content} video={videos.benefits} />}
				<CheckoutSection props={props} texts={texts} />
				<HowToGet content={content} price={texts.price} video={videos['how-to-get']} />
			</PageFrame>
			{excerpts.map((excerpt) => (
				<ExcerptDialog key={excerpt.id} excerpt={excerpt} all={excerpts} content={content} />
			))}
		</>
	);
}

interface SectionProps {
	content: PageContent;
	video: LandingVideo | null;
}

function Benefits({ content, video }: SectionProps) {
	const { heading, lead, items } = content.benefits;
	return (
		<section className="benefits band laid-out-later" id="gain" aria-labelledby="gain-title">
			<div className="page columns benefits-columns">
				<div className="benefits-lead">
					<h2 id="gain-title">{heading}</h2>
					{lead !== '' && (
						<p>
							<MixedText text={lead} />
						</p>
					)}
					{video !== null && (
						<VideoFigure name="benefits" video={video}>
							{video.isDefault && content.hasDefaultDrawings ? <BookPoster /> : <TitlePoster content={content} />}
						</VideoFigure>
					)}
				</div>
				<NumberedTexts className="benefits-list" titleClass="title" items={items} />
			</div>
		</section>
	);
}

function HowToGet({ content, price, video }: SectionProps & { price: string }) {
	const { heading, steps } = content.how;
	if (steps.length === 0 && video === null) return null;
	return (
		<section className="laid-out-later" aria-labelledby="how-title">
			<div className="page columns how-columns">
				<div>
					<h2 id="how-title">{heading}</h2>
					<NumberedTexts className="ruled how-list" items={steps} />
				</div>
				{video !== null && (
					<VideoFigure name="how-to-get" video={video}>
						{video.isDefault ? <PaymentPoster price={price} /> : <TitlePoster content={content} />}
					</VideoFigure>
				)}
			</div>
		</section>
	);
}

interface NumberedTextsProps {
	items: readonly TitledText[];
	className: string;
	titleClass?: string;
}

function NumberedTexts({ items, className, titleClass }: NumberedTextsProps) {
	return (
		<ol className={`numbered ${className}`}>
			{items.map(({ title, text }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two texts may be equal.
				<li key={index}>
					<h3 className={titleClass}>
						<MixedText text={title} />
					</h3>
					<p>
						<MixedText text={text} />
					</p>
				</li>
			))}
		</ol>
	);
}
