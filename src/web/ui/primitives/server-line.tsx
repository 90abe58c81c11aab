import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { CopyButton } from './copy-button.tsx';

interface ServerLineProps {
	/** Several lines are copied together. */
	text: string;
	/** Names the folder of the server, in which the line is used. */
	where: (input: { folder: string }) => string;
	hint?: string;
}

/** A line to copy, for the file .env or the terminal of the server. */
export function ServerLine({ text, where, hint }: ServerLineProps) {
	const { data } = useQuery(api.firstSteps.get.queryOptions());
	return (
		<Stack gap={6} w="100%" style={{ overflowWrap: 'anywhere' }}>
			<Group gap={4} wrap="nowrap" maw="100%">
				<Box component="code" fz={13} style={{ whiteSpace: 'pre-wrap' }}>
					{text}
				</Box>
				<CopyButton
					size="small"
					text={text}
					label={m.setup_copy()}
					copied={m.setup_copied()}
					failed={m.setup_copy_failed()}
				/>
			</Group>
			<Text c="dimmed" fz="sm" maw="76ch">
				{where({ folder: data?.folder ?? '' })} {hint}
			</Text>
		</Stack>
	);
}
