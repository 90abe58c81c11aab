import { m } from '#messages';
import type { Failure } from '#web/platform/api/failure.ts';
import { toastError, toastMs } from '#web/platform/browser/toasts.ts';
import classes from './share-toast.module.css';

/** Says in the specified words that sharing or unsharing failed, and below them why; what is shared already says so alone. */
export function toastShareFailure(operation: 'share' | 'unshare', { code, message }: Failure): void {
	if (code === 'ALREADY_SHARED') {
		toastError(message, toastMs.files);
		return;
	}
	toastError(
		<span className={classes.text}>
			<span>{operation === 'share' ? m.sharing_share_failed() : m.sharing_unshare_failed()}</span>
			<span className={classes.reason}>{code === 'NOT_FOUND' ? m.sharing_gone() : message}</span>
		</span>,
		toastMs.files,
	);
}
