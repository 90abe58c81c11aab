import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

/** Renders nothing for members, and for admins who must set up two-factor sign-in first. */
export function TwoFactorRequirementSection() {
	const { role, mustSetUpTwoFactor } = useMe();
	const isShown = role === 'admin' && !mustSetUpTwoFactor;
	const requirement = useTwoFactorRequirement(isShown);
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
			{requirement.data !== undefined && <RequirementSwitch isRequired={requirement.data.isRequiredOfAdmins} />}
		</Section>
	);
}

function RequirementSwitch({ isRequired }: { isRequired: boolean }) {
	const own = useTwoFactor();
	const save = useChange(client.twoFactor.saveRequirement, {
		refetch: [api.twoFactor.key()],
		onSuccess: ({ isRequiredOfAdmins }) =>
			toastSuccess(isRequiredOfAdmins ? m.two_factor_required_saved() : m.two_factor_not_required_saved()),
	});
	const isMissing = !isRequired && own.data?.isOn !== true;
	return (
		<Stack align="flex-start" gap={12}>
			{isMissing && <Text c="var(--ink-2)">{m.two_factor_require_own()}</Text>}
			<Button disabled={save.isPending || isMissing} onClick={() => save.mutate({ isRequiredOfAdmins: !isRequired })}>
				{isRequired ? m.two_factor_require_no_longer() : m.two_factor_require()}
			</Button>
		</Stack>
	);
}

export function useTwoFactor() {
	return useQuery(api.twoFactor.status.queryOptions({ input: {} }));
}

/** Whether two-factor sign-in is required of admins. `isEnabled` must be false for users who are not admins. */
export function useTwoFactorRequirement(isEnabled: boolean) {
	return useQuery({ ...api.twoFactor.requirement.queryOptions({ input: {} }), enabled: isEnabled });
}
