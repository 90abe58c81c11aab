import { m } from '#messages';
import { dismissToast, toastSuccess } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import classes from './people-toast.module.css';

/** Says what changed, with the way back beside it. */
export function toastActiveChange(sentence: string, onUndo: () => void): void {
	const id = toastSuccess(
		<span className={classes.row}>
			<span className={classes.words}>{sentence}</span>
			<Button
				size="small"
				onClick={() => {
					dismissToast(id);
					onUndo();
				}}
			>
				{m.people_undo()}
			</Button>
		</span>,
	);
}
