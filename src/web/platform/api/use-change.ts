import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { toastError } from '../browser/toasts.ts';
import { describeFailure, type Failure, readFailedCall } from './failure.ts';

interface ChangeOptions<Input, Output> {
	/** Keys of the queries that are refetched afterwards; also after a failure, which outdated data may have caused. */
	refetch?: readonly QueryKey[];
	isPendingUntilRefetched?: boolean;
	onSuccess?: (output: Output, input: Input) => void;
	/** By default, a toast shows the server's message. */
	onError?: (failure: Failure) => void;
}

/** Value of `onError` for changes whose errors are shown in their form: no toast. */
export const shownInForm = () => {};

/** Returns a mutation that changes data on the server. `failure`: why the last attempt failed. */
export function useChange<Input, Output>(
	call: (input: Input) => Promise<Output>,
	{ refetch = [], isPendingUntilRefetched = false, onSuccess, onError = toastFailure }: ChangeOptions<Input, Output>,
) {
	const queryClient = useQueryClient();
	const mutation = useMutation({
		mutationFn: (input: Input) => call(input),
		onSuccess: (output, input) => onSuccess?.(output, input),
		onError: (error) => onError(describeFailure(error)),
		onSettled: () => {
			const refetched = Promise.all(refetch.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
			return isPendingUntilRefetched ? refetched : undefined;
		},
	});
	return { ...mutation, failure: mutation.error === null ? undefined : describeFailure(mutation.error) };
}

function toastFailure({ message }: Failure): void {
	toastError(message);
}

/** Posts a file as a form with one field, `file`. @throws FailedCall */
export async function postFile<Answer>(path: string, file: File): Promise<Answer> {
	const body = new FormData();
	body.append('file', file);
	const response = await fetch(path, { method: 'POST', body, headers: { Accept: 'application/json' } });
	if (!response.ok) throw await readFailedCall(response);
	return response.json();
}
