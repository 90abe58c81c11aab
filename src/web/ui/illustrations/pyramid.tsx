const colors = {
	day: ['var(--cover-1-lit)', 'var(--cover-1-left)', 'var(--cover-1-right)'],
	saffron: ['var(--cover-2-lit)', 'var(--cover-2-left)', 'var(--cover-2-right)'],
	dusk: ['#4c577f', '#333e68', '#242c50'],
} as const;

interface PyramidProps {
	light: keyof typeof colors;
	/** Centre of the top face, in SVG units. */
	cx: number;
	top: number;
	/** Half the width of the top face. Each lower tier is `growth` wider on both sides. */
	halfWidth: number;
	growth: number;
	/** Also the vertical distance between two tiers. */
	tierHeight: number;
	tiers: number;
}

/** Draws a stepped pyramid from the lowest tier up. The depth of a top face is half its width. */
export function Pyramid({ light, cx, top, halfWidth, growth, tierHeight, tiers }: PyramidProps) {
	const [topColor, leftColor, rightColor] = colors[light];
	const steps = Array.from({ length: tiers }, (_, i) => tiers - 1 - i);
	return steps.map((tier) => {
		const half = halfWidth + growth * tier;
		const depth = half / 2;
		const y = top + tierHeight * tier;
		return (
			<g key={tier}>
				<path fill={leftColor} d={`M${cx - half} ${y}l${half} ${depth}v${tierHeight}l${-half} ${-depth}z`} />
				<path fill={rightColor} d={`M${cx + half} ${y}l${-half} ${depth}v${tierHeight}l${half} ${-depth}z`} />
				<path fill={topColor} d={`M${cx - half} ${y}l${half} ${-depth}l${half} ${depth}l${-half} ${depth}z`} />
			</g>
		);
	});
}
