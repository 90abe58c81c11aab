import type { ReactNode } from 'react';
import type { Locale } from '#contract/core/text.ts';
import type { VideoPageProps } from '#contract/storefront/landing.ts';
import { type LandingVideo, type VideoKey, videoPagePath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { PlayIcon } from '../page/icons.tsx';
import { PlainPage } from '../page/page-frame.tsx';
import { VideoPlayer, videoLength, videoTitle } from './video-player.tsx';

interface VideoFigureProps {
	name: VideoKey;
	video: LandingVideo;
	locale: Locale;
	/** The poster, drawn. */
	children: ReactNode;
}

/**
 * A video behind its poster. What plays it waits in a template, so that no browser loads anything of it before the
 * press; without script the press leads to a page of its own.
 */
export function VideoFigure({ name, video, locale, children }: VideoFigureProps) {
	const inLocale = { locale };
	const title = videoTitle(name, video, locale);
	return (
		<figure className="video">
			<div className="video-screen">
				{children}
				<a
					className="centered video-play"
					href={videoPagePath(name)}
					aria-label={m.landing_video_play({ title }, inLocale)}
				>
					<span className="centered video-button">
						<PlayIcon />
					</span>
				</a>
				<template>
					<VideoPlayer video={video} title={title} locale={locale} preload="none" />
					<p className="video-loading" role="status">
						{m.landing_video_loading({}, inLocale)}
					</p>
					<div className="video-failed" role="alert" hidden>
						<p>{m.landing_video_failed({}, inLocale)}</p>
						<button type="button" className="button button-outline">
							{m.landing_video_again({}, inLocale)}
						</button>
					</div>
				</template>
			</div>
			<figcaption className="row row-between caption video-caption">
				<span className="video-title">{title}</span>
				<span>{videoLength(video, locale)}</span>
			</figcaption>
		</figure>
	);
}

/** A video on a page of its own, in the storefront's frame: for browsers without script. */
export function VideoPage({ props }: { props: VideoPageProps }) {
	const { key, video, locale } = props;
	const title = videoTitle(key, video, locale);
	return (
		<PlainPage props={props} path={videoPagePath(key)} heading={title}>
			<div className="video-screen video-alone">
				<VideoPlayer video={video} title={title} locale={locale} preload="metadata" />
			</div>
		</PlainPage>
	);
}
