import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { VideoFigure } from '../videos/video-figure.tsx';
import { BookPoster } from './posters.tsx';

/** The section 'What Will You Gain?': five numbered benefits and a video. */
export function Benefits({ film: video }: { film: LandingVideo }) {
	const benefits = [
		{ title: m.landing_gain_1_title(), text: m.landing_gain_1_text() },
		{ title: m.landing_gain_2_title(), text: m.landing_gain_2_text() },
		{ title: m.landing_gain_3_title(), text: m.landing_gain_3_text() },
		{ title: m.landing_gain_4_title(), text: m.landing_gain_4_text() },
		{ title: m.landing_gain_5_title(), text: m.landing_gain_5_text() },
	];
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
					{benefits.map(({ title, text }) => (
						<li key={title}>
							<h3 className="title">{title}</h3>
							<p>{text}</p>
						</li>
					))}
				</ol>
			</div>
		</section>
	);
}
