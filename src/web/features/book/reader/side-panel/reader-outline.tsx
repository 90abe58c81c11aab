import { Box, Group, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { withReadingState } from './chapters.ts';
import classes from './side-panel.module.css';
import { preloadTarget } from './use-preload-on-hover.ts';

interface ReaderOutlineProps {
	entries: readonly OutlineEntry[];
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
}

/** The chapters with their first pages; chapters already read have a check mark. */
export function ReaderOutline({ pageCount, ...entriesProps }: ReaderOutlineProps) {
	return (
		<Box component="nav" px={8} aria-label={m.reader_outline()}>
			<Group justify="space-between" align="baseline" px={12} pb={8}>
				<Box component="h2" fz={14} fw={600}>
					{m.reader_outline()}
				</Box>
				<span className={classes.meta}>
					{pageCount === 1 ? m.reader_pages_one() : m.reader_pages({ count: pageCount })}
				</span>
			</Group>
			<Entries {...entriesProps} isNested={false} />
		</Box>
	);
}

/** A list of chapters, with the sections of the current chapter below it. */
function Entries(props: Omit<ReaderOutlineProps, 'pageCount'> & { isNested: boolean }) {
	const { entries, page: openPage, onPage, isNested } = props;
	return (
		<ol className={isNested ? classes.nested : undefined}>
			{withReadingState(entries, openPage).map(({ id, title, page, children, state }) => (
				<li key={id}>
					<button
						type="button"
						className={classes.chapter}
						aria-current={state === 'current' || undefined}
						disabled={page === null}
						{...preloadTarget(page)}
						onClick={() => page !== null && onPage(page)}
					>
						<span className={classes.text}>{title}</span>
						{state === 'read' && !isNested ? (
							<span className={classes.check}>
								<IconCheck {...smallIconProps} />
								<VisuallyHidden>{m.reader_chapter_read()}</VisuallyHidden>
							</span>
						) : (
							page !== null && <span className={classes.page}>{page}</span>
						)}
					</button>
					{state === 'current' && !isNested && children.length > 0 && (
						<Entries entries={children} page={openPage} onPage={onPage} isNested />
					)}
				</li>
			))}
		</ol>
	);
}
