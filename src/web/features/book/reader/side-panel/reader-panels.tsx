import { Drawer } from '@mantine/core';
import { m } from '#messages';
import type { useDocumentSearch } from '#web/features/book/search/use-document-search.ts';
import { AnnotationList } from '../../annotations/annotation-list.tsx';
import type { AnnotationActions } from '../../annotations/use-annotation-actions.ts';
import { DocumentSearchPanel } from '../../search/document-search.tsx';
import type { useOpenDocument } from '../use-open-document.ts';
import { ReaderOutline } from './reader-outline.tsx';
import sideClasses from './side-panel.module.css';
import { SidePanel, type SidePanelTab } from './side-panel.tsx';

interface ReaderPanelsProps {
	openDocument: ReturnType<typeof useOpenDocument>;
	annotationActions: AnnotationActions;
	search: ReturnType<typeof useDocumentSearch>;
	tab: SidePanelTab;
	onTab: (part: SidePanelTab) => void;
	isOpen: boolean;
	onClose: () => void;
	/** The page of the list entry under the pointer, null for none. */
	onPreload: (page: number | null) => void;
	/** Whether there is space beside the page; otherwise a drawer covers it. */
	isWide: boolean;
}

/** Outline, search and annotations: beside the page if there is space, otherwise in a drawer. */
export function ReaderPanels(props: ReaderPanelsProps) {
	const { openDocument: open, annotationActions: openMark, search, isOpen, onClose, isWide: hasRoom } = props;
	const { chapters, page, pageCount, marks } = open;
	const hasOutline = chapters.length > 0;
	const parts: SidePanelTab[] = hasOutline ? ['outline', 'search', 'marks'] : ['search', 'marks'];
	const part = parts.includes(props.tab) ? props.tab : 'search';
	const goTo = (to: number) => {
		open.goTo(to);
		if (!hasRoom) onClose();
	};
	const goToHit = (index: number) => {
		const find = search.search.hits[index];
		if (find === undefined) return;
		search.goTo(index);
		goTo(find.page);
	};
	const isFixed = hasRoom && hasOutline;
	const panel = (
		<SidePanel
			tab={part}
			tabs={parts}
			onTab={props.onTab}
			onClose={isFixed ? undefined : onClose}
			onPreload={props.onPreload}
		>
			{part === 'outline' && <ReaderOutline entries={chapters} page={page} pageCount={pageCount} onPage={goTo} />}
			{part === 'search' && (
				<DocumentSearchPanel search={search.search} pageCount={pageCount} onSearch={search.start} onHit={goToHit} />
			)}
			{part === 'marks' && (
				<AnnotationList
					annotations={marks}
					onSelect={(mark) => {
						goTo(mark.page);
						openMark.open(mark);
					}}
				/>
			)}
		</SidePanel>
	);
	if (hasRoom) return (isFixed || isOpen) && panel;
	return (
		<Drawer.Root opened={isOpen} onClose={onClose} position="left" padding={0}>
			<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
			<Drawer.Content className={sideClasses.drawer ?? ''} aria-label={m.reader_side_panel()}>
				{panel}
			</Drawer.Content>
		</Drawer.Root>
	);
}
