import { Stack } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { BookCard } from '#web/features/book/shelf/book-card.tsx';
import { coursePath, courseSearch, useHasLessonHistoryEntry } from '#web/features/course/course-api.ts';
import { CourseView } from '#web/features/course/course-view.tsx';
import { LessonScreen } from '#web/features/course/lesson-screen.tsx';
import { ModuleView } from '#web/features/course/module-view.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import classes from '../list-screen.module.css';

/** /dashboard/preview/book: what is shared with the member, as a course. `?module=` and `?lesson=` are node IDs. */
export function CourseScreen() {
	// `useSearch` changes after the location, so the root layout would set the focus before the content changes.
	const { module, lesson } = courseSearch(useLocation().search);
	const isPhone = useIsPhone();
	const navigate = useNavigate();
	const isTop = module === '';
	// A file that is shared without a folder is both module and lesson. There is no module screen for such a file.
	const isSingle = module === lesson;
	const router = useRouter();
	const isStep = useHasLessonHistoryEntry();
	const close = () => {
		if (isStep) router.history.back();
		else void navigate({ to: coursePath, search: isSingle ? {} : { module }, replace: true });
	};
	useFocusAfterLesson(module, lesson);
	return (
		<>
			<PageHeader
				title={m.screen_course()}
				back={
					(isPhone || !isTop) && (
						<ButtonLink
							variant="quiet"
							to={isTop ? '/dashboard' : coursePath}
							aria-label={isTop ? m.screen_dashboard() : m.course_back()}
							icon={IconChevronLeft}
						>
							{!isPhone && m.course_back()}
						</ButtonLink>
					)
				}
			/>
			<Stack gap={28} className={classes.cards}>
				{isTop || isSingle ? (
					<>
						<BookCard />
						<CourseView />
					</>
				) : (
					<ModuleView key={module} id={module} />
				)}
			</Stack>
			{!isTop && lesson !== '' && <LessonScreen moduleId={module} lessonId={lesson} onClose={close} />}
		</>
	);
}

/** When a lesson closes, moves the focus to the lesson's row, or to the module's row if the modules are shown. */
function useFocusAfterLesson(module: string, lesson: string): void {
	const last = useRef({ module, lesson });
	useEffect(() => {
		const closed = last.current;
		last.current = { module, lesson };
		if (closed.lesson === '' || lesson !== '') return;
		const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-course="${CSS.escape(id)}"]`);
		(rowOf(closed.lesson) ?? rowOf(closed.module))?.focus();
	}, [module, lesson]);
}
