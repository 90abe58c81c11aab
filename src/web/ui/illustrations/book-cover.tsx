import { useId } from 'react';
import { Pyramid } from './pyramid.tsx';

interface BookCoverProps {
	/** Whether the cover is drawn like that of Part 2: a night, instead of a day. */
	isNight: boolean;
	/** Language of the edition, not of the page. */
	language: string;
	/** Each word is drawn on a separate line. */
	title: string;
	/** Labels of the part and the language; '' for a book with only one. */
	partLabel: string;
	languageLabel: string;
}

const stars: readonly (readonly [number, number])[] = [
	[99, 126],
	[145, 207],
	[262, 238],
	[279, 268],
	[62, 297],
];

/** Longer labels do not fit on a half-hidden cover, which then shows only the language. */
const labelsMaxLength = 20;

/** The drawing has 300 by 440 units. The text of the night cover is at the right, because another cover hides its left side. */
export function BookCover({ isNight, language, title, partLabel, languageLabel }: BookCoverProps) {
	const edgeId = useId();
	const ink = isNight ? '#fbf3e2' : '#16130f';
	const shownPart = partLabel.length + languageLabel.length > labelsMaxLength ? '' : partLabel;
	const lineHeight = language === 'hi' ? 54 : 50;
	return (
		<svg className="book-cover" viewBox="0 0 300 440" lang={language} fill={ink} aria-hidden="true" focusable="false">
			<linearGradient id={edgeId}>{isNight ? rightEdge : hinge}</linearGradient>
			<rect fill={isNight ? 'var(--cover-2)' : 'var(--cover-1)'} width="300" height="440" />
			{!isNight && (
				<text className="book-cover-label" x="28" y="46">
					{shownPart}
				</text>
			)}
			<text className="book-cover-label" x="272" y="46" textAnchor="end">
				{(isNight ? [shownPart, languageLabel] : [languageLabel]).filter((label) => label !== '').join(', ')}
			</text>
			{`${shownPart}${languageLabel}` !== '' && <path stroke={ink} opacity=".35" d="M28 59.5h244" />}
			{title.split(/\s+/u).map((word, line) => (
				<text
					// biome-ignore lint/suspicious/noArrayIndexKey: a title may contain a word twice.
					key={line}
					className="book-cover-title"
					x={isNight ? 272 : 28}
					y={107 + line * lineHeight}
					textAnchor={isNight ? 'end' : 'start'}
				>
					{word}
				</text>
			))}
			{isNight ? (
				<>
					{stars.map(([x, y]) => (
						<circle key={x} fill="var(--cover-2-lit)" cx={x} cy={y} r="1.3" />
					))}
					<circle fill="var(--cover-2-lit)" cx="92" cy="237" r="29" />
					<Pyramid light="saffron" cx={190} top={234} halfWidth={27} growth={27} tierHeight={24} tiers={9} />
					<rect x="270" width="30" height="440" fill={`url(#${edgeId})`} />
				</>
			) : (
				<>
					<circle fill="#fcf1dc" cx="199" cy="286" r="56" />
					<Pyramid light="day" cx={199} top={287} halfWidth={60} growth={39} tierHeight={27} tiers={5} />
					<rect width="18" height="440" fill={`url(#${edgeId})`} />
				</>
			)}
		</svg>
	);
}

const hinge = (
	<>
		<stop offset="0" stopColor="#fff" stopOpacity=".14" />
		<stop offset=".3" stopColor="#000" stopOpacity=".04" />
		<stop offset=".55" stopColor="#000" stopOpacity=".2" />
		<stop offset=".72" stopColor="#fff" stopOpacity=".2" />
		<stop offset="1" stopColor="#fff" stopOpacity="0" />
	</>
);
const rightEdge = (
	<>
		<stop offset="0" stopColor="#fff" stopOpacity="0" />
		<stop offset=".4" stopColor="#000" stopOpacity=".1" />
		<stop offset="1" stopColor="#fff" stopOpacity=".12" />
	</>
);
