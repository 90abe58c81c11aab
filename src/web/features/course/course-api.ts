import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type HistoryState, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LessonProgress, lessonProgressPath } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { putPosition, usePositionSync } from '#web/platform/browser/reading-position.ts';

export type ModuleContent = CallOutputs['course']['module'];

/** A 404 means that the module is no longer shared with the user. */
export function useModule(id: string) {
	return useQuery({ ...api.course.module.queryOptions({ input: { id } }), staleTime: 0, refetchOnMount: 'always' });
}

/** In seconds or pages. Both numbers are 0 for a lesson without positions, such as an image. */
interface LessonPosition {
	position: number;
	total: number;
}

/** Sent only when the user changes the mark. At the end of a lesson the server sets the mark. */
type DoneMark = Pick<LessonProgress, 'isDone'>;

export interface LessonViewerProps {
	node: Node;
	start: LessonProgress | null;
	/** Called with each new position. The function is stable while the lesson is open. */
	onPosition: (position: LessonPosition) => void;
	/** Sends the position immediately. Called at the end of a lesson, and after a pause or seek in a player. */
	onPause: () => void;
}

/**
 * Stores the position in an open lesson, and whether the user marked the lesson as done. `isDone`: whether the lesson
 * is done, according to the server's last response. `isUnsaved`: whether the last request failed. `setDone`: undefined
 * during an impersonation.
 */
export function useLessonProgress(lessonId: string, initial: LessonProgress | null) {
	const queryClient = useQueryClient();
	const [reported, setReported] = useState<{ isDone: boolean | undefined; isUnsaved: boolean }>();
	const isDone = reported?.isDone ?? initial?.isDone === true;
	const lastIsDone = useRef(isDone);
	const hasUnmounted = useRef(false);
	const refreshLists = useCallback(
		() => void queryClient.invalidateQueries({ queryKey: api.course.key() }),
		[queryClient],
	);
	const send = async (position: LessonPosition, _reachedAt: number, mark?: DoneMark) => {
		const saved = await putPosition<LessonProgress>(lessonProgressPath(lessonId), { ...position, ...mark });
		// The lists behind the full-screen lesson must show the new progress when the lesson closes.
		if (saved !== null && (saved.isDone !== lastIsDone.current || hasUnmounted.current)) refreshLists();
		lastIsDone.current = saved?.isDone ?? lastIsDone.current;
		setReported((before) => ({ isDone: saved?.isDone ?? before?.isDone, isUnsaved: saved === null }));
		return saved !== null;
	};
	// A position that is sent late could overwrite a newer position from another device.
	const sync = usePositionSync(send, { sendsOnReconnect: false });
	useEffect(() => {
		hasUnmounted.current = false;
		return () => {
			hasUnmounted.current = true;
			refreshLists();
		};
	}, [refreshLists]);
	const onPosition = useCallback((position: LessonPosition) => sync?.record(position), [sync]);
	const onPause = useCallback(() => sync?.flush(), [sync]);
	const setDone = (mark: boolean) => sync?.sendMark({ isDone: mark }, { position: 0, total: 0 });
	const isUnsaved = reported?.isUnsaved === true;
	return { isDone, isUnsaved, onPosition, onPause, setDone: sync === null ? undefined : setDone };
}

export const coursePath = '/dashboard/preview/book';

/** State of the history entry that a link to a lesson adds. Closing the lesson then goes back by one entry. */
export const lessonHistoryState = { isLessonStep: true } as HistoryState;

/** Whether the open lesson has its own history entry; false if the lesson was opened by its URL. */
export function useHasLessonHistoryEntry(): boolean {
	const state: object = useLocation().state;
	return 'isLessonStep' in state;
}

/** `module`: id of the shown module. `lesson`: id of its open lesson. '' for none. */
export const courseSearch = stateOf({ module: orElse(text(), ''), lesson: orElse(text(), '') });

export function lessonLink(module: string, lesson: string, state = lessonHistoryState) {
	return { to: coursePath, search: { module, lesson }, state } as const;
}

/** A file that is shared directly is a module whose only lesson is this file. */
export function moduleLink({ id, kind }: { id: string; kind: 'folder' | 'file' }, state = lessonHistoryState) {
	if (kind === 'file') return lessonLink(id, id, state);
	return { to: coursePath, search: { module: id }, state: {} } as const;
}
