import { IconAlertTriangle, IconLock, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Button } from '../primitives/button.tsx';
import { iconProps } from '../primitives/icon.ts';
import classes from './states.module.css';

interface EmptyStateProps {
	/** The specified sentence. */
	text: string;
	/** One way on. */
	action?: ReactNode;
}

/** Nothing here: a sentence and one action, no drawing. */
export function EmptyState({ text, action }: EmptyStateProps) {
	return (
		<div className={classes.state}>
			<p className={classes.text}>{text}</p>
			{action}
		</div>
	);
}

interface FailedStateProps {
	/** What failed, in the specified words. */
	text: string;
	/** What the server said, where it adds something. */
	detail?: string | undefined;
	onRetry: () => void;
	isRetrying?: boolean;
}

/** Loading failed: what, and another try. */
export function FailedState({ text, detail, onRetry, isRetrying = false }: FailedStateProps) {
	return (
		<div className={classes.state} role="alert">
			<IconAlertTriangle {...iconProps} size={24} className={classes.warning} />
			<p className={classes.text}>{text}</p>
			{detail !== undefined && <p className={classes.detail}>{detail}</p>}
			<Button icon={<IconRefresh {...iconProps} />} onClick={onRetry} disabled={isRetrying}>
				{m.common_retry()}
			</Button>
		</div>
	);
}

interface FailedQueryProps {
	/** What failed, in the specified words. */
	text: string;
	query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** A query failed: what, what the server said, and another try. */
export function FailedQuery({ text, query }: FailedQueryProps) {
	return (
		<FailedState
			text={text}
			detail={describeFailure(query.error).message}
			onRetry={() => void query.refetch()}
			isRetrying={query.isFetching}
		/>
	);
}

interface DeniedStateProps {
	title: string;
	text?: string;
	action?: ReactNode;
}

/** A screen that this person may not see, or that is not there. */
export function DeniedState({ title, text, action }: DeniedStateProps) {
	return (
		<div className={classes.state}>
			<IconLock {...iconProps} size={24} className={classes.muted} />
			<h1 className={classes.title}>{title}</h1>
			{text !== undefined && <p className={classes.detail}>{text}</p>}
			{action}
		</div>
	);
}
