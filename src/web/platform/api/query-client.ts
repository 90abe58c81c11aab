import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session/session-end.ts';
import { describeFailure } from './failure.ts';

export function endSessionOnAuthFailure(error: unknown): void {
	const { code } = describeFailure(error);
	if (code === 'UNAUTHORIZED') endSession('expiry');
	if (code === 'ACCOUNT_INACTIVE') endSession('deactivation');
}

const maxRetries = 2;

/** Only temporary failures are retried: no response, or a status from 500. */
function shouldRetry(failureCount: number, error: unknown): boolean {
	const { status } = describeFailure(error);
	return failureCount < maxRetries && (status === 0 || status >= 500);
}

/** The cache of all server data. Events of the server invalidate the data. */
export const queryClient = new QueryClient({
	queryCache: new QueryCache({ onError: endSessionOnAuthFailure }),
	mutationCache: new MutationCache({ onError: endSessionOnAuthFailure }),
	defaultOptions: {
		// Offline, calls fail at once with a message. By default, TanStack Query would queue them.
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
