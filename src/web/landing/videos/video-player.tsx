import type { Locale } from '#contract/core/text.ts';
import type { LandingVideo, VideoKey } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';

const languages = { en: m.landing_language_en, hi: m.landing_language_hi };

interface VideoPlayerProps {
	video: LandingVideo;
	title: string;
	locale: Locale;
	preload: 'none' | 'metadata';
}

/** A video with the browser's own controls; captions in the page's language are shown unasked. */
export function VideoPlayer({ video, title, locale, preload }: VideoPlayerProps) {
	return (
		// biome-ignore lint/a11y/useMediaCaption: an owner's video may come without; the settings say what that costs.
		<video className="video-player" src={video.src} aria-label={title} preload={preload} controls playsInline>
			{video.captions.map(({ language, src }) => (
				<track
					key={language}
					kind="captions"
					src={src}
					srcLang={language}
					label={languages[language]({}, { locale })}
					default={language === locale}
				/>
			))}
		</video>
	);
}

const defaultTitles = { benefits: m.landing_video_benefits, 'how-to-get': m.landing_video_how };

/** The owner's title, or the product's own. */
export function videoTitle(name: VideoKey, video: LandingVideo, locale: Locale): string {
	return video.title || defaultTitles[name]({}, { locale });
}

/** Minutes and seconds, and whether there are captions. */
export function videoLength({ seconds, captions }: LandingVideo, locale: Locale): string {
	const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	return captions.length === 0 ? time : m.landing_video_length({ time }, { locale });
}
