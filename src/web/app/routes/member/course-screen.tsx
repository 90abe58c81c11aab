import { IconChevronLeft } from '@tabler/icons-react';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { m } from '#messages';
import { BookCard } from '#web/features/book/shelf/book-card.tsx';
import {
	type CourseLocation,
	coursePath,
	courseSearchParams,
	parseCourseLocation,
	useHasLessonHistoryEntry,
} from '#web/features/course/course-location.ts';
import { CourseView } from '#web/features/course/course-view.tsx';
import { LessonScreen } from '#web/features/course/lesson-screen.tsx';
import { ModuleView } from '#web/features/course/module-view.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import classes from './course-screen.module.css';

/** /dashboard/preview/book: what is shared with the member, as a course; `?module=` and `?lesson=` are ids. */
export function CourseScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const location = useMemo(() => parseCourseLocation(search), [search]);
	const isPhone = useIsPhone();
	const navigate = useNavigate();
	const isTop = location.module === '';
	// A file that is shared without a folder is a module and a lesson in one, and has no screen for the module.
	const isSingle = location.module === location.lesson;
	const router = useRouter();
	const isStep = useHasLessonHistoryEntry();
	const close = () => {
		if (isStep) router.history.back();
		else
			void navigate({
				to: coursePath,
				search: courseSearchParams(isSingle ? {} : { module: location.module }),
				replace: true,
			});
	};
	useFocusAfterLesson(location);
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
			<div className={classes.body}>
				{isTop || isSingle ? (
					<>
						<BookCard />
						<CourseView />
					</>
				) : (
					<ModuleView key={location.module} id={location.module} />
				)}
			</div>
			{location.lesson !== '' && <LessonScreen location={location} onClose={close} />}
		</>
	);
}

/** After a lesson is closed, moves the focus to the lesson's row, or to its module's row if the modules are shown. */
function useFocusAfterLesson(location: CourseLocation): void {
	const last = useRef(location);
	useEffect(() => {
		const { module, lesson } = last.current;
		last.current = location;
		if (lesson === '' || location.lesson !== '') return;
		const rows = [...document.querySelectorAll<HTMLElement>('[data-course]')];
		const row = [lesson, module]
			.map((id) => rows.find(({ dataset }) => dataset.course === id))
			.find((element) => element);
		row?.focus();
	}, [location]);
}
