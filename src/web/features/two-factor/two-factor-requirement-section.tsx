import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useRequirement, useSaveRequirement, useTwoFactor } from './two-factor.api.ts';
import classes from './two-factor.module.css';

/** For admins: whether every admin must have two-factor sign-in. Nothing for anybody else. */
export function TwoFactorRequirementSection() {
	const { role, mustSetUpTwoFactor } = useMe();
	const isShown = role === 'admin' && !mustSetUpTwoFactor;
	const requirement = useRequirement(isShown);
	if (!isShown) return null;
	return (
		<Section
			title={m.two_factor_require_title()}
			intro={m.two_factor_require_hint()}
			aside={
				requirement.data && (
					<Badge tone={requirement.data.isRequiredOfAdmins ? 'positive' : 'neutral'}>
						{requirement.data.isRequiredOfAdmins ? m.two_factor_required() : m.two_factor_not_required()}
					</Badge>
				)
			}
		>
			{requirement.isPending && <Skeleton width="280px" height="36px" />}
			{requirement.isError && <FailedQuery text={m.two_factor_failed()} query={requirement} />}
			{requirement.data !== undefined && <Choice isRequired={requirement.data.isRequiredOfAdmins} />}
		</Section>
	);
}

function Choice({ isRequired }: { isRequired: boolean }) {
	const own = useTwoFactor();
	const save = useSaveRequirement();
	const isMissing = !isRequired && own.data?.isOn !== true;
	return (
		<div className={classes.status}>
			{isMissing && <p className={classes.facts}>{m.two_factor_require_own()}</p>}
			<div className={classes.actions}>
				<Button disabled={save.isPending || isMissing} onClick={() => save.mutate({ isRequiredOfAdmins: !isRequired })}>
					{isRequired ? m.two_factor_require_no_longer() : m.two_factor_require()}
				</Button>
			</div>
		</div>
	);
}
