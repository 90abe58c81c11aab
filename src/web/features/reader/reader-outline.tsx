import { IconCheck } from '@tabler/icons-react';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { findCurrent, markChapters } from './chapters.ts';
import classes from './reader-outline.module.css';
import { leadsTo } from './use-pointed-page.ts';

interface ReaderOutlineProps {
	entries: readonly OutlineEntry[];
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
}

/** The chapters with the pages they begin on; those behind the reader carry a check. */
export function ReaderOutline({ entries, page, pageCount, onPage }: ReaderOutlineProps) {
	return (
		<nav className={classes.side} aria-label={m.reader_outline()}>
			<div className={classes.head}>
				<h2>{m.reader_outline()}</h2>
				<span>{pageCount === 1 ? m.reader_pages_one() : m.reader_pages({ count: pageCount })}</span>
			</div>
			<ol>
				{markChapters(entries, page).map((chapter) => (
					<li key={chapter.id}>
						<Entry
							entry={chapter}
							isCurrent={chapter.state === 'current'}
							isRead={chapter.state === 'read'}
							onPage={onPage}
						/>
						{chapter.state === 'current' && chapter.children.length > 0 && (
							<Nested entries={chapter.children} page={page} onPage={onPage} />
						)}
					</li>
				))}
			</ol>
		</nav>
	);
}

function Nested({ entries, page, onPage }: Pick<ReaderOutlineProps, 'entries' | 'page' | 'onPage'>) {
	const current = findCurrent(entries, page);
	return (
		<ol className={classes.nested}>
			{entries.map((entry, index) => (
				<li key={entry.id}>
					<Entry entry={entry} isCurrent={index === current} isRead={false} onPage={onPage} />
				</li>
			))}
		</ol>
	);
}

interface EntryProps {
	entry: OutlineEntry;
	isCurrent: boolean;
	isRead: boolean;
	onPage: (page: number) => void;
}

function Entry({ entry: { title, page }, isCurrent, isRead, onPage }: EntryProps) {
	return (
		<button
			type="button"
			className={classes.item}
			aria-current={isCurrent || undefined}
			disabled={page === null}
			{...leadsTo(page)}
			onClick={() => page !== null && onPage(page)}
		>
			<span className={classes.words}>{title}</span>
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
