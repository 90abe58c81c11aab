import { Box, Group, Text } from '@mantine/core';
import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';

export function ProfileSection() {
	const me = useMe();
	return (
		<Section title={m.account_profile()}>
			<Group gap={12} wrap="nowrap" mt={8}>
				<Avatar name={me.name} email={me.email} size={40} />
				<Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
					<Text fw={600}>{me.name ?? me.email}</Text>
					{me.name !== null && (
						<Text c="dimmed" fz={13}>
							{me.email}
						</Text>
					)}
				</Box>
				<Badge tone="outline">{me.role === 'admin' ? m.common_role_admin() : m.common_role_user()}</Badge>
			</Group>
		</Section>
	);
}
