import { Drawer } from '@mantine/core';
import { m } from '#messages';
import type { usePdfSearch } from '#web/ui/pdf/use-pdf-search.ts';
import { ReaderMarks } from './reader-marks.tsx';
import { ReaderOutline } from './reader-outline.tsx';
import { ReaderSearch } from './reader-search.tsx';
import sideClasses from './reader-side.module.css';
import { ReaderSide, type SidePart } from './reader-side.tsx';
import type { useOpenEdition } from './use-open-edition.ts';
import type { OpenMark } from './use-open-mark.ts';

interface ReaderPanelsProps {
	open: ReturnType<typeof useOpenEdition>;
	openMark: OpenMark;
	search: ReturnType<typeof usePdfSearch>;
	part: SidePart;
	onPart: (part: SidePart) => void;
	isOpen: boolean;
	onClose: () => void;
	/** A page of the lists that somebody points at, null for none. */
	onLikely: (page: number | null) => void;
	/** There is room beside the page; else a drawer lies over it. */
	hasRoom: boolean;
}

/** Outline, search and marks: beside the page where there is room, else in a drawer. */
export function ReaderPanels(props: ReaderPanelsProps) {
	const { open, openMark, search, isOpen, onClose, hasRoom } = props;
	const { chapters, page, pageCount, marks } = open;
	const hasOutline = chapters.length > 0;
	const parts: SidePart[] = hasOutline ? ['outline', 'search', 'marks'] : ['search', 'marks'];
	const part = parts.includes(props.part) ? props.part : 'search';
	const goTo = (to: number) => {
		open.goTo(to);
		if (!hasRoom) onClose();
	};
	const goToFind = (index: number) => {
		const find = search.search.finds[index];
		if (find === undefined) return;
		search.goTo(index);
		goTo(find.page);
	};
	const isFixed = hasRoom && hasOutline;
	const side = (
		<ReaderSide
			part={part}
			parts={parts}
			onPart={props.onPart}
			onClose={isFixed ? undefined : onClose}
			onLikely={props.onLikely}
		>
			{part === 'outline' && <ReaderOutline entries={chapters} page={page} pageCount={pageCount} onPage={goTo} />}
			{part === 'search' && (
				<ReaderSearch search={search.search} pageCount={pageCount} onSearch={search.start} onFind={goToFind} />
			)}
			{part === 'marks' && (
				<ReaderMarks
					marks={marks}
					onMark={(mark) => {
						goTo(mark.page);
						openMark.open(mark);
					}}
				/>
			)}
		</ReaderSide>
	);
	if (hasRoom) return (isFixed || isOpen) && side;
	return (
		<Drawer.Root opened={isOpen} onClose={onClose} position="left" padding={0}>
			<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
			<Drawer.Content className={sideClasses.drawer ?? ''} aria-label={m.reader_side()}>
				{side}
			</Drawer.Content>
		</Drawer.Root>
	);
}
