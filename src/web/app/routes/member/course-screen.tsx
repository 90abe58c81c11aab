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
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './course-screen.module.css';

/** /dashboard/preview/book: what is shared with the member, as a course; `?module=` and `?lesson=` are ids. */
export function CourseScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const place = useMemo(() => parseCourseLocation(search), [search]);
	const isPhone = useIsPhone();
	const navigate = useNavigate();
	const isTop = place.module === '';
	// A file that is shared by itself is a module without a screen of its own.
	const isSingle = place.module === place.lesson;
	const router = useRouter();
	const isStep = useHasLessonHistoryEntry();
	const close = () => {
		if (isStep) router.history.back();
		else
			void navigate({
				to: coursePath,
				search: courseSearchParams(isSingle ? {} : { module: place.module }),
				replace: true,
			});
	};
	useFocusAfterLesson(place);
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
							icon={<IconChevronLeft {...iconProps} />}
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
					<ModuleView key={place.module} id={place.module} />
				)}
			</div>
			{place.lesson !== '' && <LessonScreen location={place} onClose={close} />}
		</>
	);
}

/** Moves the focus from a closed lesson to its row, or to its module where that is shown. */
function useFocusAfterLesson(place: CourseLocation): void {
	const last = useRef(place);
	useEffect(() => {
		const { module, lesson } = last.current;
		last.current = place;
		if (lesson === '' || place.lesson !== '') return;
		const rows = [...document.querySelectorAll<HTMLElement>('[data-course]')];
		const row = [lesson, module].map((id) => rows.find((each) => each.dataset.course === id)).find((each) => each);
		row?.focus();
	}, [place]);
}
