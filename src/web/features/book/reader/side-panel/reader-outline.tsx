import { IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { findCurrentIndex, withReadingState } from './chapters.ts';
import classes from './reader-outline.module.css';
import { preloadTarget } from './use-preload-on-hover.ts';

interface ReaderOutlineProps {
	entries: readonly OutlineEntry[];
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
}

/** The chapters with their first pages; chapters already read have a check mark. */
export function ReaderOutline({ entries, page, pageCount, onPage }: ReaderOutlineProps) {
	return (
		<nav className={classes.side} aria-label={m.reader_outline()}>
			<div className={classes.head}>
				<h2>{m.reader_outline()}</h2>
				<span>{pageCount === 1 ? m.reader_pages_one() : m.reader_pages({ count: pageCount })}</span>
			</div>
			<ol>
				{withReadingState(entries, page).map((chapter) => (
					<li key={chapter.id}>
						<OutlineItem
							entry={chapter}
							isCurrent={chapter.state === 'current'}
							isRead={chapter.state === 'read'}
							onPage={onPage}
						/>
						{chapter.state === 'current' && chapter.children.length > 0 && (
							<NestedEntries entries={chapter.children} page={page} onPage={onPage} />
						)}
					</li>
				))}
			</ol>
		</nav>
	);
}

function NestedEntries({ entries, page, onPage }: Pick<ReaderOutlineProps, 'entries' | 'page' | 'onPage'>) {
	const current = findCurrentIndex(entries, page);
	return (
		<ol className={classes.nested}>
			{entries.map((entry, index) => (
				<li key={entry.id}>
					<OutlineItem entry={entry} isCurrent={index === current} isRead={false} onPage={onPage} />
				</li>
			))}
		</ol>
	);
}

interface OutlineItemProps {
	entry: OutlineEntry;
	isCurrent: boolean;
	isRead: boolean;
	onPage: (page: number) => void;
}

function OutlineItem({ entry: { title, page }, isCurrent, isRead, onPage }: OutlineItemProps) {
	return (
		<button
			type="button"
			className={classes.item}
			aria-current={isCurrent || undefined}
			disabled={page === null}
			{...preloadTarget(page)}
			onClick={() => page !== null && onPage(page)}
		>
			<span className={classes.text}>{title}</span>
			{isRead ? (
				<span className={classes.check}>
					<IconCheck {...smallIconProps} />
					<span className={classes.hidden}>{m.reader_chapter_read()}</span>
				</span>
			) : (
				page !== null && <span className={classes.page}>{page}</span>
			)}
		</button>
	);
}
