import { m } from '#messages';
import { BrandLogo } from '../illustrations/brand.tsx';
import classes from './loading-state.module.css';

/** A page that is still to come. It shows only after a moment: whoever comes quickly does not flash. */
export function LoadingState() {
	return (
		<div className={classes.state} role="status">
			<BrandLogo />
			<span>{m.common_loading()}</span>
		</div>
	);
}
