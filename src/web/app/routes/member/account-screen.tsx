import { Box, Group, Text } from '@mantine/core';
import { m } from '#messages';
import { ChangeEmailSection } from '#web/features/accounts/passwords/change-email-section.tsx';
import { ChangePasswordSection } from '#web/features/accounts/passwords/change-password-section.tsx';
import { OwnDevicesSection } from '#web/features/accounts/sessions/devices.tsx';
import { TwoFactorRequirementSection } from '#web/features/accounts/two-factor/two-factor-requirement-section.tsx';
import { TwoFactorSection } from '#web/features/accounts/two-factor/two-factor-section.tsx';
import { ExportSection } from '#web/features/user-data-export/export-section.tsx';
import { useMe } from '#web/platform/session/session.ts';
import { Section, SectionsScreen } from '#web/ui/layout/section.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

/** /account: the settings of the user's own account. */
export function AccountScreen() {
	const { role, view } = useMe();
	const isView = view !== null;
	return (
		<SectionsScreen title={m.screen_account()}>
			{isView && <Notice tone="info">{m.account_view_only()}</Notice>}
			<ProfileSection />
			{/* During an impersonation, a fieldset disables all controls. */}
			<fieldset style={{ display: 'contents' }} disabled={isView}>
				{role === 'admin' && <ChangeEmailSection />}
				<ChangePasswordSection />
				<TwoFactorSection />
				<TwoFactorRequirementSection />
				<OwnDevicesSection />
				<ExportSection />
			</fieldset>
		</SectionsScreen>
	);
}

function ProfileSection() {
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
