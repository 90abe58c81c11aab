import { Group } from '@mantine/core';
import { type Annotation, annotationColors } from '#contract/book/reading.ts';
import { m } from '#messages';
import classes from './annotations.module.css';

type HighlightColor = Annotation['color'];

const colorLabels: Record<HighlightColor, () => string> = {
	yellow: m.reader_color_yellow,
	green: m.reader_color_green,
	blue: m.reader_color_blue,
	pink: m.reader_color_pink,
};

export function HighlightColors(props: { value: HighlightColor | null; onChange: (color: HighlightColor) => void }) {
	const { value, onChange } = props;
	return (
		<Group gap={2} wrap="nowrap" role="group" aria-label={m.reader_highlight()}>
			{annotationColors.map((color) => (
				<button
					key={color}
					type="button"
					className={classes.color}
					data-color={color}
					aria-label={colorLabels[color]()}
					title={colorLabels[color]()}
					aria-pressed={value === null ? undefined : value === color}
					onClick={() => onChange(color)}
				/>
			))}
		</Group>
	);
}
