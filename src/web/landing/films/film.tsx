import type { ReactNode } from 'react';
import { type FilmKey, filmPagePath, type ShownFilm } from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { PlayIcon } from '../icons.tsx';
import { FilmVideo } from './film-video.tsx';
import { filmLength, filmTitle } from './film-words.ts';

interface FilmProps {
	name: FilmKey;
	film: ShownFilm;
	locale: Locale;
	/** The poster, drawn. */
	children: ReactNode;
}

/**
 * A film behind its poster. What plays it waits in a template, so that no browser loads anything of it before the
 * press; without script the press leads to a page of its own.
 */
export function Film({ name, film, locale, children }: FilmProps) {
	const say = { locale };
	const title = filmTitle(name, film, locale);
	return (
		<figure className="film">
			<div className="film-screen">
				{children}
				<a className="film-play" href={filmPagePath(name)} aria-label={m.landing_film_play({ title }, say)}>
					<span className="film-button">
						<PlayIcon />
					</span>
				</a>
				<template>
					<FilmVideo film={film} title={title} locale={locale} preload="none" />
					<p className="film-loading" role="status">
						{m.landing_film_loading({}, say)}
					</p>
					<div className="film-failed" role="alert" hidden>
						<p>{m.landing_film_failed({}, say)}</p>
						<button type="button" className="button button-outline">
							{m.landing_film_again({}, say)}
						</button>
					</div>
				</template>
			</div>
			<figcaption className="film-words">
				<span className="film-title">{title}</span>
				<span>{filmLength(film, locale)}</span>
			</figcaption>
		</figure>
	);
}
