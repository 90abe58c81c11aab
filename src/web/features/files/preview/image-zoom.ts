/** Zoom and pan of an image: scale relative to the fitted size, and offset of its centre from the stage's, in px. */
export interface ZoomView {
	scale: number;
	x: number;
	y: number;
}

export const fitView: ZoomView = { scale: 1, x: 0, y: 0 };
const maxScale = 8;
/** Zoom factors of one press of a button or key, and of a double press. */
export const zoomStep = 1.5;
export const doubleTapZoom = 2.5;

interface Size {
	width: number;
	height: number;
}

/** Zooms by a factor, within 1 to 8 times; the content at `point` (relative to the stage's centre) stays under it. */
export function zoomAt(view: ZoomView, factor: number, point: { x: number; y: number } = { x: 0, y: 0 }): ZoomView {
	const scale = Math.min(maxScale, Math.max(1, view.scale * factor));
	if (scale < 1.01) return fitView;
	const ratio = scale / view.scale;
	return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** Limits panning so that no edge of the image is inside the stage; a smaller image is centred. */
export function clampToStage(view: ZoomView, picture: Size, stage: Size): ZoomView {
	const reachX = Math.max(0, (picture.width * view.scale - stage.width) / 2);
	const reachY = Math.max(0, (picture.height * view.scale - stage.height) / 2);
	return { scale: view.scale, x: clamp(view.x, reachX), y: clamp(view.y, reachY) };
}

function clamp(value: number, reach: number): number {
	return Math.min(reach, Math.max(-reach, value)) + 0;
}
