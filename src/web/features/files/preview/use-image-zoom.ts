import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useStableCallback } from '../../../ui/hooks/latest-value.ts';
import { clampToStage, doubleTapZoom, fitView, type ZoomView, zoomAt, zoomStep } from './image-zoom.ts';

const doubleTapMs = 300;
const panPx = 60;
const pans: Record<string, readonly [number, number]> = {
	ArrowLeft: [panPx, 0],
	ArrowRight: [-panPx, 0],
	ArrowUp: [0, panPx],
	ArrowDown: [0, -panPx],
};

/** Zooms and pans an image by buttons, keys (+, -, 0, arrows), wheel, double press and pinch. */
export function useImageZoom(stage: RefObject<HTMLElement | null>, picture: RefObject<HTMLElement | null>) {
	const [view, setView] = useState(fitView);
	const isZoomed = view.scale > 1;
	const change = useStableCallback((next: (now: ZoomView) => ZoomView) =>
		setView((now) => {
			const [image, box] = [picture.current, stage.current];
			if (image === null || box === null) return now;
			const size = { width: image.offsetWidth, height: image.offsetHeight };
			return clampToStage(next(now), size, { width: box.clientWidth, height: box.clientHeight });
		}),
	);
	const zoomBy = (factor: number, point?: { x: number; y: number }) => change((now) => zoomAt(now, factor, point));
	const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
		const box = stage.current?.getBoundingClientRect();
		return box === undefined
			? { x: 0, y: 0 }
			: { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
	};
	const toggleZoom = (at: { clientX: number; clientY: number }) =>
		change((now) => (now.scale > 1 ? fitView : zoomAt(now, doubleTapZoom, fromMiddle(at))));

	const onKey = useStableCallback((event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const pan = isZoomed ? pans[event.key] : undefined;
		if (event.key === '+' || event.key === '=') zoomBy(zoomStep);
		else if (event.key === '-') zoomBy(1 / zoomStep);
		else if (event.key === '0') setView(fitView);
		else if (pan) change((now) => ({ ...now, x: now.x + pan[0], y: now.y + pan[1] }));
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
	change: (next: (now: ZoomView) => ZoomView) => void;
	zoomBy: (factor: number, point: { x: number; y: number }) => void;
	toggleZoom: (at: { clientX: number; clientY: number }) => void;
	fromMiddle: (at: { clientX: number; clientY: number }) => { x: number; y: number };
}

/** One pointer pans a zoomed image, two pinch; a swipe changes the file only while the image is not zoomed. */
function usePointers({ isZoomed, change, zoomBy, toggleZoom, fromMiddle }: ZoomHandlers) {
	const down = useRef(new Map<number, { clientX: number; clientY: number }>());
	const wasPinch = useRef(false);
	const lastTap = useRef(0);
	const end = (event: PointerEvent) => {
		if (!down.current.delete(event.pointerId)) return;
		if (isZoomed || wasPinch.current) event.stopPropagation();
		if (down.current.size > 0) return;
		const isTap = event.type === 'pointerup' && event.pointerType === 'touch' && !wasPinch.current;
		const isDouble = isTap && event.timeStamp - lastTap.current < doubleTapMs;
		lastTap.current = isTap && !isDouble ? event.timeStamp : 0;
		if (isDouble) toggleZoom(event);
	};
	return {
		onPointerDown: (event: PointerEvent) => {
			if (event.pointerType === 'mouse' && event.button !== 0) return;
			wasPinch.current = down.current.size > 0;
			down.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
			if (isZoomed) event.currentTarget.setPointerCapture(event.pointerId);
		},
		onPointerMove: (event: PointerEvent) => {
			const before = down.current.get(event.pointerId);
			if (before === undefined) return;
			const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
			const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
			down.current.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
			if (Math.hypot(dx, dy) > 3) lastTap.current = 0;
			if (other !== undefined) {
				const far = (at: { clientX: number; clientY: number }) =>
					Math.hypot(at.clientX - other.clientX, at.clientY - other.clientY);
				const middle = {
					clientX: (event.clientX + other.clientX) / 2,
					clientY: (event.clientY + other.clientY) / 2,
				};
				zoomBy(far(event) / Math.max(1, far(before)), fromMiddle(middle));
			} else if (isZoomed) change((now) => ({ ...now, x: now.x + dx, y: now.y + dy }));
		},
		onPointerUp: end,
		onPointerCancel: end,
		onDoubleClick: toggleZoom,
	};
}
