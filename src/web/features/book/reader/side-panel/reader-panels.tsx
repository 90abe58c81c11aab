import { Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { m } from '#messages';
import type { useDocumentSearch } from '#web/features/book/search/use-document-search.ts';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { LoadingDialog, useOverlays } from '#web/ui/overlays/overlays-on-demand.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { AnnotationList } from '../../annotations/annotation-list.tsx';
import type { AnnotationActions } from '../../annotations/use-annotation-actions.ts';
import { DocumentSearchPanel } from '../../search/document-search.tsx';
import type { useOpenDocument } from '../use-open-document.ts';
import { ReaderOutline } from './reader-outline.tsx';
import classes from './side-panel.module.css';
import { usePreloadOnHover } from './use-preload-on-hover.ts';

export type SidePanelTab = 'outline' | 'search' | 'marks';

interface ReaderPanelsProps {
	openDocument: ReturnType<typeof useOpenDocument>;
	annotationActions: AnnotationActions;
	search: ReturnType<typeof useDocumentSearch>;
	tab: SidePanelTab;
	onTab: (tab: SidePanelTab) => void;
	isOpen: boolean;
	onClose: () => void;
	/** Called with the page of the hovered entry; null for none. */
	onPreload: (page: number | null) => void;
	isWide: boolean;
}

export function ReaderPanels(props: ReaderPanelsProps) {
	const { openDocument, annotationActions, search, onTab, isOpen, onClose, onPreload, isWide } = props;
	const { chapters, page, pageCount, annotations } = openDocument;
	const preloadHandlers = usePreloadOnHover(onPreload);
	const overlays = useOverlays(isOpen && !isWide, onClose);
	const labels = { outline: m.reader_outline(), search: m.reader_search_short(), marks: m.reader_annotations() };
	const hasOutline = chapters.length > 0;
	const tabs: SidePanelTab[] = hasOutline ? ['outline', 'search', 'marks'] : ['search', 'marks'];
	const tab = tabs.includes(props.tab) ? props.tab : 'search';
	const goTo = (to: number) => {
		openDocument.goTo(to);
		if (!isWide) onClose();
	};
	const goToHit = (index: number) => {
		const hit = search.search.hits[index];
		if (hit === undefined) return;
		search.goTo(index);
		goTo(hit.page);
	};
	const isFixed = isWide && hasOutline;
	const panel = (
		<aside className={classes.side} aria-label={labels[tab]}>
			<Group justify="space-between" gap={8} wrap="nowrap" flex="none" p={12}>
				<SegmentedSwitch
					label={m.reader_side_panel()}
					segments={tabs.map((value) => ({ value, label: labels[value] }))}
					value={tab}
					onChange={onTab}
				/>
				{!isFixed && <IconButton label={m.common_close()} icon={IconX} onClick={onClose} />}
			</Group>
			<div className={classes.body} {...preloadHandlers}>
				{tab === 'outline' && <ReaderOutline entries={chapters} page={page} pageCount={pageCount} onPage={goTo} />}
				{tab === 'search' && (
					<DocumentSearchPanel search={search.search} pageCount={pageCount} onSearch={search.start} onHit={goToHit} />
				)}
				{tab === 'marks' && (
					<AnnotationList
						annotations={annotations}
						onSelect={(annotation) => {
							goTo(annotation.page);
							annotationActions.open(annotation);
						}}
					/>
				)}
			</div>
		</aside>
	);
	if (isWide) return (isFixed || isOpen) && panel;
	if (overlays === undefined) return isOpen && <LoadingDialog onClose={onClose} />;
	const { Drawer } = overlays;
	return (
		<Drawer.Root opened={isOpen} onClose={onClose} position="left" padding={0}>
			<Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" />
			<Drawer.Content className={classes.drawer ?? ''} aria-label={m.reader_side_panel()}>
				{panel}
			</Drawer.Content>
		</Drawer.Root>
	);
}
