import { m } from '#messages';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './folder-listing.module.css';

const cards = ['a', 'b', 'c', 'd'];
const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The shape of a folder before it is there. */
export function ListingSkeleton() {
	return (
		<div className={classes.skeleton}>
			<p className={classes.hidden} role="status">
				{m.files_loading()}
			</p>
			<div className={classes.cards}>
				{cards.map((key) => (
					<Skeleton key={key} height="60px" />
				))}
			</div>
			{rows.map((key) => (
				<Skeleton key={key} height="36px" />
			))}
		</div>
	);
}
