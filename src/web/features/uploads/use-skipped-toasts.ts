import { useCallback, useEffect, useRef } from 'react';
import { m } from '#messages';
import { toastError, toastLimit, toastMs } from '#web/platform/toasts.ts';
import { isAnyUnfinished, type UploadTask } from './upload-task.ts';
import { uploads, useUploadSkipped } from './uploads.ts';

/** Each file whose name is taken is told of, up to twenty in a batch; the last one then speaks for the rest. */
export function useSkippedToasts(): void {
	const batch = useRef<string[]>([]);
	useUploadSkipped(
		useCallback((task: UploadTask) => {
			batch.current.push(task.error ?? '');
			if (batch.current.length < toastLimit) toastError(task.error, toastMs.files);
		}, []),
	);
	useEffect(
		() =>
			uploads.subscribe(() => {
				if (batch.current.length === 0 || isAnyUnfinished(uploads.getTasks())) return;
				const rest = batch.current.slice(toastLimit - 1);
				batch.current = [];
				const [first] = rest;
				if (first === undefined) return;
				toastError(rest.length === 1 ? first : m.uploads_more_skipped({ count: rest.length }), toastMs.files);
			}),
		[],
	);
}
