import type { PageViewport } from 'pdfjs-dist';
import type { Crop } from './page-size.ts';
import type { TextRun } from './pdf-text.ts';

/** From where to where a page's text stands, without what belongs to the page; null for a page without any. */
export function textBounds(
	runs: readonly TextRun[],
	viewport: Pick<PageViewport, 'width' | 'convertToViewportPoint'>,
): Crop | null {
	let left = 1;
	let right = 0;
	for (const { isArtifact, str, transform, width } of runs) {
		if (isArtifact || str.trim() === '') continue;
		const [a = 1, b = 0, , , x = 0, y = 0] = transform.map(Number);
		const length = Math.hypot(a, b) || 1;
		const [from = 0] = viewport.convertToViewportPoint(x, y);
		const [to = 0] = viewport.convertToViewportPoint(x + (a / length) * width, y + (b / length) * width);
		left = Math.min(left, from / viewport.width, to / viewport.width);
		right = Math.max(right, from / viewport.width, to / viewport.width);
	}
	return right > left ? { left: Math.max(0, left), right: Math.min(1, right) } : null;
}
