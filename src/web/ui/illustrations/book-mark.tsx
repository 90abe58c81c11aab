interface BookMarkProps {
	size: number;
	color?: string;
	className?: string;
}

/** The mark of a site without an icon of its own; book.svg has the same drawing. */
export function BookMark({ size, color = 'currentColor', className }: BookMarkProps) {
	return (
		<svg className={className} width={size} height={size} viewBox="3 2 26 28" aria-hidden="true" focusable="false">
			<path fill={color} fillRule="evenodd" d="M8 3h18v26H8a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3zM8 25a1 1 0 0 0 0 2h15v-2z" />
			<path fill="var(--accent-fill)" d="M16 3h5v12l-2.5-2.5L16 15z" />
		</svg>
	);
}
