import { IconAlertTriangle, IconLock, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { BrandLogo } from '../illustrations/brand.tsx';
import { Button } from '../primitives/button.tsx';
import { iconProps } from '../primitives/icon.ts';
import loadingClasses from './loading-state.module.css';
import classes from './states.module.css';

interface EmptyStateProps {
	/** The sentence from the specification. */
	text: string;
	/** One action, such as a link or a button. */
	action?: ReactNode;
}

/** The state of an empty list: a sentence and one action. */
export function EmptyState({ text, action }: EmptyStateProps) {
	return (
		<div className={classes.state}>
			<p className={classes.text}>{text}</p>
			{action}
		</div>
	);
}

interface FailedStateProps {
	/** The sentence from the specification for this failure. */
	text: string;
	/** The server's error message, where it adds something. */
	detail?: string | undefined;
	onRetry: () => void;
	isRetrying?: boolean;
}

/** The state after loading failed: the error, and a button to try again. */
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
	/** The sentence from the specification for this failure. */
	text: string;
	query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** The state of a failed query: the error, the server's message, and a button to try again. */
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

/** The state of a screen that does not exist or that the user may not see. */
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

/** The state of a loading page. It appears after a delay, so that fast pages do not flash. */
export function LoadingState() {
	return (
		<div className={loadingClasses.state} role="status">
			<BrandLogo />
			<span>{m.common_loading()}</span>
		</div>
	);
}
