import { m } from '#messages';
import type { Failure } from '#web/platform/failure.ts';
import { toastError, toastMs } from '#web/platform/toasts.ts';
import classes from './share-toasts.module.css';

/** Says in the specified words that sharing or unsharing failed, and below them why; what is shared already says so alone. */
export function toastShareFailure(work: 'share' | 'unshare', { code, message }: Failure): void {
	if (code === 'ALREADY_SHARED') {
		toastError(message, toastMs.files);
		return;
	}
	toastError(
		<span className={classes.words}>
			<span>{work === 'share' ? m.sharing_share_failed() : m.sharing_unshare_failed()}</span>
			<span className={classes.why}>{code === 'NOT_FOUND' ? m.sharing_gone() : message}</span>
		</span>,
		toastMs.files,
	);
}
