import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LessonProgress, lessonProgressPath } from '#contract/course/course.ts';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { useMe } from '#web/platform/session/session.ts';
import { LessonProgressSync, type LessonProgressUpdate } from './lesson-progress-sync.ts';

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

/** How far a lesson is, as the server said last; `isUnsaved`: the newest place could not be kept. */
interface LessonProgressState {
	/** Null where nothing is kept: an admin who sees the product as a member does. */
	sync: LessonProgressSync | null;
	isDone: boolean;
	isUnsaved: boolean;
}

/** Keeps where the person is in a lesson while it is open, when the page is hidden and when it is left. */
export function useLessonProgress(lessonId: string, initial: LessonProgress | null): LessonProgressState {
	const isImpersonating = useMe().view !== null;
	const queryClient = useQueryClient();
	const [reported, setReported] = useState<{ isDone: boolean; isUnkept: boolean }>();
	const isInitiallyDone = initial?.isDone === true;
	const refreshLists = useCallback(
		() => void queryClient.invalidateQueries({ queryKey: api.course.key() }),
		[queryClient],
	);
	const hasUnmounted = useRef(false);
	const [keeper] = useState(() => {
		let isDone = isInitiallyDone;
		return new LessonProgressSync(async (update) => {
			const saved = await sendProgress(lessonId, update);
			// The lists behind the lesson show how far it is as soon as it is closed.
			if (saved !== null && (saved.isDone !== isDone || hasUnmounted.current)) refreshLists();
			isDone = saved?.isDone ?? isDone;
			setReported({ isDone, isUnkept: saved === null });
			return saved !== null;
		});
	});
	useEffect(() => {
		if (isImpersonating) return;
		hasUnmounted.current = false;
		const onHide = () => {
			if (document.visibilityState === 'hidden') keeper.flush();
		};
		const onPageHide = () => keeper.flush();
		document.addEventListener('visibilitychange', onHide);
		window.addEventListener('pagehide', onPageHide);
		return () => {
			document.removeEventListener('visibilitychange', onHide);
			window.removeEventListener('pagehide', onPageHide);
			hasUnmounted.current = true;
			keeper.flush();
			refreshLists();
		};
	}, [keeper, isImpersonating, refreshLists]);
	return {
		sync: isImpersonating ? null : keeper,
		isDone: reported?.isDone ?? isInitiallyDone,
		isUnsaved: reported?.isUnkept ?? false,
	};
}

/** Outlives the page that sends it. @returns null when it was not kept */
async function sendProgress(lessonId: string, update: LessonProgressUpdate): Promise<LessonProgress | null> {
	const response = await fetch(lessonProgressPath(lessonId), {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(update),
	}).catch(() => null);
	return response?.ok ? response.json().catch(() => null) : null;
}
