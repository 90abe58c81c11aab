import { Box, Stack } from '@mantine/core';
import { m } from '#messages';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import type { RefusedNodes } from './use-node-operations.ts';

export function RefusedNodesDialog({ refusals, onClose }: { refusals: RefusedNodes | null; onClose: () => void }) {
	if (refusals === null) return null;
	return (
		<Dialog
			onClose={onClose}
			title={refusals.title}
			footer={
				<Button variant="primary" onClick={onClose} data-autofocus>
					{m.common_close()}
				</Button>
			}
		>
			<Stack component="ul" gap={12}>
				{refusals.list.map(({ id, name, message }) => (
					<li key={id}>
						<Box component="bdi" display="block" fw={500} style={{ overflowWrap: 'anywhere' }}>
							{name}
						</Box>
						<Box component="span" c="var(--negative)" fz="var(--text-13)">
							{message}
						</Box>
					</li>
				))}
			</Stack>
		</Dialog>
	);
}
