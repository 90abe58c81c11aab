import { markColors, type ReadingMark } from '#contract/reader/reading.ts';
import { m } from '#messages';
import classes from './marks.module.css';

type Color = ReadingMark['color'];

interface MarkColorsProps {
	/** Null before one was chosen. */
	value: Color | null;
	onChange: (color: Color) => void;
}

const names: Record<Color, () => string> = {
	yellow: m.reader_color_yellow,
	green: m.reader_color_green,
	blue: m.reader_color_blue,
	pink: m.reader_color_pink,
};

/** The colours that text is marked with. */
export function MarkColors({ value, onChange }: MarkColorsProps) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: buttons that press each other out, not form fields.
		<div className={classes.colors} role="group" aria-label={m.reader_highlight()}>
			{markColors.map((color) => (
				<button
					key={color}
					type="button"
					className={classes.color}
					data-color={color}
					aria-label={names[color]()}
					title={names[color]()}
					aria-pressed={value === null ? undefined : value === color}
					onClick={() => onChange(color)}
				/>
			))}
		</div>
	);
}
