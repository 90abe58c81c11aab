import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconWorldQuestion } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client, cursorPaging } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';

const pageSize = 20;

/** The user whose sessions are shown: 'own' for the signed-in user. Only admins can show another user. */
export type SessionOwner = 'own' | { id: string; email: string };

export function useSessions(owner: SessionOwner) {
	const ownOptions = api.sessions.list.infiniteOptions({
		input: (cursor) => ({ cursor, limit: pageSize }),
		...cursorPaging,
	});
	const userOptions = api.sessions.listOf.infiniteOptions({
		input: (cursor) => ({ id: owner === 'own' ? '' : owner.id, cursor, limit: pageSize }),
		...cursorPaging,
	});
	const ownSessions = useInfiniteQuery({ ...ownOptions, enabled: owner === 'own' });
	const userSessions = useInfiniteQuery({ ...userOptions, enabled: owner !== 'own' });
	return owner === 'own' ? ownSessions : userSessions;
}

/** Signs out all devices of the owner except the current device. */
export function useEndAllSessions(owner: SessionOwner) {
	return useChange(
		() => (owner === 'own' ? client.sessions.endOthers({}) : client.sessions.endAllOf({ id: owner.id })),
		{
			refetch: [api.sessions.key()],
			onSuccess: () =>
				toastSuccess(owner === 'own' ? m.sessions_others_ended() : m.sessions_all_ended({ email: owner.email })),
		},
	);
}

export const deviceIcons = {
	phone: IconDeviceMobile,
	tablet: IconDeviceTablet,
	computer: IconDeviceDesktop,
	unknown: IconWorldQuestion,
};
