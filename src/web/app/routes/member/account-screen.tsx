import { m } from '#messages';
import { ChangePasswordSection } from '#web/features/accounts/passwords/change-password-section.tsx';
import { ProfileSection } from '#web/features/accounts/profile/profile-section.tsx';
import { OwnDevicesSection } from '#web/features/accounts/sessions/devices.tsx';
import { TwoFactorRequirementSection } from '#web/features/accounts/two-factor/two-factor-requirement-section.tsx';
import { TwoFactorSection } from '#web/features/accounts/two-factor/two-factor-section.tsx';
import { ExportSection } from '#web/features/user-data-export/export-section.tsx';
import { useMe } from '#web/platform/session/session.ts';
import { SectionsScreen } from '#web/ui/layout/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

/** /account: the settings of the user's own account. */
export function AccountScreen() {
	const isView = useMe().view !== null;
	return (
		<SectionsScreen title={m.screen_account()}>
			{isView && <Notice tone="info">{m.account_view_only()}</Notice>}
			<ProfileSection />
			{/* During an impersonation, a fieldset disables all controls. */}
			<fieldset style={{ display: 'contents' }} disabled={isView}>
				<ChangePasswordSection />
				<TwoFactorSection />
				<TwoFactorRequirementSection />
				<OwnDevicesSection />
				<ExportSection />
			</fieldset>
		</SectionsScreen>
	);
}
