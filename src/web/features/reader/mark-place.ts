import type { CSSProperties } from 'react';

/** About as large as what is shown beside a text, in CSS px. */
const roomPx = { width: 320, height: 60 };
const gapPx = 10;

/** Where something stands beside a rectangle of the window: above it where there is room, else below. */
export function besideRect({
	left,
	top,
	width,
	bottom,
}: Pick<DOMRect, 'left' | 'top' | 'width' | 'bottom'>): CSSProperties {
	const middle = left + width / 2;
	const x = Math.min(Math.max(middle, roomPx.width / 2 + gapPx), window.innerWidth - roomPx.width / 2 - gapPx);
	const isAbove = top > roomPx.height + gapPx * 2;
	return {
		left: x,
		top: isAbove ? top - gapPx : Math.min(bottom + gapPx, window.innerHeight - roomPx.height),
		transform: `translate(-50%, ${isAbove ? '-100%' : '0'})`,
	};
}
