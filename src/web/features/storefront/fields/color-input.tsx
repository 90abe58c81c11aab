import { Group } from '@mantine/core';
import { m } from '#messages';
import { checkContrast, textColorOn } from '#shared/colors.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './fields.module.css';

interface ColorInputProps {
	/** Name of the colour; shown above the input unless `id` belongs to a label elsewhere. */
	label: string;
	id?: string;
	'aria-describedby'?: string | undefined;
	/** `#1f3a5f`; '' for the default colour. */
	value: string;
	/** Shown while the value is ''. */
	defaultColor?: string;
	error?: string | undefined;
	onChange: (color: string) => void;
}

/** A colour that is chosen from the browser's palette or typed. */
export function ColorInput({ label, value, defaultColor = '', onChange, ...rest }: ColorInputProps) {
	const shown = isColor(value) ? value : defaultColor;
	return (
		<TextField
			{...rest}
			label={rest.id === undefined ? label : undefined}
			autoComplete="off"
			spellCheck={false}
			value={value}
			placeholder={defaultColor}
			onChange={({ currentTarget }) => onChange(currentTarget.value.trim().toLowerCase())}
			leftSection={
				<Group>
					<input
						type="color"
						aria-label={m.editor_color_palette({ name: label })}
						className={classes.swatch}
						value={shown || '#000000'}
						onChange={({ currentTarget }) => onChange(currentTarget.value)}
					/>
				</Group>
			}
		/>
	);
}

/** `--paper` in tokens.css. */
const paper = '#fbf8f1';

/** Says whether texts on a colour can be read. The page chooses dark or white text by itself. */
export function ColorContrast({ color, isAccent }: { color: string; isAccent: boolean }) {
	if (!isColor(color)) return null;
	const text = textColorOn(color);
	const ratio = formatRatio(checkContrast(text, color).ratio);
	const isShadeNeeded = isAccent && !checkContrast(color, paper).isEnough;
	return (
		<p className={textClasses.note}>
			{text === '#ffffff' ? m.editor_contrast_white({ ratio }) : m.editor_contrast_dark({ ratio })}
			{isShadeNeeded && ` ${m.editor_contrast_shade()}`}
		</p>
	);
}

export function CoverContrast({ ground, ink }: { ground: string; ink: string }) {
	if (!isColor(ground) || !isColor(ink)) return null;
	const { ratio, isEnough } = checkContrast(ink, ground);
	const text = formatRatio(ratio);
	return (
		<p className={textClasses.note}>
			{isEnough ? m.editor_contrast_enough({ ratio: text }) : m.editor_contrast_low({ ratio: text })}
		</p>
	);
}

function isColor(value: string): boolean {
	return /^#[0-9a-f]{6}$/u.test(value);
}

function formatRatio(ratio: number): string {
	return `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;
}
