/** How a picture is looked at: its size against the one that fits, and how far its middle is from the stage's, in px. */
export interface ZoomView {
	scale: number;
	x: number;
	y: number;
}

export const fitView: ZoomView = { scale: 1, x: 0, y: 0 };
const maxScale = 8;
/** What one press of a button or key, and a double press, change. */
export const zoomStep = 1.5;
export const doubleTapZoom = 2.5;

interface Size {
	width: number;
	height: number;
}

/** Larger or smaller by a factor, from 1 to 8 times; what is at a point (from the stage's middle) stays under it. */
export function zoomAt(view: ZoomView, factor: number, point: { x: number; y: number } = { x: 0, y: 0 }): ZoomView {
	const scale = Math.min(maxScale, Math.max(1, view.scale * factor));
	if (scale < 1.01) return fitView;
	const ratio = scale / view.scale;
	return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** No edge of the picture comes further in than the stage's own; what is smaller stands in the middle. */
export function clampToStage(view: ZoomView, picture: Size, stage: Size): ZoomView {
	const reachX = Math.max(0, (picture.width * view.scale - stage.width) / 2);
	const reachY = Math.max(0, (picture.height * view.scale - stage.height) / 2);
	return { scale: view.scale, x: clamp(view.x, reachX), y: clamp(view.y, reachY) };
}

function clamp(value: number, reach: number): number {
	return Math.min(reach, Math.max(-reach, value)) + 0;
}
