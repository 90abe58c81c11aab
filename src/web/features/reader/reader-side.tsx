import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SegmentedSwitch } from '#web/ui/segmented-switch.tsx';
import classes from './reader-side.module.css';
import { usePointedPage } from './use-pointed-page.ts';

/** What stands beside the page. */
export type SidePart = 'outline' | 'search' | 'marks';

interface ReaderSideProps {
	part: SidePart;
	/** Those that there are. */
	parts: readonly SidePart[];
	onPart: (part: SidePart) => void;
	/** Undefined where it always stands. */
	onClose?: (() => void) | undefined;
	/** The page that somebody points at, null for none. */
	onLikely: (page: number | null) => void;
	children: ReactNode;
}

/** Beside the page: the outline, the search, or what one has marked. */
export function ReaderSide({ part, parts, onPart, onClose, onLikely, children }: ReaderSideProps) {
	const pointed = usePointedPage(onLikely);
	const labels = { outline: m.reader_outline(), search: m.reader_search_short(), marks: m.reader_marks() };
	return (
		<aside className={classes.side} aria-label={labels[part]}>
			<div className={classes.head}>
				{parts.length > 1 && (
					<SegmentedSwitch
						label={m.reader_side()}
						segments={parts.map((each) => ({ value: each, label: labels[each] }))}
						value={part}
						onChange={onPart}
					/>
				)}
				{onClose && <IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={onClose} />}
			</div>
			<div className={classes.body} {...pointed}>
				{children}
			</div>
		</aside>
	);
}
