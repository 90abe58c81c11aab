import { m } from '#messages';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './reader.module.css';

/** An empty page while the book opens. */
export function ReaderLoading() {
	return (
		<div className={classes.loading} role="status" aria-label={m.reader_loading()}>
			<div className={classes.sheet}>
				<Skeleton width="60%" height="32px" />
			</div>
		</div>
	);
}
