import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { Pyramid } from '../book/pyramid.tsx';

const stars: readonly (readonly [number, number])[] = [
	[49, 40],
	[107, 78],
	[179, 31],
	[268, 57],
	[455, 47],
	[490, 106],
	[33, 122],
];

/** The covers' building by night, as wide as a video. A picture only: it says nothing that the words do not say. */
export function BookPoster() {
	return (
		<svg
			className="poster"
			viewBox="0 0 520 293"
			preserveAspectRatio="xMidYMid slice"
			aria-hidden="true"
			focusable="false"
		>
			<rect className="poster-night" width="520" height="293" />
			{stars.map(([x, y]) => (
				<circle key={x} className="cover-star" cx={x} cy={y} r="1.2" />
			))}
			<Pyramid colors="dusk" cx={65} top={200} halfWidth={62} growth={31} tierHeight={30} tiers={4} />
			<circle className="cover-moon" cx="367" cy="84" r="36" />
			<Pyramid colors="saffron" cx={367} top={106} halfWidth={39} growth={34} tierHeight={21} tiers={7} />
		</svg>
	);
}

/** Finder patterns and a few modules, to be recognised as a payment code; not one that can be scanned. */
const modules =
	'M20 0h3v3h-3zm6 3h4v3h-4zm-6 5h3v6h-3zm5 3h5v3h-5zM0 20h4v3H0zm7 0h6v3H7zm9-3h4v6h-4zm7 2h7v3h-7zm10-2h6v4h-6zm9 3h8v3h-8zM20 26h6v4h-6zm10 1h4v7h-4zm8-1h7v3h-7zm10 4h2v8h-2zM20 34h3v8h-3zm7 4h6v3h-6zm9-3h4v6h-4zm8 6h6v3h-6zM20 46h8v4h-8zm12-2h4v6h-4zm8 3h4v3h-4zm7-1h3v4h-3z';

function Finder({ x, y }: { x: number; y: number }) {
	return (
		<g transform={`translate(${x} ${y})`}>
			<rect x="1" y="1" width="12" height="12" rx="3.5" fill="none" stroke="currentColor" strokeWidth="2.4" />
			<rect x="4.5" y="4.5" width="5" height="5" rx="1.5" />
		</g>
	);
}

interface PaymentPosterProps {
	locale: Locale;
	price: string;
}

/** A phone that pays, and the letter with the login. A picture only. */
export function PaymentPoster({ locale, price }: PaymentPosterProps) {
	return (
		<svg
			className="poster"
			viewBox="0 0 520 293"
			preserveAspectRatio="xMidYMid slice"
			aria-hidden="true"
			focusable="false"
		>
			<rect className="poster-day" width="520" height="293" />
			<rect className="poster-table" y="205" width="520" height="88" />
			<path className="poster-arrow" d="M214 128C250 104 310 124 350 172" />
			<g className="poster-phone">
				<rect x="91" y="38" width="122" height="232" rx="16" className="poster-phone-case" />
				<rect x="98" y="44" width="108" height="220" rx="11" className="poster-phone-screen" />
				<rect x="135" y="49" width="34" height="6" rx="3" className="poster-phone-case" />
				<text x="152" y="80" className="poster-small">
					{m.landing_poster_pay({}, { locale })}
				</text>
				<g transform="translate(124 96) scale(1.12)" className="poster-code">
					<Finder x={0} y={0} />
					<Finder x={36} y={0} />
					<Finder x={0} y={36} />
					<path d={modules} />
				</g>
				<text x="152" y="192" className={price.length > 6 ? 'poster-price is-long' : 'poster-price'}>
					{price}
				</text>
				<rect x="110" y="216" width="84" height="27" rx="5" className="poster-phone-case" />
				<text x="152" y="233.5" className="poster-button">
					{m.landing_poster_button({}, { locale })}
				</text>
			</g>
			<g transform="rotate(-4 396 200)">
				<rect x="321" y="152" width="150" height="99" rx="3" className="poster-letter" />
				<path d="M321 154l75 53 75-53v-2H321z" className="poster-letter-flap" />
				<path d="M322 153l74 53 74-53" className="poster-letter-fold" />
				<circle cx="396" cy="204" r="15" className="poster-seal" />
				<path d="M393 201h6v3h3v3h3v3h-18v-3h3v-3h3z" className="poster-seal-mark" />
				<circle cx="396" cy="197.5" r="2.6" className="poster-seal-mark" />
			</g>
		</svg>
	);
}
