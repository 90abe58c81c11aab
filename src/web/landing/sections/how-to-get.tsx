import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { VideoFigure } from '../videos/video-figure.tsx';
import { PaymentPoster } from './posters.tsx';

interface HowToGetProps {
	/** The formatted price. */
	price: string;
	video: LandingVideo;
}

/** The section 'How to Get': four steps, the last of which is to submit the form again, and a video. */
export function HowToGet({ price, video }: HowToGetProps) {
	const steps = [
		{ title: m.landing_how_1_title({ price }), text: m.landing_how_1_text() },
		{ title: m.landing_how_2_title(), text: m.landing_how_2_text() },
		{ title: m.landing_how_3_title(), text: m.landing_how_3_text() },
		{ title: m.landing_how_4_title(), text: m.landing_how_4_text() },
	];
	return (
		<section className="laid-out-later" aria-labelledby="how-title">
			<div className="page columns how-columns">
				<div>
					<h2 id="how-title">{m.landing_how_title()}</h2>
					<ol className="numbered ruled how-list">
						{steps.map(({ title, text }) => (
							<li key={title}>
								<h3>{title}</h3>
								<p>{text}</p>
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
