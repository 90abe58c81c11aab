import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './reader.module.css';
import { useReaderWords } from './reader-words.ts';

/** An empty page while the book or file opens. */
export function ReaderLoading() {
	const words = useReaderWords();
	return (
		<div className={classes.loading} role="status" aria-label={words.loading}>
			<div className={classes.sheet}>
				<Skeleton width="60%" height="32px" />
			</div>
		</div>
	);
}
