import { Box } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Failure } from '#web/platform/api/failure.ts';
import { toneColors } from '../primitives/badge.tsx';
import { iconProps } from '../primitives/icon.ts';
import classes from './notice.module.css';

interface NoticeProps {
	tone: 'negative' | 'positive' | 'info';
	children: ReactNode;
	action?: ReactNode;
}

const icons = { negative: IconAlertTriangle, positive: IconCircleCheck, info: IconInfoCircle };

/** A message that stays on the page. Screen readers announce it when it appears. */
export function Notice({ tone, children, action }: NoticeProps) {
	const ToneIcon = icons[tone];
	return (
		<div
			className={classes.notice}
			style={toneColors(tone)}
			data-action={action === undefined ? undefined : true}
			role={tone === 'negative' ? 'alert' : 'status'}
		>
			<ToneIcon {...iconProps} />
			<Box flex="1 1 200px" miw={0} style={{ overflowWrap: 'anywhere' }}>
				{children}
			</Box>
			{action}
		</div>
	);
}

/** Shows why a form was refused, unless the fields show it. */
export function FailureNotice({ failure }: { failure: Failure | undefined }) {
	if (failure === undefined || Object.keys(failure.fields).length > 0) return null;
	return <Notice tone="negative">{failure.message}</Notice>;
}
