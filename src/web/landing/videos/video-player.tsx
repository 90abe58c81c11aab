import { languageNames } from '#contract/core/text.ts';
import type { LandingVideo, VideoKey } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { formatDuration } from '#shared/numbers.ts';

interface VideoPlayerProps {
	video: LandingVideo;
	title: string;
	preload: 'none' | 'metadata';
}

/** Captions in the page's language are on by default. */
export function VideoPlayer({ video, title, preload }: VideoPlayerProps) {
	return (
		// biome-ignore lint/a11y/useMediaCaption: the owner's video may have no captions; the settings warn about this.
		<video className="video-player" src={video.src} aria-label={title} preload={preload} controls playsInline>
			{video.captions.map(({ language, src }) => (
				<track
					key={language}
					kind="captions"
					src={src}
					srcLang={language}
					label={languageNames[language]}
					default={language === getLocale()}
				/>
			))}
		</video>
	);
}

const defaultTitles = { benefits: m.landing_video_benefits, 'how-to-get': m.landing_video_how };

export function videoTitle(name: VideoKey, video: LandingVideo): string {
	return video.title || defaultTitles[name]();
}

/** Returns minutes and seconds, with a note if there are captions. */
export function videoLength({ seconds, captions }: LandingVideo): string {
	const time = formatDuration(seconds);
	return captions.length === 0 ? time : m.landing_video_length({ time });
}
