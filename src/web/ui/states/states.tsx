import { Box, Stack } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { BrandLogo } from '../illustrations/brand.tsx';
import { Button } from '../primitives/button.tsx';
import { iconProps } from '../primitives/icon.ts';
import classes from './states.module.css';

const layout = { align: 'center', justify: 'center', gap: 12, mih: 240, p: '48px 24px', ta: 'center' } as const;

export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
	return (
		<Stack {...layout}>
			<Box component="p" fz="lg" fw={500}>
				{text}
			</Box>
			{action}
		</Stack>
	);
}

interface FailedStateProps {
	text: string;
	detail?: string | undefined;
	onRetry: () => void;
	isRetrying?: boolean;
}

export function FailedState({ text, detail, onRetry, isRetrying = false }: FailedStateProps) {
	return (
		<Stack {...layout} role="alert">
			<IconAlertTriangle {...iconProps} size={24} color="var(--negative)" />
			<Box component="p" fz="lg" fw={500}>
				{text}
			</Box>
			{detail !== undefined && (
				<Box component="p" maw="52ch" c="dimmed">
					{detail}
				</Box>
			)}
			<Button icon={IconRefresh} onClick={onRetry} disabled={isRetrying}>
				{m.common_retry()}
			</Button>
		</Stack>
	);
}

interface FailedQueryProps {
	text: string;
	query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

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

/** For a screen or a file that does not exist or that the user cannot open. */
export function DeniedState({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
	return (
		<Stack {...layout}>
			<IconLock {...iconProps} size={24} color="var(--muted)" />
			<Box component="h1" fz="var(--text-22)" fw={600}>
				{title}
			</Box>
			{text !== undefined && (
				<Box component="p" maw="52ch" c="dimmed">
					{text}
				</Box>
			)}
			{action}
		</Stack>
	);
}

/** Appears after a delay, so that fast pages do not flash. */
export function LoadingState() {
	return (
		<div className={classes.loading} role="status">
			<BrandLogo />
			<span>{m.common_loading()}</span>
		</div>
	);
}
