/** The four colours of a drawn building. They are classes, since the page allows no inline style. */
type PyramidColors = 'day' | 'saffron' | 'dusk';

interface PyramidProps {
	colors: PyramidColors;
	/** Middle of the topmost face, in the drawing's units. */
	cx: number;
	top: number;
	/** Half the width of the topmost face; every further tier is `growth` wider to each side. */
	halfWidth: number;
	growth: number;
	/** Height of a tier, and so its distance from the one above. */
	tierHeight: number;
	tiers: number;
}

/**
 * A stepped pyramid in isometric view, drawn from the lowest tier up: each tier a left, a right and a top face whose
 * depth is half its width (2:1 isometry).
 */
export function Pyramid({ colors, cx, top, halfWidth, growth, tierHeight, tiers }: PyramidProps) {
	const steps = Array.from({ length: tiers }, (_, i) => tiers - 1 - i);
	return (
		<g className={`pyramid-${colors}`}>
			{steps.map((tier) => {
				const half = halfWidth + growth * tier;
				const depth = half / 2;
				const y = top + tierHeight * tier;
				return (
					<g key={tier}>
						<path className="tier-left" d={`M${cx - half} ${y}l${half} ${depth}v${tierHeight}l${-half} ${-depth}z`} />
						<path className="tier-right" d={`M${cx + half} ${y}l${-half} ${depth}v${tierHeight}l${half} ${-depth}z`} />
						<path className="tier-top" d={`M${cx - half} ${y}l${half} ${-depth}l${half} ${depth}l${-half} ${depth}z`} />
					</g>
				);
			})}
		</g>
	);
}
