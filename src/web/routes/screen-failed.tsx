import type { ErrorComponentProps } from '@tanstack/react-router';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { FailedState } from '#web/ui/faces.tsx';

/** A screen that threw, or whose code could not be loaded (after an update, say): in words, with another try. */
export function ScreenFailed({ error }: ErrorComponentProps) {
	return (
		<FailedState
			text={m.common_screen_failed()}
			detail={describeFailure(error).message}
			onRetry={() => window.location.reload()}
		/>
	);
}
