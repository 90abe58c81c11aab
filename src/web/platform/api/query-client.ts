import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session/session-end.ts';
import { describeFailure } from './failure.ts';

export function endSessionOnAuthFailure(error: unknown): void {
	const { code } = describeFailure(error);
	if (code === 'UNAUTHORIZED') endSession('expiry');
	if (code === 'ACCOUNT_INACTIVE') endSession('deactivation');
}

const maxRetries = 2;

/** Retries only temporary failures: no response, or a server that is busy or broken. */
function shouldRetry(failureCount: number, error: unknown): boolean {
	const { status } = describeFailure(error);
	return failureCount < maxRetries && (status === 0 || status >= 500);
}

/** The only cache of server state. The event stream invalidates it, so nothing is refetched because of its age. */
export const queryClient = new QueryClient({
	queryCache: new QueryCache({ onError: endSessionOnAuthFailure }),
	mutationCache: new MutationCache({ onError: endSessionOnAuthFailure }),
	defaultOptions: {
		// Calls run even offline: they fail at once with a message, and none is queued to be sent later.
		queries: {
			networkMode: 'always',
			retry: shouldRetry,
			staleTime: 30_000,
			refetchOnWindowFocus: false,
			refetchOnReconnect: true,
		},
		mutations: { networkMode: 'always', retry: false },
	},
});
