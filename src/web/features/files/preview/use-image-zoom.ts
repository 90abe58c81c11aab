import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';

/** `scale`: relative to the fitted size. `x`, `y`: offset of the image's centre from the stage's centre, in px. */
interface ZoomView {
	scale: number;
	x: number;
	y: number;
}

export const fitView: ZoomView = { scale: 1, x: 0, y: 0 };
const maxScale = 8;
/** Zoom factor of one press of a button or key. */
const zoomStep = 1.5;
const doubleTapZoom = 2.5;

const doubleTapMs = 300;
const panPx = 60;
const pans: Record<string, readonly [number, number]> = {
	ArrowLeft: [panPx, 0],
	ArrowRight: [-panPx, 0],
	ArrowUp: [0, panPx],
	ArrowDown: [0, -panPx],
};

/** Zooms and pans an image by buttons, keys (+, -, 0, arrows), wheel, double tap and pinch. */
export function useImageZoom(stage: RefObject<HTMLElement | null>, picture: RefObject<HTMLElement | null>) {
	const [view, setView] = useState(fitView);
	const isZoomed = view.scale > 1;
	const change = useStableCallback((next: (current: ZoomView) => ZoomView) =>
		setView((current) => {
			const [image, box] = [picture.current, stage.current];
			if (image === null || box === null) return current;
			const size = { width: image.offsetWidth, height: image.offsetHeight };
			return clampToStage(next(current), size, { width: box.clientWidth, height: box.clientHeight });
		}),
	);
	const zoomBy = (factor: number, point?: Point) => change((current) => zoomAt(current, factor, point));
	const fromMiddle = ({ clientX, clientY }: ClientPoint) => {
		const { left, top, width, height } = stage.current?.getBoundingClientRect() ?? new DOMRect();
		return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
	};
	const toggleZoom = (at: ClientPoint) =>
		change((current) => (current.scale > 1 ? fitView : zoomAt(current, doubleTapZoom, fromMiddle(at))));

	const onKey = useStableCallback((event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const pan = isZoomed ? pans[event.key] : undefined;
		if (event.key === '+' || event.key === '=') zoomBy(zoomStep);
		else if (event.key === '-') zoomBy(1 / zoomStep);
		else if (event.key === '0') setView(fitView);
		else if (pan) change((current) => ({ ...current, x: current.x + pan[0], y: current.y + pan[1] }));
		else return;
		event.preventDefault();
		// Arrow keys that pan must not change the file.
		event.stopPropagation();
	});
	const onWheel = useStableCallback((event: WheelEvent) => {
		event.preventDefault();
		zoomBy(Math.exp(-event.deltaY / 400), fromMiddle(event));
	});
	useEffect(() => {
		const box = stage.current;
		document.addEventListener('keydown', onKey, { capture: true });
		box?.addEventListener('wheel', onWheel, { passive: false });
		return () => {
			document.removeEventListener('keydown', onKey, { capture: true });
			box?.removeEventListener('wheel', onWheel);
		};
	}, [stage, onKey, onWheel]);

	return {
		view,
		zoomIn: () => zoomBy(zoomStep),
		zoomOut: () => zoomBy(1 / zoomStep),
		fit: () => setView(fitView),
		stageProps: usePointers({ isZoomed, change, zoomBy, toggleZoom, fromMiddle }),
	};
}

interface ZoomHandlers {
	isZoomed: boolean;
	change: (next: (current: ZoomView) => ZoomView) => void;
	zoomBy: (factor: number, point: Point) => void;
	toggleZoom: (at: ClientPoint) => void;
	fromMiddle: (at: ClientPoint) => Point;
}

/** One pointer pans a zoomed image, two pointers zoom. A swipe changes the file only if the image is not zoomed. */
function usePointers({ isZoomed, change, zoomBy, toggleZoom, fromMiddle }: ZoomHandlers) {
	const pointers = useRef(new Map<number, ClientPoint>());
	const wasPinch = useRef(false);
	const lastTap = useRef(0);
	const end = (event: PointerEvent) => {
		if (!pointers.current.delete(event.pointerId)) return;
		if (isZoomed || wasPinch.current) event.stopPropagation();
		if (pointers.current.size > 0) return;
		const isTap = event.type === 'pointerup' && event.pointerType === 'touch' && !wasPinch.current;
		const isDouble = isTap && event.timeStamp - lastTap.current < doubleTapMs;
		lastTap.current = isTap && !isDouble ? event.timeStamp : 0;
		if (isDouble) toggleZoom(event);
	};
	return {
		onPointerDown: (event: PointerEvent) => {
			if (event.pointerType === 'mouse' && event.button !== 0) return;
			wasPinch.current = pointers.current.size > 0;
			pointers.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
			if (isZoomed) event.currentTarget.setPointerCapture(event.pointerId);
		},
		onPointerMove: (event: PointerEvent) => {
			const previous = pointers.current.get(event.pointerId);
			if (previous === undefined) return;
			const [dx, dy] = [event.clientX - previous.clientX, event.clientY - previous.clientY];
			const otherPointer = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
			pointers.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
			if (Math.hypot(dx, dy) > 3) lastTap.current = 0;
			if (otherPointer !== undefined) {
				const distanceTo = (at: ClientPoint) =>
					Math.hypot(at.clientX - otherPointer.clientX, at.clientY - otherPointer.clientY);
				const middle = {
					clientX: (event.clientX + otherPointer.clientX) / 2,
					clientY: (event.clientY + otherPointer.clientY) / 2,
				};
				zoomBy(distanceTo(event) / Math.max(1, distanceTo(previous)), fromMiddle(middle));
			} else if (isZoomed) change((current) => ({ ...current, x: current.x + dx, y: current.y + dy }));
		},
		onPointerUp: end,
		onPointerCancel: end,
		onDoubleClick: toggleZoom,
	};
}

type Point = Pick<ZoomView, 'x' | 'y'>;
type ClientPoint = Pick<PointerEvent, 'clientX' | 'clientY'>;
type Size = Pick<DOMRect, 'width' | 'height'>;

/** Zooms by a factor and limits the scale. The content at `point` does not move; (0, 0) is the stage's centre. */
export function zoomAt(view: ZoomView, factor: number, point: Point = { x: 0, y: 0 }): ZoomView {
	const scale = Math.min(maxScale, Math.max(1, view.scale * factor));
	if (scale < 1.01) return fitView;
	const ratio = scale / view.scale;
	return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/** Limits panning, so that no edge of a larger image is inside the stage. A smaller image is centred. */
export function clampToStage(view: ZoomView, picture: Size, stage: Size): ZoomView {
	const reachX = Math.max(0, (picture.width * view.scale - stage.width) / 2);
	const reachY = Math.max(0, (picture.height * view.scale - stage.height) / 2);
	return { scale: view.scale, x: clamp(view.x, reachX), y: clamp(view.y, reachY) };
}

function clamp(value: number, reach: number): number {
	return Math.min(reach, Math.max(-reach, value)) + 0;
}
