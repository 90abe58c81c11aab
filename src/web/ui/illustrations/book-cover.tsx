import { useId } from 'react';
import classes from './book-cover.module.css';
import { Pyramid } from './pyramid.tsx';

interface BookCoverProps {
	part: 1 | 2;
	/** Language of the edition, not of the page. */
	language: 'en' | 'hi';
	/** Drawn with one word on each line. */
	title: string;
	/** The two small words at the top. */
	partLabel: string;
	languageLabel: string;
}

const sun = { 1: { x: 206, y: 286, r: 54 }, 2: { x: 82, y: 232, r: 26 } } as const;
const buildings = {
	1: { light: 'day', cx: 206, top: 287, halfWidth: 60, growth: 39, tierHeight: 27, tiers: 5 },
	2: { light: 'saffron', cx: 190, top: 262, halfWidth: 34, growth: 29, tierHeight: 21, tiers: 8 },
} as const;
const stars: readonly (readonly [number, number])[] = [
	[99, 286],
	[145, 247],
	[252, 238],
	[279, 268],
	[42, 297],
];
const ink = { 1: '#16130f', 2: '#f7efdd' } as const;
const titleTop = 107;
const lineHeight = { en: 50, hi: 54 } as const;

/** Draws the cover of an edition. Hidden from screen readers, because its text is shown beside it too. */
export function BookCover({ part, language, title, partLabel, languageLabel }: BookCoverProps) {
	const hinge = useId();
	const { x, y, r } = sun[part];
	return (
		<svg className={classes.cover} viewBox="0 0 300 440" lang={language} aria-hidden="true" focusable="false">
			<defs>
				<linearGradient id={hinge}>
					<stop offset="0" stopColor="#fff" stopOpacity=".14" />
					<stop offset=".55" stopColor="#000" stopOpacity=".2" />
					<stop offset=".72" stopColor="#fff" stopOpacity=".2" />
					<stop offset="1" stopColor="#fff" stopOpacity="0" />
				</linearGradient>
			</defs>
			<rect fill={`var(--cover-${part})`} width="300" height="440" />
			<g fill={ink[part]} stroke={ink[part]}>
				<text className={classes.label} x="28" y="46">
					{partLabel}
				</text>
				<text className={classes.label} x="272" y="46" textAnchor="end">
					{languageLabel}
				</text>
				<path d="M28 59.5h244" strokeWidth="1" />
				{title.split(/\s+/u).map((word, line) => (
					<text
						// biome-ignore lint/suspicious/noArrayIndexKey: a title may contain a word twice.
						key={`${word}-${line}`}
						className={classes.title}
						x="28"
						y={titleTop + line * lineHeight[language]}
					>
						{word}
					</text>
				))}
			</g>
			{part === 2 && stars.map(([cx, cy]) => <circle key={cx} fill="var(--cover-2-lit)" cx={cx} cy={cy} r="1.8" />)}
			<circle fill={`var(--cover-${part}-lit)`} cx={x} cy={y} r={r} />
			<Pyramid {...buildings[part]} />
			<rect width="18" height="440" fill={`url(#${hinge})`} />
		</svg>
	);
}
