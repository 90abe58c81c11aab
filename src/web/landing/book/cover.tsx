import type { ReactNode } from 'react';
import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { Pyramid } from '#web/ui/illustrations/pyramid.tsx';

interface CoverProps {
	/** The language of the edition, not of the page. */
	edition: Locale;
}

const stars: readonly (readonly [number, number])[] = [
	[99, 126],
	[145, 207],
	[262, 238],
	[279, 268],
	[62, 297],
];

/** Renders each word of the title on a line of its own. */
function titleLines(edition: Locale, x: number, anchor: 'start' | 'end') {
	const isHindi = edition === 'hi';
	return m
		.landing_cover_title({}, { locale: edition })
		.split(' ')
		.map((word, line) => (
			<text key={word} x={x} y={107 + line * (isHindi ? 54 : 50)} textAnchor={anchor} className="cover-title">
				{word}
			</text>
		));
}

interface CoverFrameProps extends CoverProps {
	ground: string;
	ink: string;
	children: ReactNode;
}

/** A cover of 300 by 440 units. */
function CoverFrame({ edition, ground, ink, children }: CoverFrameProps) {
	const className = `cover edition-${edition}`;
	return (
		<svg className={className} viewBox="0 0 300 440" lang={edition} fill={ink} aria-hidden="true" focusable="false">
			<rect fill={ground} width="300" height="440" />
			{children}
		</svg>
	);
}

/** Part 1: a saffron background, and a pale sun half hidden by the building's top. */
export function CoverOne({ edition }: CoverProps) {
	return (
		<CoverFrame edition={edition} ground="var(--cover-1)" ink="var(--ink)">
			<text className="cover-label" x="28" y="46">
				{m.landing_cover_part_one({}, { locale: edition })}
			</text>
			<text className="cover-label" x="272" y="46" textAnchor="end">
				{m.landing_cover_language({}, { locale: edition })}
			</text>
			<path stroke="var(--ink)" opacity=".35" d="M28 59.5h244" />
			{titleLines(edition, 28, 'start')}
			<circle fill="#fcf1dc" cx="199" cy="286" r="56" />
			<Pyramid light="day" cx={199} top={287} halfWidth={60} growth={39} tierHeight={27} tiers={5} />
			<rect width="18" height="440" fill="url(#hinge)" />
		</CoverFrame>
	);
}

/** Part 2: the same building at night, further away. The title is on the right, where part 1 does not cover it. */
export function CoverTwo({ edition }: CoverProps) {
	return (
		<CoverFrame edition={edition} ground="var(--cover-2)" ink="#fbf3e2">
			<text className="cover-label" x="272" y="46" textAnchor="end">
				{m.landing_cover_part_two_language({}, { locale: edition })}
			</text>
			<path stroke="#fbf3e2" opacity=".35" d="M28 59.5h244" />
			{titleLines(edition, 272, 'end')}
			{stars.map(([x, y]) => (
				<circle key={x} fill="#f6cf86" cx={x} cy={y} r="1.3" />
			))}
			<circle fill="#f6cf86" cx="92" cy="237" r="29" />
			<Pyramid light="saffron" cx={190} top={234} halfWidth={27} growth={27} tierHeight={24} tiers={9} />
			<rect x="270" width="30" height="440" fill="url(#fore-edge)" />
		</CoverFrame>
	);
}
