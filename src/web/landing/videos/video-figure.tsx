import type { ReactNode } from 'react';
import { languageNames } from '#contract/core/text.ts';
import type { VideoPageProps } from '#contract/storefront/landing.ts';
import { type LandingVideo, type VideoKey, videoPagePath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { formatDuration } from '#shared/numbers.ts';
import { PlayIcon } from '../page/icons.tsx';
import { PlainPage } from '../page/page-frame.tsx';

/** The `<template>` prevents loading the video before the button is pressed. */
export function VideoFigure({ name, video, children }: { name: VideoKey; video: LandingVideo; children: ReactNode }) {
	const title = videoTitle(name, video);
	const time = formatDuration(video.seconds);
	return (
		<figure className="video">
			<div className="video-screen">
				{children}
				<a className="centered video-play" href={videoPagePath(name)} aria-label={m.landing_video_play({ title })}>
					<span className="centered video-button">
						<PlayIcon />
					</span>
				</a>
				<template>
					<VideoPlayer video={video} title={title} preload="none" />
					<p className="video-loading" role="status">
						{m.landing_video_loading()}
					</p>
					<div className="video-failed" role="alert" hidden>
						<p>{m.landing_video_failed()}</p>
						<button type="button" className="button button-outline">
							{m.landing_video_again()}
						</button>
					</div>
				</template>
			</div>
			<figcaption className="row row-between caption video-caption">
				<span className="video-title">{title}</span>
				<span>{video.captions.length === 0 ? time : m.landing_video_length({ time })}</span>
			</figcaption>
		</figure>
	);
}

/** For browsers without JavaScript. */
export function VideoPage({ props }: { props: VideoPageProps }) {
	const { key, video } = props;
	const title = videoTitle(key, video);
	return (
		<PlainPage props={props} path={videoPagePath(key)} heading={title}>
			<div className="video-screen video-alone">
				<VideoPlayer video={video} title={title} preload="metadata" />
			</div>
		</PlainPage>
	);
}

interface VideoPlayerProps {
	video: LandingVideo;
	title: string;
	preload: 'none' | 'metadata';
}

/** Captions in the page's language are on by default. */
function VideoPlayer({ video, title, preload }: VideoPlayerProps) {
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

export function videoTitle(name: VideoKey, { title }: LandingVideo): string {
	return title || (name === 'benefits' ? m.landing_video_benefits() : m.landing_video_how());
}
