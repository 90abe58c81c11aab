import { useCallback, useEffect, useRef } from 'react';
import type { ReadingPlace } from '#contract/reader/reading.ts';
import { keepPlace } from './reading.api.ts';

/** Of a reader who turns pages quickly only the one that is stayed at is sent. */
const restMs = 900;

type Place = Omit<ReadingPlace, 'readAt'>;

/**
 * Keeps on the server where one reads: once one stays, and when the page is left. What could not be kept is tried again with
 * the next place. @returns what is called with each place
 */
export function usePlaceKeeping(document: string, isOn: boolean): (place: Place) => void {
	const waiting = useRef<ReadingPlace | null>(null);
	const timer = useRef(0);
	const flush = useCallback(() => {
		window.clearTimeout(timer.current);
		const place = waiting.current;
		if (place === null || !isOn) return;
		waiting.current = null;
		void keepPlace(document, place).then((isKept) => {
			if (!isKept) waiting.current ??= place;
		});
	}, [document, isOn]);

	useEffect(() => {
		const onHide = () => {
			if (window.document.visibilityState === 'hidden') flush();
		};
		window.addEventListener('pagehide', flush);
		window.document.addEventListener('visibilitychange', onHide);
		return () => {
			window.removeEventListener('pagehide', flush);
			window.document.removeEventListener('visibilitychange', onHide);
			flush();
		};
	}, [flush]);

	return useCallback(
		(place) => {
			waiting.current = { ...place, readAt: new Date().toISOString() };
			window.clearTimeout(timer.current);
			timer.current = window.setTimeout(flush, restMs);
		},
		[flush],
	);
}
