import { m } from '#messages';
import { dismissToast, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { Button } from '../primitives/button.tsx';
import classes from './undo-toast.module.css';

/** Shows a toast that says what changed, with a button to undo it. */
export function toastWithUndo(sentence: string, onUndo: () => void, durationMs: number = toastMs.admin): void {
	const id = toastSuccess(
		<span className={classes.row}>
			<span className={classes.text}>{sentence}</span>
			<Button
				size="small"
				onClick={() => {
					dismissToast(id);
					onUndo();
				}}
			>
				{m.common_undo()}
			</Button>
		</span>,
		durationMs,
	);
}
