import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LessonProgress, lessonProgressPath } from '#contract/course/course.ts';
import { api, type CallOutputs } from '#web/platform/api.ts';
import { useMe } from '#web/platform/session.ts';
import { type KeptPlace, ProgressKeeper } from './progress-keeper.ts';

const pageSize = 50;

type CoursePage = CallOutputs['course']['list'];
export type ModuleContent = CallOutputs['course']['module'];

/** The modules, a page at a time, looked at anew by whoever comes back: progress is made on other devices too. */
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

/** How far a lesson is, as the server said last; `isUnkept`: the newest place could not be kept. */
export interface Keeping {
	/** Null where nothing is kept: an admin who sees the product as a member does. */
	keeper: ProgressKeeper | null;
	isDone: boolean;
	isUnkept: boolean;
}

/** Keeps where the person is in a lesson while it is open, when the page is hidden and when it is left. */
export function useKeeping(lessonId: string, before: LessonProgress | null): Keeping {
	const isView = useMe().view !== null;
	const queryClient = useQueryClient();
	const [told, setTold] = useState<{ isDone: boolean; isUnkept: boolean }>();
	const isDoneBefore = before?.isDone === true;
	const lookAgain = useCallback(
		() => void queryClient.invalidateQueries({ queryKey: api.course.key() }),
		[queryClient],
	);
	const isLeft = useRef(false);
	const [keeper] = useState(() => {
		let isDone = isDoneBefore;
		return new ProgressKeeper(async (place) => {
			const kept = await keep(lessonId, place);
			// The lists behind the lesson show how far it is as soon as it is closed.
			if (kept !== null && (kept.isDone !== isDone || isLeft.current)) lookAgain();
			isDone = kept?.isDone ?? isDone;
			setTold({ isDone, isUnkept: kept === null });
			return kept !== null;
		});
	});
	useEffect(() => {
		if (isView) return;
		isLeft.current = false;
		const onHide = () => {
			if (document.visibilityState === 'hidden') keeper.flush();
		};
		const onLeave = () => keeper.flush();
		document.addEventListener('visibilitychange', onHide);
		window.addEventListener('pagehide', onLeave);
		return () => {
			document.removeEventListener('visibilitychange', onHide);
			window.removeEventListener('pagehide', onLeave);
			isLeft.current = true;
			keeper.flush();
			lookAgain();
		};
	}, [keeper, isView, lookAgain]);
	return {
		keeper: isView ? null : keeper,
		isDone: told?.isDone ?? isDoneBefore,
		isUnkept: told?.isUnkept ?? false,
	};
}

/** Outlives the page that sends it. @returns null when it was not kept */
async function keep(lessonId: string, place: KeptPlace): Promise<LessonProgress | null> {
	const answer = await fetch(lessonProgressPath(lessonId), {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(place),
	}).catch(() => null);
	return answer?.ok ? answer.json().catch(() => null) : null;
}
