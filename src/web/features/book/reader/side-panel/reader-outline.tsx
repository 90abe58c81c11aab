import { Box, Group, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { findCurrentIndex } from './chapters.ts';
import classes from './side-panel.module.css';
import { preloadTarget } from './use-preload-on-hover.ts';

interface ReaderOutlineProps {
	entries: readonly OutlineEntry[];
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
}

export function ReaderOutline({ pageCount, ...entriesProps }: ReaderOutlineProps) {
	return (
		<Box component="nav" px={8} aria-label={m.reader_outline()}>
			<Group justify="space-between" align="baseline" px={12} pb={8}>
				<Box component="h2" fz={14} fw={600}>
					{m.reader_outline()}
				</Box>
				<span className={classes.figure}>
					{pageCount === 1 ? m.reader_pages_one() : m.reader_pages({ count: pageCount })}
				</span>
			</Group>
			<Entries {...entriesProps} isNested={false} />
		</Box>
	);
}

function Entries(props: Omit<ReaderOutlineProps, 'pageCount'> & { isNested: boolean }) {
	const { entries, page: openPage, onPage, isNested } = props;
	const current = findCurrentIndex(entries, openPage);
	return (
		<ol className={isNested ? classes.nested : undefined}>
			{entries.map(({ id, title, page, children }, index) => (
				<li key={id}>
					<button
						type="button"
						className={classes.chapter}
						aria-current={index === current || undefined}
						disabled={page === null}
						{...preloadTarget(page)}
						onClick={() => page !== null && onPage(page)}
					>
						<span className={classes.text}>{title}</span>
						{index < current && !isNested ? (
							<Box component="span" c="var(--positive)">
								<IconCheck {...smallIconProps} />
								<VisuallyHidden>{m.reader_chapter_read()}</VisuallyHidden>
							</Box>
						) : (
							page !== null && <span className={classes.figure}>{page}</span>
						)}
					</button>
					{index === current && !isNested && children.length > 0 && (
						<Entries entries={children} page={openPage} onPage={onPage} isNested />
					)}
				</li>
			))}
		</ol>
	);
}
