import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import classes from './credentials-list.module.css';

interface PagerProps {
	/** How many rows stand on the pages before. */
	before: number;
	shown: number;
	total: number;
	onPrevious: (() => void) | undefined;
	onNext: (() => void) | undefined;
}

/** Where one is in a list, with the ways to the page before and the next. */
export function CredentialsPager({ before, shown, total, onPrevious, onNext }: PagerProps) {
	return (
		<nav className={classes.pager} aria-label={m.credentials_pages()}>
			<span className={classes.range} role="status">
				{m.credentials_range({
					from: formatCount(Math.min(before + 1, total)),
					to: formatCount(before + shown),
					total: formatCount(total),
				})}
			</span>
			<Button size="small" disabled={onPrevious === undefined} onClick={onPrevious}>
				{m.common_previous()}
			</Button>
			<Button size="small" disabled={onNext === undefined} onClick={onNext}>
				{m.common_next()}
			</Button>
		</nav>
	);
}
