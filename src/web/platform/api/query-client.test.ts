import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { describeFailure } from './failure.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
	onlineManager.setOnline(true);
	queryClient.clear();
});

const fail = async () => {
	throw new TypeError('Failed to fetch');
};

test('mutations and queries fail at once while offline and are not sent later', async () => {
	onlineManager.setOnline(false);
	const change = queryClient.getMutationCache().build(queryClient, { mutationFn: fail });
	const error = await change.execute(undefined).catch((thrown: unknown) => thrown);
	expect(describeFailure(error)).toMatchObject({ code: 'OFFLINE', status: 0 });
	expect(change.state).toMatchObject({ status: 'error', isPaused: false });
	await expect(queryClient.fetchQuery({ queryKey: ['look'], queryFn: fail, retry: false })).rejects.toThrow(
		'Failed to fetch',
	);
});
