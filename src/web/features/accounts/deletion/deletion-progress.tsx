import { Flex, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import classes from './delete-user-list.module.css';

export function DeletionProgress() {
	const { data: deletions = [] } = useQuery(api.removals.running.queryOptions());
	if (deletions.length === 0) return null;
	return (
		<Flex
			component="section"
			className={cardClasses.card}
			gap={12}
			mb={16}
			p="14px 16px"
			aria-label={m.account_deletion_running()}
		>
			{deletions.map(({ id, email, totalFiles, removedFiles }) => (
				<div key={id} className={classes.deletion}>
					<Text fw={600} truncate>
						<bdi>{email}</bdi>
					</Text>
					<Text c="var(--ink-2)" fz={13} style={{ fontVariantNumeric: 'tabular-nums' }}>
						{m.account_deletion_progress({ removed: formatCount(removedFiles), total: formatCount(totalFiles) })}
					</Text>
					<ProgressBar
						label={m.account_deletion_progress_of({ email })}
						value={totalFiles === 0 ? 1 : removedFiles / totalFiles}
					/>
				</div>
			))}
		</Flex>
	);
}
