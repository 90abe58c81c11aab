import { Box, Flex } from '@mantine/core';
import { m } from '#messages';
import { dismissToast, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { Button } from '../primitives/button.tsx';

export function toastWithUndo(sentence: string, onUndo: () => void, durationMs: number = toastMs.admin): void {
	const id = toastSuccess(
		<Flex component="span" align="center" gap={12}>
			<Box component="span" flex={1} style={{ overflowWrap: 'anywhere' }}>
				{sentence}
			</Box>
			<Button
				size="small"
				onClick={() => {
					dismissToast(id);
					onUndo();
				}}
			>
				{m.common_undo()}
			</Button>
		</Flex>,
		durationMs,
	);
}
