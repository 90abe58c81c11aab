import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session/session-end.ts';
import { describeFailure } from './failure.ts';

/** Failures that mean that the session is over, wherever they come up. */
export function endSessionOnAuthFailure(error: unknown): void {
	const { code } = describeFailure(error);
	if (code === 'UNAUTHORIZED') endSession('expiry');
	if (code === 'ACCOUNT_INACTIVE') endSession('deactivation');
}

const maxRetries = 2;

/** Only what may pass by itself is tried again: no answer, or a server that is busy or broken. */
function shouldRetry(failureCount: number, error: unknown): boolean {
	const { status } = describeFailure(error);
	return failureCount < maxRetries && (status === 0 || status >= 500);
}

/** The one cache of server state. Freshness comes from the event line, so nothing is refetched by age alone. */
export const queryClient = new QueryClient({
	queryCache: new QueryCache({ onError: endSessionOnAuthFailure }),
	mutationCache: new MutationCache({ onError: endSessionOnAuthFailure }),
	defaultOptions: {
		// Always: offline, a call fails in words at once, and nothing waits to be sent by itself later.
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
