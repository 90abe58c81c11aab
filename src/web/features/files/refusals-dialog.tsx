import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import classes from './refusals-dialog.module.css';
import { useLast } from './use-last.ts';
import type { Refusals } from './use-node-work.ts';

/** Lists by name what could not be done, each with its words. */
export function RefusalsDialog({ refusals, onClose }: { refusals: Refusals | null; onClose: () => void }) {
	const shown = useLast(refusals);
	return (
		<Dialog
			isOpen={refusals !== null}
			onClose={onClose}
			title={shown?.title ?? ''}
			foot={
				<Button variant="primary" onClick={onClose} data-autofocus>
					{m.common_close()}
				</Button>
			}
		>
			<ul className={classes.list}>
				{shown?.list.map(({ id, name, message }) => (
					<li key={id}>
						<bdi className={classes.name}>{name}</bdi>
						<span className={classes.why}>{message}</span>
					</li>
				))}
			</ul>
		</Dialog>
	);
}
