import type { Locale } from '#contract/core/text.ts';
import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { VideoFigure } from '../videos/video-figure.tsx';
import { BookPoster } from './posters.tsx';

/** 'What Will You Gain?': five benefits with numerals, and the video of them. */
export function Benefits({ locale, film: video }: { locale: Locale; film: LandingVideo }) {
	const inLocale = { locale };
	const benefits = [
		{ title: m.landing_gain_1_title({}, inLocale), text: m.landing_gain_1_text({}, inLocale) },
		{ title: m.landing_gain_2_title({}, inLocale), text: m.landing_gain_2_text({}, inLocale) },
		{ title: m.landing_gain_3_title({}, inLocale), text: m.landing_gain_3_text({}, inLocale) },
		{ title: m.landing_gain_4_title({}, inLocale), text: m.landing_gain_4_text({}, inLocale) },
		{ title: m.landing_gain_5_title({}, inLocale), text: m.landing_gain_5_text({}, inLocale) },
	];
	return (
		<section className="benefits band laid-out-later" id="gain" aria-labelledby="gain-title">
			<div className="page columns benefits-columns">
				<div className="benefits-lead">
					<h2 id="gain-title">{m.landing_gain_title({}, inLocale)}</h2>
					<p>{m.landing_gain_lead({}, inLocale)}</p>
					<VideoFigure name="benefits" video={video} locale={locale}>
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
