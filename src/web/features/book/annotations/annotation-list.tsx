import { Box } from '@mantine/core';
import { IconBookmark, IconDownload } from '@tabler/icons-react';
import { useContext } from 'react';
import { type Annotation, compareAnnotations, readingExportPath } from '#contract/book/reading.ts';
import { m } from '#messages';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { ReaderLabels } from '../reader/reader-states.tsx';
import classes from '../reader/side-panel/side-panel.module.css';
import { preloadTarget } from '../reader/side-panel/use-preload-on-hover.ts';

interface AnnotationListProps {
	annotations: readonly Annotation[];
	onSelect: (annotation: Annotation) => void;
}

export function AnnotationList({ annotations, onSelect }: AnnotationListProps) {
	const labels = useContext(ReaderLabels);
	if (annotations.length === 0) {
		return (
			<Box component="p" p="8px 16px" c="var(--muted)" fz={13}>
				{labels.noMarks()}
			</Box>
		);
	}
	return (
		<Box px={8}>
			<ol>
				{annotations.toSorted(compareAnnotations).map((annotation) => (
					<li key={annotation.id}>
						<button
							type="button"
							className={classes.annotation}
							data-color={annotation.color}
							data-kind={annotation.kind}
							{...preloadTarget(annotation.page)}
							onClick={() => onSelect(annotation)}
						>
							<span className={classes.location}>
								{annotation.kind === 'bookmark' && <IconBookmark {...smallIconProps} />}
								{m.reader_page_number({ page: annotation.page })}
								{annotation.chapter !== null && <span className={textClasses.cut}>{annotation.chapter}</span>}
							</span>
							{annotation.quote !== '' && <span className={classes.quote}>{annotation.quote}</span>}
							{annotation.note !== '' && <span className={classes.note}>{annotation.note}</span>}
						</button>
					</li>
				))}
			</ol>
			<Box p="16px 4px 0">
				<ButtonAnchor href={`${readingExportPath}?format=md`} download icon={IconDownload} isFullWidth>
					{m.reader_annotations_export()}
				</ButtonAnchor>
			</Box>
		</Box>
	);
}
