import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { sessionQuery } from '#web/platform/session/session.ts';

/** Whether one's own two-factor sign-in is on. */
export function useTwoFactor() {
	return useQuery(api.twoFactor.status.queryOptions({ input: {} }));
}

/** What the last change made stale: the status, and whether anything else is open. */
function useInvalidateTwoFactor(): () => void {
	const queryClient = useQueryClient();
	return () => {
		void queryClient.invalidateQueries({ queryKey: api.twoFactor.key() });
		void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	};
}

/** Makes a secret for the app. */
export function useBeginTwoFactorSetUp() {
	return useMutation(api.twoFactor.begin.mutationOptions());
}

/** Turns it on by a first code. */
export function useConfirmTwoFactor() {
	return useMutation(api.twoFactor.confirm.mutationOptions({ onSuccess: useInvalidateTwoFactor() }));
}

/** Makes new recovery codes. */
export function useRenewRecoveryCodes() {
	return useMutation(api.twoFactor.renewRecoveryCodes.mutationOptions({ onSuccess: useInvalidateTwoFactor() }));
}

/** Turns it off. */
export function useTurnOffTwoFactor() {
	return useMutation(api.twoFactor.turnOff.mutationOptions({ onSuccess: useInvalidateTwoFactor() }));
}

/** Whether admins must have it; for admins. */
export function useTwoFactorRequirement(isAsked: boolean) {
	return useQuery({ ...api.twoFactor.requirement.queryOptions({ input: {} }), enabled: isAsked });
}

/** Requires it of admins, or no longer, and says so. */
export function useSaveTwoFactorRequirement() {
	const queryClient = useQueryClient();
	return useMutation(
		api.twoFactor.saveRequirement.mutationOptions({
			onSuccess: ({ isRequiredOfAdmins }) => {
				toastSuccess(isRequiredOfAdmins ? m.two_factor_required_saved() : m.two_factor_not_required_saved());
				void queryClient.invalidateQueries({ queryKey: api.twoFactor.key() });
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}
