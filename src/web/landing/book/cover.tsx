import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { Pyramid } from './pyramid.tsx';

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

/** Lines of the title, each from its own word, so that a translation decides how many there are. */
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

/** Part 1: saffron ground, a pale sun half hidden by the peak. 300 by 440 units. */
export function CoverOne({ edition }: CoverProps) {
	return (
		<svg
			className={`cover cover-one edition-${edition}`}
			viewBox="0 0 300 440"
			lang={edition}
			aria-hidden="true"
			focusable="false"
		>
			<rect className="cover-ground" width="300" height="440" />
			<text className="cover-label" x="28" y="46">
				{m.landing_cover_part_one({}, { locale: edition })}
			</text>
			<text className="cover-label" x="272" y="46" textAnchor="end">
				{m.landing_cover_language({}, { locale: edition })}
			</text>
			<path className="cover-rule" d="M28 59.5h244" />
			{titleLines(edition, 28, 'start')}
			<circle className="cover-sun" cx="199" cy="286" r="56" />
			<Pyramid colors="day" cx={199} top={287} halfWidth={60} growth={39} tierHeight={27} tiers={5} />
			<rect className="cover-hinge" width="18" height="440" fill="url(#hinge)" />
		</svg>
	);
}

/**
 * Part 2: the same building at night, further away. The title is on the right, so that the book behind stays readable.
 */
export function CoverTwo({ edition }: CoverProps) {
	return (
		<svg
			className={`cover cover-two edition-${edition}`}
			viewBox="0 0 300 440"
			lang={edition}
			aria-hidden="true"
			focusable="false"
		>
			<rect className="cover-ground" width="300" height="440" />
			<text className="cover-label" x="272" y="46" textAnchor="end">
				{m.landing_cover_part_two_language({}, { locale: edition })}
			</text>
			<path className="cover-rule" d="M28 59.5h244" />
			{titleLines(edition, 272, 'end')}
			{stars.map(([x, y]) => (
				<circle key={x} className="cover-star" cx={x} cy={y} r="1.3" />
			))}
			<circle className="cover-moon" cx="92" cy="237" r="29" />
			<Pyramid colors="saffron" cx={190} top={234} halfWidth={27} growth={27} tierHeight={24} tiers={9} />
			<rect className="cover-hinge" x="270" width="30" height="440" fill="url(#fore-edge)" />
		</svg>
	);
}
