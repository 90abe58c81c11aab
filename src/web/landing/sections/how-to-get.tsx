import type { Locale } from '#contract/core/text.ts';
import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { VideoFigure } from '../videos/video-figure.tsx';
import { PaymentPoster } from './posters.tsx';

interface HowToGetProps {
	locale: Locale;
	/** The price to pay, as it is written. */
	price: string;
	video: LandingVideo;
}

/** 'How to Get': four steps, the last of which says to submit the form again. */
export function HowToGet({ locale, price, video }: HowToGetProps) {
	const inLocale = { locale };
	const steps = [
		{ title: m.landing_how_1_title({ price }, inLocale), text: m.landing_how_1_text({}, inLocale) },
		{ title: m.landing_how_2_title({}, inLocale), text: m.landing_how_2_text({}, inLocale) },
		{ title: m.landing_how_3_title({}, inLocale), text: m.landing_how_3_text({}, inLocale) },
		{ title: m.landing_how_4_title({}, inLocale), text: m.landing_how_4_text({}, inLocale) },
	];
	return (
		<section className="laid-out-later" aria-labelledby="how-title">
			<div className="page columns how-columns">
				<div>
					<h2 id="how-title">{m.landing_how_title({}, inLocale)}</h2>
					<ol className="numbered ruled how-list">
						{steps.map(({ title, text }) => (
							<li key={title}>
								<h3>{title}</h3>
								<p>{text}</p>
							</li>
						))}
					</ol>
				</div>
				<VideoFigure name="how-to-get" video={video} locale={locale}>
					<PaymentPoster locale={locale} price={price} />
				</VideoFigure>
			</div>
		</section>
	);
}
