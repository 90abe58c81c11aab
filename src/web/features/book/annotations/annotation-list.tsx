import { IconBookmark, IconDownload } from '@tabler/icons-react';
import type { Annotation } from '#contract/book/reading.ts';
import { compareAnnotations, readingExportPath } from '#contract/book/reading.ts';
import { m } from '#messages';
import { ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { useReaderLabels } from '../reader/reader-labels.ts';
import { preloadTarget } from '../reader/side-panel/use-preload-on-hover.ts';
import classes from './annotations.module.css';

interface AnnotationListProps {
	annotations: readonly Annotation[];
	onSelect: (mark: Annotation) => void;
}

/** All annotations of the document in reading order, and a download of all annotations of the user. */
export function AnnotationList({ annotations: marks, onSelect: onMark }: AnnotationListProps) {
	const labels = useReaderLabels();
	if (marks.length === 0) return <p className={classes.empty}>{labels.noMarks}</p>;
	return (
		<div className={classes.list}>
			<ol>
				{marks.toSorted(compareAnnotations).map((mark) => (
					<li key={mark.id}>
						<button
							type="button"
							className={classes.item}
							data-color={mark.color}
							data-kind={mark.kind}
							{...preloadTarget(mark.page)}
							onClick={() => onMark(mark)}
						>
							<span className={classes.location}>
								{mark.kind === 'bookmark' && <IconBookmark {...smallIconProps} />}
								{m.reader_page_number({ page: mark.page })}
								{mark.chapter !== null && <span className={classes.chapter}>{mark.chapter}</span>}
							</span>
							{mark.quote !== '' && <span className={classes.itemQuote}>{mark.quote}</span>}
							{mark.note !== '' && <span className={classes.noteText}>{mark.note}</span>}
						</button>
					</li>
				))}
			</ol>
			<div className={classes.export}>
				<ButtonAnchor
					href={`${readingExportPath}?format=md`}
					download
					icon={<IconDownload {...iconProps} />}
					isFullWidth
				>
					{m.reader_annotations_export()}
				</ButtonAnchor>
			</div>
		</div>
	);
}
