import { expect, test } from 'vitest';
import { cropAreaOf } from './crop-area.ts';

const portrait = { width: 4000, height: 6000 };
const landscape = { width: 3000, height: 1000 };

test.each([
	['the whole picture', portrait, 2 / 3, 1, 0.5, 0.5, { x: 0, y: 0, width: 4000, height: 6000 }],
	['a zoomed part in the upper left corner', portrait, 2 / 3, 2, 0, 0, { x: 0, y: 0, width: 2000, height: 3000 }],
	['a zoomed part at the lower right', portrait, 2 / 3, 2, 1, 1, { x: 2000, y: 3000, width: 2000, height: 3000 }],
	['the middle of a wide picture', landscape, 1, 1, 0.5, 0.5, { x: 1000, y: 0, width: 1000, height: 1000 }],
	['a part of a tiny picture', { width: 1, height: 1 }, 1200 / 630, 4, 1, 1, { x: 0, y: 0, width: 1, height: 1 }],
])('cropAreaOf returns %s', (_part, size, aspect, zoom, left, top, area) => {
	expect(cropAreaOf({ size, aspect, zoom, left, top })).toEqual(area);
});
