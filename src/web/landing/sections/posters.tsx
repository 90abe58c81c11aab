import type { ReactNode } from 'react';
import type { PageContent } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { Pyramid } from '#web/ui/illustrations/pyramid.tsx';

const stars: readonly (readonly [number, number])[] = [
	[49, 40],
	[107, 78],
	[179, 31],
	[268, 57],
	[455, 47],
	[490, 106],
	[33, 122],
];

/** Hidden from screen readers, because the drawing only repeats the text. */
function Poster({ ground, children }: { ground: string; children: ReactNode }) {
	return (
		<svg
			className="poster"
			viewBox="0 0 520 293"
			preserveAspectRatio="xMidYMid slice"
			fill="var(--ink)"
			aria-hidden="true"
			focusable="false"
		>
			<rect fill={ground} width="520" height="293" />
			{children}
		</svg>
	);
}

export function BookPoster() {
	return (
		<Poster ground="var(--cover-2)">
			{stars.map(([x, y]) => (
				<circle key={x} fill="#f6cf86" cx={x} cy={y} r="1.2" />
			))}
			<Pyramid light="dusk" cx={65} top={200} halfWidth={62} growth={31} tierHeight={30} tiers={4} />
			<circle fill="#f6cf86" cx="367" cy="84" r="36" />
			<Pyramid light="saffron" cx={367} top={106} halfWidth={39} growth={34} tierHeight={21} tiers={7} />
		</Poster>
	);
}

/** Looks like a QR code but cannot be scanned. */
const modules =
	'M20 0h3v3h-3zm6 3h4v3h-4zm-6 5h3v6h-3zm5 3h5v3h-5zM0 20h4v3H0zm7 0h6v3H7zm9-3h4v6h-4zm7 2h7v3h-7zm10-2h6v4h-6zm9 3h8v3h-8zM20 26h6v4h-6zm10 1h4v7h-4zm8-1h7v3h-7zm10 4h2v8h-2zM20 34h3v8h-3zm7 4h6v3h-6zm9-3h4v6h-4zm8 6h6v3h-6zM20 46h8v4h-8zm12-2h4v6h-4zm8 3h4v3h-4zm7-1h3v4h-3z';

function Finder({ x, y }: { x: number; y: number }) {
	return (
		<g transform={`translate(${x} ${y})`}>
			<rect x="1" y="1" width="12" height="12" rx="3.5" fill="none" stroke="var(--ink)" strokeWidth="2.4" />
			<rect x="4.5" y="4.5" width="5" height="5" rx="1.5" />
		</g>
	);
}

/** A poster with title and author, because the first frame of a video is not known before the video is loaded. */
export function TitlePoster({ content }: { content: PageContent }) {
	return (
		<div className="poster title-poster" aria-hidden="true">
			<p>{content.bookTitle}</p>
			<p className="title-poster-author">{content.author}</p>
		</div>
	);
}

export function PaymentPoster({ price }: { price: string }) {
	return (
		<Poster ground="var(--cover-1)">
			<rect fill="#d98c24" y="205" width="520" height="88" />
			<path
				d="M214 128C250 104 310 124 350 172"
				fill="none"
				stroke="var(--ink)"
				strokeWidth="2.4"
				strokeDasharray=".1 7"
				strokeLinecap="round"
			/>
			<g textAnchor="middle">
				<rect x="91" y="38" width="122" height="232" rx="16" />
				<rect x="98" y="44" width="108" height="220" rx="11" fill="var(--paper)" />
				<rect x="135" y="49" width="34" height="6" rx="3" />
				<text x="152" y="80" fill="var(--ink-2)" fontSize="9" fontWeight="500">
					{m.landing_poster_pay()}
				</text>
				<g transform="translate(124 96) scale(1.12)">
					<Finder x={0} y={0} />
					<Finder x={36} y={0} />
					<Finder x={0} y={36} />
					<path d={modules} />
				</g>
				<text x="152" y="192" className="poster-price" fontSize={price.length > 6 ? 14 : 22} fontWeight="520">
					{price}
				</text>
				<rect x="110" y="216" width="84" height="27" rx="5" />
				<text x="152" y="233.5" fill="var(--paper)" fontSize="10" fontWeight="600">
					{m.landing_poster_button()}
				</text>
			</g>
			<g transform="rotate(-4 396 200)" fill="#fcf1dc">
				<rect x="321" y="152" width="150" height="99" rx="3" />
				<path d="M321 154l75 53 75-53v-2H321z" fill="#fffdf9" />
				<path d="M322 153l74 53 74-53" fill="none" stroke="#d9b98a" strokeWidth="1.5" />
				<circle cx="396" cy="204" r="15" fill="var(--cover-1-left)" />
				<path d="M393 201h6v3h3v3h3v3h-18v-3h3v-3h3z" />
				<circle cx="396" cy="197.5" r="2.6" />
			</g>
		</Poster>
	);
}
