import { m } from '#messages';
import { checkContrast, textColorOn } from '#shared/colors.ts';
import textClasses from '#web/ui/primitives/text.module.css';

/** `--paper` in tokens.css. */
const paper = '#fbf8f1';
const white = '#ffffff';

/** Says whether texts on a colour can be read. The page chooses dark or white text by itself. */
export function ColorContrast({ color, isAccent }: { color: string; isAccent: boolean }) {
	if (!isColor(color)) return null;
	const text = textColorOn(color);
	const ratio = formatRatio(checkContrast(text, color).ratio);
	const isShadeNeeded = isAccent && !checkContrast(color, paper).isEnough;
	return (
		<p className={textClasses.note}>
			{text === white ? m.editor_contrast_white({ ratio }) : m.editor_contrast_dark({ ratio })}
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
