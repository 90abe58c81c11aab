import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';

/** What the owner sees beside a conversation; asked for again when something of it may have changed. */
export function usePersonCard(userId: string) {
	return useQuery(api.chatPerson.get.queryOptions({ input: { userId } }));
}

/** 'Send login again'. */
export function useSendLogin() {
	const queryClient = useQueryClient();
	return useMutation(
		api.chatPerson.sendLogin.mutationOptions({
			onSuccess: async ({ email }) => {
				const status = await queryClient.fetchQuery(api.mail.status.queryOptions()).catch(() => undefined);
				const isKept = status?.transport === 'file';
				toastSuccess(isKept ? m.chat_person_login_kept({ email }) : m.chat_person_login_sent({ email }));
			},
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
}
