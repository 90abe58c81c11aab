import { IconChevronLeft } from '@tabler/icons-react';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { m } from '#messages';
import {
	type CoursePlace,
	coursePath,
	parseCoursePlace,
	searchOfCourse,
	useIsLessonStep,
} from '#web/features/course/course-place.ts';
import { CourseView } from '#web/features/course/course-view.tsx';
import { LessonScreen } from '#web/features/course/lesson-screen.tsx';
import { ModuleView } from '#web/features/course/module-view.tsx';
import { BookCard } from '#web/features/reader/book-card.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './course.module.css';

/** /dashboard/preview/book: what is shared with the person, laid out as a course; `?module=` and `?lesson=` are ids. */
export function CourseScreen() {
	const search: Record<string, unknown> = useLocation().search;
	const place = useMemo(() => parseCoursePlace(search), [search]);
	const isPhone = useIsPhone();
	const navigate = useNavigate();
	const isTop = place.module === '';
	// A file that is shared by itself is a module without a screen of its own.
	const isSingle = place.module === place.lesson;
	const router = useRouter();
	const isStep = useIsLessonStep();
	const close = () => {
		if (isStep) router.history.back();
		else
			void navigate({
				to: coursePath,
				search: searchOfCourse(isSingle ? {} : { module: place.module }),
				replace: true,
			});
	};
	useFocusOnClosed(place);
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
			{place.lesson !== '' && <LessonScreen place={place} onClose={close} />}
		</>
	);
}

/** A lesson that has been closed gives the focus to its row, or to its module where that is shown. */
function useFocusOnClosed(place: CoursePlace): void {
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
