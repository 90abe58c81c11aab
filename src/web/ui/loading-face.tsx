import { m } from '#messages';
import { BrandMark } from './brand.tsx';
import classes from './loading-face.module.css';

/** A page that is still to come. It shows only after a moment: whoever comes quickly does not flash. */
export function LoadingFace() {
	return (
		<div className={classes.face} role="status">
			<BrandMark />
			<span>{m.common_loading()}</span>
		</div>
	);
}
