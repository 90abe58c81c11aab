import { m } from '#messages';
import { ExportSection } from '#web/features/account/account-export-section.tsx';
import { PasswordSection } from '#web/features/account/account-password-section.tsx';
import { ProfileSection } from '#web/features/account/account-profile-section.tsx';
import { OwnDevicesSection } from '#web/features/sessions/own-devices-section.tsx';
import { TwoFactorRequirementSection } from '#web/features/two-factor/two-factor-requirement-section.tsx';
import { TwoFactorSection } from '#web/features/two-factor/two-factor-section.tsx';
import { useMe } from '#web/platform/session.ts';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Sections } from '#web/ui/section.tsx';
import classes from './account.module.css';

/** /account: the own account and how it is kept safe; each section is a component of its feature. */
export function AccountScreen() {
	const isView = useMe().view !== null;
	return (
		<>
			<PageHeader title={m.screen_account()} />
			<Sections>
				{isView && <Notice tone="info">{m.account_view_only()}</Notice>}
				<ProfileSection />
				{/* Whoever only looks on as a member changes nothing and takes nothing along: said before they try. */}
				<fieldset className={classes.changes} disabled={isView}>
					<PasswordSection />
					<TwoFactorSection />
					<TwoFactorRequirementSection />
					<OwnDevicesSection />
					<ExportSection />
				</fieldset>
			</Sections>
		</>
	);
}
