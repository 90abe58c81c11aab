import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LessonProgress, lessonProgressPath } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { putPosition, usePositionSync } from '#web/platform/browser/reading-position.ts';

const pageSize = 50;

type CoursePage = CallOutputs['course']['list'];
export type ModuleContent = CallOutputs['course']['module'];

/** The modules, a page at a time, refetched at each visit: progress is made on other devices too. */
export function useCourse() {
	return useInfiniteQuery({
		...api.course.list.infiniteOptions({
			input: (cursor: string | undefined) => ({ cursor, limit: pageSize }),
			initialPageParam: undefined as string | undefined,
			getNextPageParam: (page: CoursePage) => page.nextCursor ?? undefined,
		}),
		staleTime: 0,
	});
}

/** A module's lessons. A failure of 404: it is shared no longer. */
export function useModule(id: string) {
	return useQuery({ ...api.course.module.queryOptions({ input: { id } }), staleTime: 0, refetchOnMount: 'always' });
}

/** The position in a lesson: seconds or pages, of how many; 0 of 0 for a lesson without either. */
interface LessonPosition {
	position: number;
	total: number;
}

/** Sent only where the user says so; the end of a lesson speaks for itself. */
type DoneMark = Pick<LessonProgress, 'isDone'>;

/** What a reader or player of a lesson is given. */
export interface LessonViewerProps {
	node: Node;
	start: LessonProgress | null;
	/** Called with the position. The same function for as long as the lesson is open. */
	onPosition: (position: LessonPosition) => void;
	/** The end is reached, or a video or recording is paused: the position is to be sent now. */
	onPause: () => void;
}

/**
 * Stores the position in a lesson while it is open, and whether the user says that it is done. `isDone` is what the
 * server said last; `isUnsaved`: the newest position could not be stored. Without `setDone`, nothing is stored.
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
		// The lists behind the lesson show how far it is as soon as it is closed.
		if (saved !== null && (saved.isDone !== lastIsDone.current || hasUnmounted.current)) refreshLists();
		lastIsDone.current = saved?.isDone ?? lastIsDone.current;
		setReported((before) => ({ isDone: saved?.isDone ?? before?.isDone, isUnsaved: saved === null }));
		return saved !== null;
	};
	// The server keeps the position that arrives last.
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
	const setDone = (is: boolean) => sync?.sendMark({ isDone: is }, { position: 0, total: 0 });
	const isUnsaved = reported?.isUnsaved === true;
	return { isDone, isUnsaved, onPosition, onPause, setDone: sync === null ? undefined : setDone };
}
