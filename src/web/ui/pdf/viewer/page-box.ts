import type { PageBox } from '#contract/book/reading.ts';
import { rangeOfPart, textPartsOfRange } from '../text/text-ranges.ts';

export type { PageBox };

export function boxStyle([left, top, right, bottom]: PageBox) {
	const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
	return { left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) };
}

/** Returns one box per line of the range, relative to the page's element. */
export function boxesOfRange(range: Range, page: HTMLElement): PageBox[] {
	const frame = page.getBoundingClientRect();
	if (frame.width === 0 || frame.height === 0) return [];
	const share = (value: number) => Math.min(1, Math.max(0, value));
	const boxes = textPartsOfRange(range)
		.flatMap((part) => [...rangeOfPart(part).getClientRects()])
		.filter(({ width, height }) => width > 0.5 && height > 0.5)
		.map(
			({ left, top, right, bottom }): PageBox => [
				share((left - frame.left) / frame.width),
				share((top - frame.top) / frame.height),
				share((right - frame.left) / frame.width),
				share((bottom - frame.top) / frame.height),
			],
		);
	return joinLines(boxes);
}

function joinLines(boxes: readonly PageBox[]): PageBox[] {
	const lines: PageBox[] = [];
	for (const box of boxes) {
		const line = lines.at(-1);
		if (line === undefined || !isSameLine(line, box)) lines.push([...box]);
		else {
			line[0] = Math.min(line[0], box[0]);
			line[1] = Math.min(line[1], box[1]);
			line[2] = Math.max(line[2], box[2]);
			line[3] = Math.max(line[3], box[3]);
		}
	}
	return lines;
}

function isSameLine(line: PageBox, box: PageBox): boolean {
	const shared = Math.min(line[3], box[3]) - Math.max(line[1], box[1]);
	const lower = Math.min(line[3] - line[1], box[3] - box[1]);
	// Text at the same height in two columns is not one line.
	const gap = Math.max(box[0] - line[2], line[0] - box[2]);
	return shared > lower * 0.5 && gap < 0.05;
}
