import { IconBookmark, IconDownload } from '@tabler/icons-react';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { byPlace, readingExportPath } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import classes from './marks.module.css';
import { useReaderWords } from './reader-words.ts';
import { leadsTo } from './use-pointed-page.ts';

interface ReaderMarksProps {
	marks: readonly ReadingMark[];
	onMark: (mark: ReadingMark) => void;
}

/** All marks of the document in reading order, and all of one's marks as a file. */
export function ReaderMarks({ marks, onMark }: ReaderMarksProps) {
	const words = useReaderWords();
	if (marks.length === 0) return <p className={classes.none}>{words.noMarks}</p>;
	return (
		<div className={classes.list}>
			<ol>
				{marks.toSorted(byPlace).map((mark) => (
					<li key={mark.id}>
						<button
							type="button"
							className={classes.item}
							data-color={mark.color}
							data-kind={mark.kind}
							{...leadsTo(mark.page)}
							onClick={() => onMark(mark)}
						>
							<span className={classes.where}>
								{mark.kind === 'bookmark' && <IconBookmark {...smallIconProps} />}
								{m.reader_page_number({ page: mark.page })}
								{mark.chapter !== null && <span className={classes.chapter}>{mark.chapter}</span>}
							</span>
							{mark.quote !== '' && <span className={classes.quoted}>{mark.quote}</span>}
							{mark.note !== '' && <span className={classes.said}>{mark.note}</span>}
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
					{m.reader_marks_export()}
				</ButtonAnchor>
			</div>
		</div>
	);
}
