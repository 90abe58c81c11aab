import { Box } from '@mantine/core';

interface ProgressBarProps {
	label: string;
	value: number;
	height?: number;
	isPaused?: boolean;
}

const stripes = 'repeating-linear-gradient(90deg, var(--line-strong) 0 5px, transparent 5px 8px)';

export function ProgressBar({ label, value, height = 4, isPaused = false }: ProgressBarProps) {
	const percent = Math.round(Math.min(Math.max(value, 0), 1) * 100);
	return (
		<Box
			role="progressbar"
			aria-label={label}
			aria-valuenow={percent}
			aria-valuemin={0}
			aria-valuemax={100}
			w="100%"
			h={height}
			bg="var(--line)"
			bdrs="var(--radius-full)"
			style={{ overflow: 'hidden' }}
		>
			<Box w={`${percent}%`} h="100%" bg={isPaused ? stripes : 'var(--accent-fill)'} bdrs="inherit" />
		</Box>
	);
}
