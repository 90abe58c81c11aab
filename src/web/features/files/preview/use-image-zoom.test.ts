import { expect, test } from 'vitest';
import { clampToStage, fitView, zoomAt } from './use-image-zoom.ts';

const picture = { width: 400, height: 300 };
const stage = { width: 500, height: 400 };

test('zoomAt keeps the same point of the image under the pointer', () => {
	const first = zoomAt(fitView, 2, { x: 100, y: -50 });
	expect(first).toEqual({ scale: 2, x: -100, y: 50 });
	const second = zoomAt(first, 1.5, { x: 20, y: 10 });
	// Image coordinates of a point before and after the zoom: (point - centre) / scale.
	expect((20 - second.x) / second.scale).toBeCloseTo((20 - first.x) / first.scale);
	expect((10 - second.y) / second.scale).toBeCloseTo((10 - first.y) / first.scale);
});

test('zoomAt limits the scale to 8 and returns to the fitted view below scale 1', () => {
	expect(zoomAt({ scale: 6, x: 0, y: 0 }, 2).scale).toBe(8);
	expect(zoomAt({ scale: 1.2, x: 40, y: 9 }, 0.5)).toEqual(fitView);
});

test('clampToStage keeps the edges of a larger image outside the stage and centres a smaller image', () => {
	expect(clampToStage({ scale: 2, x: 1000, y: -1000 }, picture, stage)).toEqual({ scale: 2, x: 150, y: -100 });
	expect(clampToStage({ scale: 1, x: 30, y: 30 }, picture, stage)).toEqual(fitView);
});
