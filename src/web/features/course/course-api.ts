import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LessonProgress, lessonProgressPath } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { putPosition, usePositionSync } from '#web/platform/browser/reading-position.ts';

export type ModuleContent = CallOutputs['course']['module'];

/** A module's lessons. A 404 means that the module is no longer shared with the user. */
export function useModule(id: string) {
	return useQuery({ ...api.course.module.queryOptions({ input: { id } }), staleTime: 0, refetchOnMount: 'always' });
}

/** The position in a lesson and its length, in seconds or pages; both are 0 for a lesson that has neither. */
interface LessonPosition {
	position: number;
	total: number;
}

/** Sent only if the user sets the mark; at the end of a lesson the server sets it. */
type DoneMark = Pick<LessonProgress, 'isDone'>;

/** Props of the viewer or player of a lesson. */
export interface LessonViewerProps {
	node: Node;
	start: LessonProgress | null;
	/** Called with each new position. The function stays the same while the lesson is open. */
	onPosition: (position: LessonPosition) => void;
	/** Called at the end of a lesson and when a video or recording is paused; sends the position immediately. */
	onPause: () => void;
}

/**
 * Stores the position in an open lesson, and the user's mark whether the lesson is done. `isDone`: the server's last
 * response. `isUnsaved`: the newest position could not be stored. `setDone` is undefined during an impersonation.
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
		// Otherwise the lists below the full-screen lesson would show the old progress when the lesson is closed.
		if (saved !== null && (saved.isDone !== lastIsDone.current || hasUnmounted.current)) refreshLists();
		lastIsDone.current = saved?.isDone ?? lastIsDone.current;
		setReported((before) => ({ isDone: saved?.isDone ?? before?.isDone, isUnsaved: saved === null }));
		return saved !== null;
	};
	// The server stores the position that arrives last, so a late one could replace a newer one of another device.
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
